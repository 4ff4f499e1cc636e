"""One tab: a page in a browser context of its own."""

import asyncio
import contextlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sourcewright.domain.errors import BadAnswer, Unavailable
from sourcewright.domain.pages import BROWSER, SOURCE
from sourcewright.readers.browser.devtools import Declined, Devtools, Gone
from sourcewright.readers.browser.interception import Answering, Interception, Opening, Stillness
from sourcewright.readers.browser.markup import Markup

_WORLD = "sourcewright"
_RESTLESS_SECONDS = 2.0
_LOOK_SECONDS = 1.0
_TURN_SECONDS = 0.5
_AGAIN_SECONDS = 0.1


class Tab:
    """Opens one page, waits until it rests, and takes what it shows. `close` needs no waiting."""

    def __init__(self, devtools: Devtools, opening: Opening) -> None:
        self._devtools = devtools
        self._opening = opening
        self._stillness = Stillness(asyncio.get_running_loop().time)
        self._crashed = False
        self._session = ""
        self._main = ""
        self.requests = Answering(Interception(devtools), opening, self._stillness)
        self.context = ""
        self.silent = False
        """Whether the browser did not answer when it should have."""
        self.frames: set[str] = set()

    async def open(self) -> None:
        """Make a context with nothing in it, and an empty page there.

        Raises:
            Gone: There is no browser.
            Declined: It would not.
        """
        ask = self._devtools.ask
        self.context = await _new_context(self._devtools)
        self._devtools.tell(
            "Browser.setDownloadBehavior", {"behavior": "deny", "browserContextId": self.context}
        )
        place = {"url": "about:blank", "browserContextId": self.context}
        target = str((await ask("Target.createTarget", place))["targetId"])
        self.frames.add(target)
        self._main = self.requests.page = target
        attached = await ask("Target.attachToTarget", {"targetId": target, "flatten": True})
        self._session = str(attached["sessionId"])
        self._devtools.on(self._session, self._hear)
        add = "Page.addScriptToEvaluateOnNewDocument"
        # Waited for, because a page that is opened before has no shield.
        await asyncio.gather(
            self._ask("Page.enable"),
            self._ask(add, source=_script("_shield")),
            self._ask(add, source=_script("_watch"), worldName=_WORLD),
        )

    async def show(self, *, quiet_seconds: float, until: float) -> None:
        """Go to the page and wait until it rests, or until there is no more time.

        Raises:
            Gone: The browser ended.
            Unavailable: The page's process crashed.
            ResearchError: The page could not be had, or the browser cannot show it.
        """
        went: Mapping[str, Any] | None = None
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout_at(until):
                went = await self._ask("Page.navigate", url=self._opening.url)
                if went.get("errorText"):
                    raise self.requests.problem or _unshown(str(went["errorText"]))
                await self._rest(quiet_seconds)
                return
        if went is None:
            # An empty page is never given for one that is not there.
            self.silent = self._opening.body is not None or not self.requests.begun
            raise self.requests.problem or _unseen(silent=self.silent)
        # What has not come to rest by itself is stopped, so that it stays to be read.
        self._tell("Emulation.setScriptExecutionDisabled", value=True)
        self._tell("Page.stopLoading")

    async def take(self, *, seconds: float) -> Markup:
        """What the page shows now; a script that never ends is ended for it.

        Raises:
            Denied: Our rules refuse the page that it has gone on to.
            UpstreamError: That page could not be had, or the page could not be read.
            Gone: The browser ended.
        """
        if self.requests.problem is not None:
            raise self.requests.problem
        try:
            async with asyncio.timeout(seconds):
                await self._interrupt()
                return await self._taken()
        except TimeoutError as error:
            self._check()
            self.silent = True
            message = "its scripts leave no time to read it"
            raise Unavailable(SOURCE, message, cause="timeout") from error

    def close(self) -> None:
        """Give up whatever is under way; the browser drops the context when it gets to it."""
        self.requests.close()
        if self._session:
            self._devtools.on(self._session, None)
        if self.context:
            _dispose(self._devtools, self.context)

    def crash(self) -> None:
        """Take note that the page's process is gone."""
        self._crashed = True
        self._stillness.stir()

    def _hear(self, method: str, params: Mapping[str, Any]) -> None:
        itself = params.get("frameId") == self._main
        match method:
            case "Page.frameAttached":
                self.frames.add(str(params.get("frameId")))
            case "Page.frameStartedNavigating" if itself:
                self.requests.announce(str(params.get("url")))
            case "Page.frameStartedLoading" if itself:
                self._stillness.set_loaded(loaded=False)
            case "Page.frameStoppedLoading" if itself:
                self._stillness.set_loaded(loaded=True)
            case "Page.javascriptDialogOpening":
                leaving = params.get("type") == "beforeunload"
                with contextlib.suppress(Gone):
                    self._tell("Page.handleJavaScriptDialog", accept=leaving)

    async def _rest(self, quiet_seconds: float) -> None:
        """Return when nothing has been asked, answered or changed for so long."""
        most = 3 * quiet_seconds + _RESTLESS_SECONDS
        while True:
            self._check()
            rested = self._stillness.rested()
            if rested is None:
                await self._stillness.wait(_LOOK_SECONDS)
            elif rested < quiet_seconds:
                await self._stillness.wait(quiet_seconds - rested)
            else:
                still = await self._still()
                if still >= quiet_seconds or rested > most:
                    return
                await self._stillness.wait(quiet_seconds - still)

    async def _still(self) -> float:
        """Seconds since the page last changed; none where it is just being exchanged."""
        try:
            seconds = await self._evaluate("globalThis.stillFor ? stillFor() : 3600")
        except Declined:
            return 0.0
        return float(seconds) if isinstance(seconds, int | float) else 0.0

    def _check(self) -> None:
        if self._crashed:
            raise Unavailable(BROWSER, "the page made its process crash")
        if self._devtools.gone.is_set():
            raise Gone

    async def _taken(self) -> Markup:
        while True:
            try:
                return _markup(await self._evaluate(_script("_take")))
            except Declined:
                self._check()
                await self._stillness.wait(_AGAIN_SECONDS)

    async def _interrupt(self) -> None:
        """End a script that lets nobody else have a turn."""
        try:
            async with asyncio.timeout(_TURN_SECONDS):
                await self._evaluate("1")
        except (TimeoutError, Declined):
            self._tell("Runtime.terminateExecution")

    async def _evaluate(self, script: str) -> Any:
        world = await self._ask("Page.createIsolatedWorld", frameId=self._main, worldName=_WORLD)
        said = await self._ask(
            "Runtime.evaluate",
            expression=script,
            contextId=world.get("executionContextId"),
            returnByValue=True,
        )
        result = said.get("result")
        if "exceptionDetails" in said or not isinstance(result, Mapping):
            raise Declined("the page is no longer the same")
        return result.get("value")

    async def _ask(self, method: str, **params: Any) -> Mapping[str, Any]:
        return await self._devtools.ask(method, params, session=self._session)

    def _tell(self, method: str, **params: Any) -> None:
        self._devtools.tell(method, params, session=self._session)


