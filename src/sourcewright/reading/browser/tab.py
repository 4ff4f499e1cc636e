"""One tab: a page in its own browser context."""

import asyncio
import contextlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sourcewright.base.errors import BadAnswer, Unavailable
from sourcewright.base.pages import BROWSER, SOURCE
from sourcewright.reading.browser.devtools import BrowserGone, CommandRejected, Devtools
from sourcewright.reading.browser.interception import (
    Interception,
    NetworkIdle,
    PageOpening,
    RequestHandler,
)
from sourcewright.reading.browser.markup import RenderedPage

_WORLD = "sourcewright"
_EXTRA_IDLE_SECONDS = 2.0
_POLL_SECONDS = 1.0
_SCRIPT_SECONDS = 0.5
_RETRY_SECONDS = 0.1
_EXIT_SECONDS = 5.0
"""How long a browser that is killed may take to exit on a busy machine."""


class Tab:
    """Opens one page, waits until it is idle, and reads its HTML. `close` does not wait."""

    def __init__(self, devtools: Devtools, opening: PageOpening) -> None:
        self._devtools = devtools
        self._opening = opening
        self._idle = NetworkIdle(asyncio.get_running_loop().time)
        self._crashed = False
        self._session = ""
        self._frame = ""
        self.requests = RequestHandler(Interception(devtools), opening, self._idle)
        self.context = ""
        self.silent = False
        """Whether the browser failed to respond in time."""
        self.frames: set[str] = set()

    async def open(self) -> None:
        """Create an empty browser context with a blank page.

        Raises:
            BrowserGone: The browser has exited.
            CommandRejected: It rejected a command.
        """
        ask = self._devtools.ask
        self.context = await _new_context(self._devtools)
        self._devtools.send(
            "Browser.setDownloadBehavior", {"behavior": "deny", "browserContextId": self.context}
        )
        blank_page = {"url": "about:blank", "browserContextId": self.context}
        target = str((await ask("Target.createTarget", blank_page))["targetId"])
        self.frames.add(target)
        self._frame = self.requests.page = target
        attached = await ask("Target.attachToTarget", {"targetId": target, "flatten": True})
        self._session = str(attached["sessionId"])
        self._devtools.on(self._session, self._on_event)
        add = "Page.addScriptToEvaluateOnNewDocument"
        # Await it: a page opened before the script is registered runs unprotected.
        await asyncio.gather(
            self._ask("Page.enable"),
            self._ask(add, source=_script("_shield")),
            self._ask(add, source=_script("_watch"), worldName=_WORLD),
        )

    async def show(self, *, quiet_seconds: float, until: float) -> None:
        """Navigate to the page and wait until it is idle, or until the time is over.

        Raises:
            BrowserGone: The browser exited.
            Unavailable: The page's process crashed.
            ResearchError: The page could not be loaded, or the browser cannot show it.
        """
        navigation: Mapping[str, Any] | None = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                navigation = await self._ask("Page.navigate", url=self._opening.url)
                if navigation.get("errorText"):
                    raise self.requests.problem or _cannot_show(str(navigation["errorText"]))
                await self._wait_until_idle(quiet_seconds)
                return
        if navigation is None:
            # Without a navigation there is only the blank page, which must not count as the page.
            self.silent = self._opening.body is not None or not self.requests.has_navigated
            raise self.requests.problem or _no_page(silent=self.silent)
        # Stop scripts and loading, so that the page does not change while it is read.
        self._tell("Emulation.setScriptExecutionDisabled", value=True)
        self._tell("Page.stopLoading")

    async def take(self, *, seconds: float) -> RenderedPage:
        """Return the current HTML of the page; a script that never ends is terminated.

        Raises:
            Denied: Our rules refuse the page that it navigated to.
            UpstreamError: That page could not be loaded, or the page could not be read.
            BrowserGone: The browser exited.
        """
        if self.requests.problem is not None:
            raise self.requests.problem
        try:
            async with asyncio.timeout(seconds):
                await self._terminate_script()
                return await self._snapshot()
        except TimeoutError as error:
            await self._check()
            self.silent = True
            message = "its scripts run too long to read it"
            raise Unavailable(SOURCE, message, cause="timeout") from error

    def close(self) -> None:
        """Cancel pending requests and dispose of the context, without waiting for the browser."""
        self.requests.close()
        if self._session:
            self._devtools.on(self._session, None)
        if self.context:
            _dispose(self._devtools, self.context)

    def crash(self) -> None:
        """Record that the page's process has crashed."""
        self._crashed = True
        self._idle.restart()

    def _on_event(self, method: str, params: Mapping[str, Any]) -> None:
        is_main_frame = params.get("frameId") == self._frame
        match method:
            case "Page.frameAttached":
                self.frames.add(str(params.get("frameId")))
            case "Page.frameStartedNavigating" if is_main_frame:
                self.requests.announce(str(params.get("url")))
            case "Page.frameStartedLoading" if is_main_frame:
                self._idle.set_loaded(loaded=False)
            case "Page.frameStoppedLoading" if is_main_frame:
                self._idle.set_loaded(loaded=True)
            case "Page.javascriptDialogOpening":
                is_unload = params.get("type") == "beforeunload"
                with contextlib.suppress(BrowserGone):
                    self._tell("Page.handleJavaScriptDialog", accept=is_unload)

    async def _wait_until_idle(self, quiet_seconds: float) -> None:
        """Wait until no request, response or DOM change has happened for so long."""
        max_wait = 3 * quiet_seconds + _EXTRA_IDLE_SECONDS
        while True:
            await self._check()
            idle_seconds = self._idle.seconds_idle()
            if idle_seconds is None:
                await self._idle.wait(_POLL_SECONDS)
            elif idle_seconds < quiet_seconds:
                await self._idle.wait(quiet_seconds - idle_seconds)
            else:
                unchanged_seconds = await self._seconds_unchanged()
                if unchanged_seconds >= quiet_seconds or idle_seconds > max_wait:
                    return
                await self._idle.wait(quiet_seconds - unchanged_seconds)

    async def _seconds_unchanged(self) -> float:
        """Seconds since the last DOM change; 0 while the document is being replaced."""
        try:
            seconds = await self._evaluate("globalThis.stillFor ? stillFor() : 3600")
        except CommandRejected:
            return 0.0
        return float(seconds) if isinstance(seconds, int | float) else 0.0

    async def _check(self) -> None:
        if self._crashed:
            raise await _crash(self._devtools)
        if self._devtools.gone.is_set():
            raise BrowserGone

    async def _snapshot(self) -> RenderedPage:
        while True:
            try:
                return _markup(await self._evaluate(_script("_take")))
            except CommandRejected:
                await self._check()
                await self._idle.wait(_RETRY_SECONDS)

    async def _terminate_script(self) -> None:
        """Terminate a script that blocks the page's main thread."""
        try:
            async with asyncio.timeout(_SCRIPT_SECONDS):
                await self._evaluate("1")
        except (TimeoutError, CommandRejected):
            self._tell("Runtime.terminateExecution")

    async def _evaluate(self, script: str) -> Any:
        world = await self._ask("Page.createIsolatedWorld", frameId=self._frame, worldName=_WORLD)
        response = await self._ask(
            "Runtime.evaluate",
            expression=script,
            contextId=world.get("executionContextId"),
            returnByValue=True,
        )
        result = response.get("result")
        if "exceptionDetails" in response or not isinstance(result, Mapping):
            raise CommandRejected("the page changed while it was read")
        return result.get("value")

    async def _ask(self, method: str, **params: Any) -> Mapping[str, Any]:
        return await self._devtools.ask(method, params, session=self._session)

    def _tell(self, method: str, **params: Any) -> None:
        self._devtools.send(method, params, session=self._session)


