"""Renders pages in Chromium; our HTTP client answers each of its requests."""

import asyncio
from typing import TYPE_CHECKING

from sourcewright.base.calls import current_call
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import Unavailable
from sourcewright.base.pages import BROWSER, BrowserIsolation, FetchedDocument
from sourcewright.reading.browser.chromium import BrowserOptions, Chromium, find_chromium

if TYPE_CHECKING:
    # Imported for types only; a server that renders no page never loads them.
    from sourcewright.reading.browser.page_requests import Subrequests
    from sourcewright.reading.browser.renderer import Renderer

__all__ = ["Browser", "BrowserOptions", "Chromium", "find_chromium"]


class Browser:
    """Renders a few pages at a time. Chromium starts with the first page; `aclose` stops it."""

    def __init__(
        self,
        path: str,
        *,
        requests: "Subrequests",
        options: BrowserOptions | None = None,
    ) -> None:
        self._path = path
        self._requests = requests
        self._options = options or BrowserOptions()
        self._slots = asyncio.Semaphore(self._options.pages_at_once)
        self._renderer: Renderer | None = None

    async def render(
        self, url: str, *, served: FetchedDocument | None = None, patient: bool = False
    ) -> FetchedDocument:
        """Return the page after its scripts have run; a response that is not HTML stays unchanged.

        Raises:
            Denied: Our rules refuse the page itself; refused subresources are left out.
            NotFound: There is no such page.
            Unavailable: From `browser`: it could not be started, or it died.
            UpstreamError: The page could not be loaded.
        """
        until = asyncio.get_running_loop().time() + self._seconds_left()
        renderer = self._get_renderer()
        if served is not None and not renderer.can_show(served):
            return served
        try:
            async with asyncio.timeout_at(until), self._slots:
                return await renderer.show(url, served, until=until, patient=patient)
        except TimeoutError as error:
            raise Unavailable(BROWSER, "no time left for the page", cause="timeout") from error

    async def examine(self) -> BrowserIsolation:
        """Start the browser and report how it is sandboxed.

        Raises:
            Unavailable: It could not be started.
        """
        return await self._get_renderer().examine()

    async def aclose(self) -> None:
        if self._renderer is not None:
            await self._renderer.aclose()

    def _get_renderer(self) -> "Renderer":
        from sourcewright.reading.browser.renderer import Renderer

        if self._renderer is None:
            self._renderer = Renderer(self._path, self._requests, self._options)
        return self._renderer

    def _seconds_left(self) -> float:
        deadline = current_call.get().deadline
        most = self._options.page_seconds
        return most if deadline is None else min(most, deadline - SystemClock.monotonic())
