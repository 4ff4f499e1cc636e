// Runs before a page's own scripts, in every frame: what could only go around the
// interception, or stop the page from being read, is not there.
(() => {
  for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "RTCDataChannel"]) {
    delete globalThis[name];
  }
  const refuse = () => Promise.reject(new DOMException("not here", "SecurityError"));
  if (globalThis.ServiceWorkerContainer) {
    ServiceWorkerContainer.prototype.register = refuse;
  }
  // Nobody is there to answer, and each dialog would stop the page for a while.
  globalThis.alert = globalThis.print = () => undefined;
  globalThis.confirm = () => false;
  globalThis.prompt = () => null;
})();