@cache
def _script(name: str) -> str:
    return Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")


def _cannot_show(reason: str) -> BadAnswer:
    return BadAnswer(SOURCE, f"the browser cannot display it ({reason[:80]})", cause="format")


def _no_page(*, silent: bool) -> Unavailable:
    """The error for a page that did not load in time."""
    if silent:
        return Unavailable(BROWSER, "does not respond", cause="timeout")
    return Unavailable(SOURCE, "did not load in time", cause="timeout")


async def _crash(devtools: Devtools) -> Unavailable:
    """The error for a page whose process crashed.

    A browser that is being killed may report the end of a renderer first, so a crash is the
    page's own only if the browser still answers.

    Raises:
        BrowserGone: The whole browser has exited.
    """
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(_EXIT_SECONDS):
            await devtools.ask("Browser.getVersion")
    return Unavailable(BROWSER, "the page crashed its renderer process")


async def _new_context(devtools: Devtools) -> str:
    creation = asyncio.ensure_future(
        devtools.ask("Target.createBrowserContext", {"disposeOnDetach": True})
    )

    def drop(done: asyncio.Future[Mapping[str, Any]]) -> None:
        if not done.cancelled() and done.exception() is None:
            _dispose(devtools, str(done.result().get("browserContextId", "")))

    try:
        return str((await asyncio.shield(creation))["browserContextId"])
    except asyncio.CancelledError:
        # The browser creates it all the same; dispose of it, since nobody else knows it.
        creation.add_done_callback(drop)
        raise


def _dispose(devtools: Devtools, context: str) -> None:
    with contextlib.suppress(BrowserGone):
        devtools.send("Target.disposeBrowserContext", {"browserContextId": context})


def _markup(result: Any) -> RenderedPage:
    try:
        return RenderedPage(
            html=str(result["html"]), url=str(result["url"]), cut=bool(result["cut"])
        )
    except (KeyError, TypeError) as error:
        raise CommandRejected("the page returned no information") from error
