"""A Chromium for tests and pictures of our own pages: opens, presses keys, reads, takes pictures."""

import asyncio
import base64
import json
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from sourcewright.reading.browser.devtools import MAX_MESSAGE_BYTES, CommandRejected, Devtools

_REDIRECT = 'exec "$@" 3<&0 4>&1 </dev/null >/dev/null'
_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-renderer-backgrounding",
    "--disable-component-update",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    "--no-startup-window",
)
_KEYS = {
    "Tab": ("Tab", 9, None),
    "Enter": ("Enter", 13, "\r"),
    " ": ("Space", 32, " "),
}


TEXTS = """
[...document.querySelectorAll('body *')].filter((one) =>
  one.checkVisibility({ contentVisibilityAuto: true }) && !one.classList.contains('unseen')
  && !one.closest('.skip, noscript, svg')
  && [...one.childNodes].some((each) => each.nodeType === 3 && each.data.trim()))
""".strip()
CONTRASTS = f"""
(() => {{
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const light = ([r, g, b]) => [r, g, b].map((one) => one / 255)
    .map((one) => one <= .04045 ? one / 12.92 : ((one + .055) / 1.055) ** 2.4)
    .reduce((sum, one, at) => sum + one * [.2126, .7152, .0722][at], 0);
  const ground = (one) => {{
    for (; one; one = one.parentElement) {{
      const color = parse(getComputedStyle(one).backgroundColor);
      if (color.length < 4 || color[3] === 1) return color;
    }}
    return [255, 255, 255];
  }};
  return {TEXTS}.map((one) => {{
    const [a, b] = [light(parse(getComputedStyle(one).color)), light(ground(one))].sort((x, y) => y - x);
    return [(a + .05) / (b + .05), one.tagName, one.textContent.trim().slice(0, 40)];
  }}).filter(([ratio]) => ratio < 4.5);
}})()
"""
"""Texts whose contrast with what is behind them is below what WCAG asks for (4.5)."""


class Tab:
    """One page, in a context of its own: no cookie of another tab is known here."""

    def __init__(self, devtools, session, context):
        self._devtools = devtools
        self._session = session
        self.context = context
        self.messages = []
        """What the browser has to complain about: errors of scripts, violations of a policy."""
        devtools.on(session, self._on_event)

    def _on_event(self, method, params):
        if method == "Log.entryAdded":
            self.messages.append(params["entry"]["text"])
        elif method == "Runtime.exceptionThrown":
            self.messages.append(json.dumps(params["exceptionDetails"])[:500])

    async def ask(self, method, **params):
        return await self._devtools.ask(method, params, session=self._session)

    async def look(self, *, width=1280, height=900, dark=False, reduced=False):
        """Set the size of the window, and what the user prefers."""
        await self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        motion = {"name": "prefers-reduced-motion", "value": "reduce" if reduced else ""}
        await self.ask("Emulation.setEmulatedMedia", features=[scheme, motion])

    async def open(self, url):
        await self.ask("Page.navigate", url=url)
        await self.until("document.readyState === 'complete'", where=url)

    async def read(self, expression):
        """Evaluate JavaScript, waiting for a promise; return its JSON value."""
        answer = await self.ask(
            "Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    async def until(self, condition, *, where=None):
        """Wait until a condition holds, in the page that has replaced the one before."""
        at_place = f"location.href.startsWith({json.dumps(where)}) && " if where else ""
        pause = "new Promise((done) => setTimeout(done, 30))"
        async with asyncio.timeout(300):
            while True:
                # A page that is being replaced answers no question.
                with suppress(CommandRejected):
                    if await self.read(f"{at_place}!!({condition})"):
                        return
                    await self.read(pause)

    async def press(self, key, *, shift=False):
        name, code, text = _KEYS[key]
        event = {
            "key": key,
            "code": name,
            "windowsVirtualKeyCode": code,
            "modifiers": 8 if shift else 0,
        }
        typed = {"text": text} if text else {}
        await self.ask("Input.dispatchKeyEvent", type="keyDown", **event, **typed)
        await self.ask("Input.dispatchKeyEvent", type="keyUp", **event)

    async def type(self, text):
        await self.ask("Input.insertText", text=text)

    async def picture(self, *, whole=True):
        """Return a PNG of the page."""
        clip = {}
        if whole:
            size = (await self.ask("Page.getLayoutMetrics"))["cssContentSize"]
            clip = {"clip": {**size, "x": 0, "y": 0, "scale": 1}}
        shot = await self.ask("Page.captureScreenshot", captureBeyondViewport=whole, **clip)
        return base64.b64decode(shot["data"])


class Viewer:
    """A running Chromium."""

    def __init__(self, devtools):
        self._devtools = devtools

    @asynccontextmanager
    async def tab(self):
        ask = self._devtools.ask
        context = (await ask("Target.createBrowserContext"))["browserContextId"]
        target = await ask(
            "Target.createTarget", {"url": "about:blank", "browserContextId": context}
        )
        attached = await ask(
            "Target.attachToTarget", {"targetId": target["targetId"], "flatten": True}
        )
        tab = Tab(self._devtools, attached["sessionId"], context)
        for domain in ("Page", "Runtime", "Log", "Network"):
            await tab.ask(f"{domain}.enable")
        try:
            yield tab
        finally:
            await ask("Target.disposeBrowserContext", {"browserContextId": context})


@asynccontextmanager
async def viewer(program: str, folder: Path):
    """Start a Chromium whose profile is in the folder; it ends with the context."""
    process = await asyncio.create_subprocess_exec(
        *("/bin/sh", "-c", _REDIRECT, "sh", program, *_FLAGS),
        f"--user-data-dir={folder / 'profile'}",
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        limit=MAX_MESSAGE_BYTES,
    )
    devtools = Devtools(process.stdout, process.stdin)
    listening = asyncio.create_task(devtools.listen())
    try:
        await devtools.ask("Browser.getVersion")
        yield Viewer(devtools)
    finally:
        devtools.close()
        try:
            await asyncio.wait_for(process.wait(), 10)
        except TimeoutError:
            process.kill()
            await process.wait()
        await listening
