// Runs beside a page, out of its reach, and knows for how long nothing has changed in it.
(() => {
  let last = performance.now();
  const observer = new MutationObserver(() => { last = performance.now(); });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  globalThis.stillFor = () => (performance.now() - last) / 1000;
})();