@cache
def _script(name: str) -> str:
    return Path(__file__).with_name(f"{name}.js").read_text(encoding="utf-8")


def _unshown(why: str) -> BadAnswer:
    return BadAnswer(SOURCE, f"the browser cannot show it ({why[:80]})", cause="format")


def _unseen(*, silent: bool) -> Unavailable:
    """Why there is no page at the end of its time."""
    if silent:
        return Unavailable(BROWSER, "does not answer", cause="timeout")
    return Unavailable(SOURCE, "did not come in time", cause="timeout")


async def _new_context(devtools: Devtools) -> str:
    making = asyncio.ensure_future(
        devtools.ask("Target.createBrowserContext", {"disposeOnDetach": True})
    )

    def drop(made: asyncio.Future[Mapping[str, Any]]) -> None:
        if not made.cancelled() and made.exception() is None:
            _dispose(devtools, str(made.result().get("browserContextId", "")))

    try:
        return str((await asyncio.shield(making))["browserContextId"])
    except asyncio.CancelledError:
        # It is made all the same, and nobody would know of it.
        making.add_done_callback(drop)
        raise


def _dispose(devtools: Devtools, context: str) -> None:
    with contextlib.suppress(Gone):
        devtools.tell("Target.disposeBrowserContext", {"browserContextId": context})


def _markup(said: Any) -> Markup:
    try:
        return Markup(html=str(said["html"]), url=str(said["url"]), cut=bool(said["cut"]))
    except (KeyError, TypeError) as error:
        raise Declined("the page said nothing of itself") from error
