"""Renders pages in Chromium, each of whose requests is answered by our client."""

import asyncio
from typing import TYPE_CHECKING

from sourcewright.domain.calls import current_call
from sourcewright.domain.errors import Unavailable
from sourcewright.domain.pages import BROWSER, Confinement, Visit
from sourcewright.domain.ports import Clock, SystemClock
from sourcewright.readers.browser.chromium import Chromium, Options, find_chromium

if TYPE_CHECKING:
    # Named for the types alone; a server that shows no page never loads them.
    from sourcewright.net.subrequests import Subrequests
    from sourcewright.readers.browser.renderer import Showing

__all__ = ["Browser", "Chromium", "Options", "find_chromium"]

_SECONDS = 30.0
"""The longest that one page may take."""


class Browser:
    """Shows pages, a few at a time. It starts with the first one; `aclose` ends it."""

    def __init__(
        self,
        path: str,
        *,
        requests: "Subrequests",
        clock: Clock | None = None,
        options: Options | None = None,
    ) -> None:
        self._path = path
        self._requests = requests
        self._clock = clock or SystemClock()
        self._options = options or Options()
        self._turn = asyncio.Semaphore(self._options.pages_at_once)
        self._made: Showing | None = None

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
        showing = self._showing()
        if served is not None and not showing.can_show(served):
            return served
        try:
            async with asyncio.timeout_at(until), self._turn:
                return await showing.show(url, served, until=until, patient=patient)
        except TimeoutError as error:
            raise Unavailable(BROWSER, "had no time for the page", cause="timeout") from error

    async def examine(self) -> Confinement:
        """Start the browser and say how it is held.

        Raises:
            Unavailable: It could not be started.
        """
        return await self._showing().examine()

    async def aclose(self) -> None:
        if self._made is not None:
            await self._made.aclose()

    def _showing(self) -> "Showing":
        from sourcewright.readers.browser.renderer import Showing

        if self._made is None:
            self._made = Showing(self._path, self._requests, self._options)
        return self._made

    def _seconds(self) -> float:
        deadline = current_call.get().deadline
        left = _SECONDS if deadline is None else deadline - self._clock.monotonic()
        return min(_SECONDS, left)
