// Runs in an isolated world and measures how long the DOM has been unchanged.
(() => {
  let lastChange = performance.now();
  const observer = new MutationObserver(() => { lastChange = performance.now(); });
  observer.observe(document, { subtree: true, childList: true, characterData: true });
  globalThis.stillFor = () => (performance.now() - lastChange) / 1000;
})();
