"""Shows pages in a Chromium that has no way out: each of its requests is answered by us."""

import asyncio
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from sourcewright.domain.calls import current_call
from sourcewright.domain.errors import BadAnswer, Unavailable
from sourcewright.domain.pages import BROWSER, SOURCE, Confinement, Visit
from sourcewright.domain.ports import Clock, SystemClock, VisitsPages
from sourcewright.readers._chromium import PROCESS_BYTES, Chromium, find_chromium

if TYPE_CHECKING:
    # Named for the types alone; a server that shows no page never loads them.
    from sourcewright.net.subrequests import Subrequests
    from sourcewright.readers._answering import Opening
    from sourcewright.readers._engine import Engine
    from sourcewright.readers._supply import Supply
    from sourcewright.readers._tab import Markup

__all__ = ["Browser", "Chromium", "Options", "find_chromium"]

_SECONDS = 30.0
"""The longest that one page may take."""
_TAKING_SECONDS = 6.0
_QUIET_SECONDS, _PATIENT_SECONDS = 0.5, 2.0
_LONGEST_SERVED, _LONGEST = 16 * 1024 * 1024, 8 * 1024 * 1024
"""Bytes of a page before its scripts have run, and after."""
_HTML = "text/html; charset=utf-8"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How pages are shown."""

    pages_at_once: int = 2
    idle_seconds: float = 300.0
    images: bool = False
    """Whether pictures are really fetched; a page's text does not need them."""
    unplugged: bool = True
    """Whether the browser gets an empty network from the system, where that can be had."""
    pages_per_browser: int = 200
    """After so many it is replaced, so that what it leaks stays small."""
    process_bytes: int = PROCESS_BYTES
    """How much memory one page may take."""


class Browser:
    """Shows pages, a few at a time. It starts with the first one; `aclose` ends it."""

    def __init__(
        self,
        path: str,
        *,
        visitor: VisitsPages,
        requests: "Subrequests",
        clock: Clock | None = None,
        options: Options | None = None,
    ) -> None:
        self._path = path
        self._visitor = visitor
        self._requests = requests
        self._clock = clock or SystemClock()
        self._options = options or Options()
        self._turn = asyncio.Semaphore(self._options.pages_at_once)
        self._made: Supply | None = None

    async def render(
        self, url: str, *, served: Visit | None = None, patient: bool = False
    ) -> Visit:
        """A page as it stands once its scripts have run; what is no page is given as it is.

        Raises:
            Denied: Our rules refuse the page itself; what they refuse of its parts is left out.
            NotFound: There is no such page.
            Unavailable: From `browser`: it could not be started, or it died.
            UpstreamError: The page could not be had.
        """
        until = asyncio.get_running_loop().time() + self._seconds()
        if served is None:
            served = await self._visitor.visit(url, "source")
        if not _is_markup(served):
            return served
        try:
            async with asyncio.timeout_at(until), self._turn:
                return await self._show(_place(url, served), served, until, patient=patient)
        except TimeoutError as error:
            raise Unavailable(BROWSER, "had no time for the page", cause="timeout") from error

    async def examine(self) -> Confinement:
        """Start the browser and say how it is held.

        Raises:
            Unavailable: It could not be started.
        """
        from sourcewright.readers._engine import NotStarted

        try:
            async with self._supply().engine() as engine:
                return Confinement(
                    version=engine.version,
                    sandboxed=engine.how.sandboxed,
                    unplugged=engine.how.unplugged,
                    rightless=engine.how.user is not None,
                )
        except NotStarted as error:
            raise Unavailable(BROWSER, f"could not be started: {error}") from error

    async def aclose(self) -> None:
        if self._made is not None:
            await self._made.aclose()

    def _supply(self) -> "Supply":
        from sourcewright.net.browsing import IDENTITY
        from sourcewright.readers._chromium import Launch
        from sourcewright.readers._supply import Supply

        if self._made is None:
            how = Launch(
                path=self._path,
                user_agent=IDENTITY["user-agent"],
                unplugged=self._options.unplugged,
                process_bytes=self._options.process_bytes,
            )
            self._made = Supply(
                how,
                idle_seconds=self._options.idle_seconds,
                pages=self._options.pages_per_browser,
            )
        return self._made

    async def _show(self, place: str, served: Visit, until: float, *, patient: bool) -> Visit:
        from sourcewright.readers._devtools import Gone
        from sourcewright.readers._engine import NotStarted

        try:
            async with self._supply().engine() as engine:
                markup = await self._shown(
                    engine, self._opening(place, served, until), until, patient=patient
                )
        except NotStarted as error:
            raise Unavailable(BROWSER, f"could not be started: {error}") from error
        except Gone as error:
            raise Unavailable(BROWSER, "ended while it showed the page") from error
        return _visit(markup, served)

    def _opening(self, place: str, served: Visit, until: float) -> "Opening":
        from sourcewright.readers._answering import Opening

        left = until - asyncio.get_running_loop().time()
        return Opening(
            url=place,
            body=served.body[:_LONGEST_SERVED],
            content_type=_content_type(served),
            requests=self._requests.of(served.url, seconds=left),
            images=self._options.images,
        )

    @staticmethod
    async def _shown(
        engine: "Engine", opening: "Opening", until: float, *, patient: bool
    ) -> "Markup":
        left = until - asyncio.get_running_loop().time()
        taking = min(_TAKING_SECONDS, left / 3)
        quiet = _PATIENT_SECONDS if patient else _QUIET_SECONDS
        async with engine.tab(opening) as tab:
            await tab.show(quiet_seconds=quiet, until=until - taking)
            return await tab.take(seconds=taking)

    def _seconds(self) -> float:
        deadline = current_call.get().deadline
        left = _SECONDS if deadline is None else deadline - self._clock.monotonic()
        return min(_SECONDS, left)


def _place(url: str, served: Visit) -> str:
    """Where the page is, with the fragment that it may look at to know what to show."""
    fragment = urlsplit(url).fragment
    return f"{served.url}#{fragment}" if fragment else served.url


def _is_markup(served: Visit) -> bool:
    from sourcewright.logic.recognising import recognise

    kind = recognise(served.body, content_type=served.content_type, url=served.url)
    return kind == "html"


def _content_type(served: Visit) -> str:
    """What the server says of the characters; that it is a page is known."""
    _, mark, parameters = served.content_type.partition(";")
    return f"text/html{mark}{parameters}"


def _visit(markup: "Markup", served: Visit) -> Visit:
    if markup.url.startswith("chrome-error:"):
        raise BadAnswer(SOURCE, "the browser cannot show it", cause="format")
    web = urlsplit(markup.url).scheme in ("http", "https")
    body = markup.html.encode("utf-8", "replace")
    long = len(body) > _LONGEST
    if long:
        body = body[:_LONGEST].decode("utf-8", "ignore").encode()
    return Visit(
        body=body,
        url=markup.url if web else served.url,
        content_type=_HTML,
        manner="rendered",
        cut=markup.cut or served.cut or long or len(served.body) > _LONGEST_SERVED,
        problem=served.problem,
    )
