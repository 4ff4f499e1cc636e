// What the theme leaves out for those who use a keyboard or a screen reader.
const improve = () => {
  // Every block of code has a navigation landmark of its own.
  document.querySelectorAll("nav.md-code__nav:not([aria-label])").forEach((nav) => {
    const block = nav.closest("[id]") ?? nav.parentElement.querySelector("[id]");
    nav.setAttribute("aria-label", `Code ${block?.id.match(/\d+/)?.[0] ?? ""}`);
  });
  // So has every level of the table of contents, under a heading that a page may have twice.
  document.querySelectorAll("nav.md-nav nav.md-nav[aria-label]:not([data-named])").forEach((nav, at) => {
    nav.setAttribute("aria-label", `${nav.getAttribute("aria-label")}, part ${at + 1}`);
    nav.dataset.named = "";
  });
  // What can be scrolled sideways can be reached by keyboard.
  document.querySelectorAll("pre > code, .md-typeset__scrollwrap").forEach((box) => {
    if (box.scrollWidth > box.clientWidth) box.setAttribute("tabindex", "0");
    else box.removeAttribute("tabindex");
  });
};
new MutationObserver(improve).observe(document.documentElement, { childList: true, subtree: true });
addEventListener("resize", improve);
addEventListener("load", improve);
improve();
