// Runs before a page's own scripts, in every frame: removes APIs that would bypass request
// interception or block the page.
(() => {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel"]) {
    delete globalThis[name];
  }
  const refuse = () => Promise.reject(new DOMException("not here", "SecurityError"));
  if (globalThis.ServiceWorkerContainer) {
    ServiceWorkerContainer.prototype.register = refuse;
  }
  // Nobody can answer dialogs, and each one would block the page for a while.
  globalThis.alert = globalThis.print = () => undefined;
  globalThis.confirm = () => false;
  globalThis.prompt = () => null;
})();
