// Serialises the rendered page from an isolated world: shadow roots and same-origin frames are
// inlined, elements that style sheets hide get `hidden`, scripts and styles are left out.
(() => {
  const LONGEST = 8 * 1024 * 1024;
  const MOST_MILLISECONDS = 2000;
  const LONGEST_VALUE = 4096;
  const LEFT_OUT = new Set([
    "style", "noscript", "template", "svg", "canvas", "audio", "video", "object", "embed",
  ]);
  const EMPTY = new Set([
    "area", "base", "br", "col", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
  ]);
  const KEPT_LINKS = /canonical|alternate|author|license|shortlink|next|prev|icon/;
  const NAME = /^[a-z][a-z0-9-]*$/;
  const ATTRIBUTE = /^[a-z_:][a-z0-9_:.-]*$/i;
  const DROPPED = /^(?:on.*|style|hidden|srcset|sizes|nonce|integrity|jsaction|srcdoc|d)$/i;

  const started = performance.now();
  const out = ["<!DOCTYPE html>\n"];
  let size = 0;
  let cut = false;
  let seen = 0;

  const put = (text) => {
    size += text.length;
    if (size > LONGEST) cut = true;
    if (!cut) out.push(text);
  };
  const escaped = (text) => text
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "")
    .replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");

  const isLeftOut = (element, name) => {
    if (name === "script") return element.type !== "application/ld+json";
    if (name === "link") return !KEPT_LINKS.test(element.rel);
    return LEFT_OUT.has(name);
  };
  const isOffScreen = (style) => {
    if (style.position !== "absolute" && style.position !== "fixed") return false;
    if (/^rect\((?:0|1)px,? /.test(style.clip)) return true;
    return parseFloat(style.left) <= -1000 || parseFloat(style.top) <= -1000;
  };
  const isAnimated = (style) =>
    style.animationName !== "none" || style.transform !== "none" || style.willChange !== "auto"
    || /[1-9]/.test(style.transitionDuration);
  // Visibility of an element: "no" hides it with its descendants, "mute" only its own text.
  const visibility = (element) => {
    const style = element.ownerDocument.defaultView.getComputedStyle(element);
    if (style.display === "none" || style.contentVisibility === "hidden") return "no";
    if (isOffScreen(style) || /inset\((?:50|100)%/.test(style.clipPath)) return "no";
    if (style.opacity === "0" && !isAnimated(style)) return "no";
    if (style.visibility !== "visible" || parseFloat(style.fontSize) < 2) return "mute";
    return "yes";
  };

  const attributes = (element, hidden) => {
    let text = hidden ? " hidden" : "";
    for (const { name, value } of element.attributes) {
      if (!ATTRIBUTE.test(name) || DROPPED.test(name) || value.length > LONGEST_VALUE) continue;
      text += ` ${name}="${escaped(value)}"`;
    }
    return text;
  };
  // The body of a same-origin frame; the document of a cross-origin frame is not accessible.
  const inside = (element, name) =>
    (name === "iframe" || name === "frame") && element.contentDocument?.body;
  const children = (element, name) => {
    if (name === "iframe" || name === "frame") {
      return [...(inside(element, name)?.childNodes ?? [])];
    }
    if (name === "slot") {
      const assigned = element.assignedNodes({ flatten: true });
      return assigned.length ? assigned : [...element.childNodes];
    }
    return [...(element.shadowRoot || element).childNodes];
  };

  // An explicit stack: elements can be nested deeper than the call stack allows.
  const root = document.documentElement;
  const stack = root ? [{ node: root, inHead: false, unseen: false, mute: false }] : [];
  const open = (element, place) => {
    const name = element.localName.toLowerCase();
    if (isLeftOut(element, name)) return;
    const tag = inside(element, name) || !NAME.test(name) ? "div" : name;
    const inHead = place.inHead || name === "head";
    const shown = inHead || place.unseen || name === "html" || name === "body" ? "" : visibility(element);
    put(`<${tag}${attributes(element, shown === "no")}>`);
    if (EMPTY.has(name)) return;
    stack.push(`</${tag}>`);
    const raw = name === "script";
    const unseen = place.unseen || shown === "no";
    for (const node of children(element, name).reverse()) {
      stack.push({ node, inHead, unseen, mute: shown === "mute", raw });
    }
  };
  while (stack.length && !cut) {
    const place = stack.pop();
    if (typeof place === "string") {
      put(place);
    } else if (place.node.nodeType === Node.TEXT_NODE) {
      const text = place.node.data;
      if (!place.mute) put(place.raw ? text.replace(/<\//g, "<\\/") : escaped(text));
    } else if (place.node.nodeType === Node.ELEMENT_NODE) {
      seen += 1;
      if (seen % 256 === 0 && performance.now() - started > MOST_MILLISECONDS) cut = true;
      open(place.node, place);
    }
  }
  return { html: out.join(""), cut, url: document.URL };
})()
