"""The renderer: opens a page in the browser and returns its rendered HTML."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sourcewright.base.calls import current_call
from sourcewright.base.errors import Unavailable
from sourcewright.base.http_messages import BROWSER_HEADERS
from sourcewright.base.pages import BROWSER, BrowserIsolation, FetchedDocument
from sourcewright.reading.browser.chromium import BrowserOptions, LaunchConfig
from sourcewright.reading.browser.devtools import BrowserGone
from sourcewright.reading.browser.engine import BrowserNotStarted, RunningBrowser
from sourcewright.reading.browser.interception import MAX_SAME_PAGE, PageOpening
from sourcewright.reading.browser.lifecycle import BrowserLifecycle
from sourcewright.reading.browser.markup import (
    MAX_SERVED_BYTES,
    content_type_of,
    is_html,
    url_to_open,
    visit_of,
)
from sourcewright.reading.browser.page_requests import Subrequests

_MARGIN_SECONDS = 0.2
"""Reserved for reporting an error, if a page takes all its time."""


class Renderer:
    """Renders pages, several at once if needed. `aclose` stops the browser."""

    def __init__(self, path: str, requests: Subrequests, options: BrowserOptions) -> None:
        how = LaunchConfig(
            path=path,
            user_agent=BROWSER_HEADERS["user-agent"],
            without_network=options.without_network,
            process_bytes=options.process_bytes,
            profiles=options.profiles,
        )
        self.supply = BrowserLifecycle(
            how, idle_seconds=options.idle_seconds, pages=options.pages_per_browser
        )
        self._requests = requests
        self._options = options

    @staticmethod
    def can_show(served: FetchedDocument) -> bool:
        return is_html(served)

    async def show(
        self, url: str, served: FetchedDocument | None, *, until: float, patient: bool
    ) -> FetchedDocument:
        """Return a page after its scripts have run; `served` is its response, if fetched already.

        Raises:
            ResearchError: As documented by the port.
        """
        async with self._engine() as engine:
            left = until - asyncio.get_running_loop().time() - _MARGIN_SECONDS
            page_url = url_to_open(url, served)
            opening = PageOpening(
                url=page_url,
                body=None if served is None else served.body[:MAX_SERVED_BYTES],
                content_type="" if served is None else content_type_of(served),
                requests=self._requests.of_page(seconds=left),
                images=self._options.images,
                shows=_shows(url, served),
            )
            options = self._options
            quiet = options.patient_seconds if patient else options.quiet_seconds
            snapshot = min(options.snapshot_seconds, left / 3)
            async with engine.tab(opening, seconds=left) as tab:
                await tab.show(quiet_seconds=quiet, until=until - _MARGIN_SECONDS - snapshot)
                markup = await tab.take(seconds=snapshot)
        return visit_of(markup, page_url, served)

    async def examine(self) -> BrowserIsolation:
        """How the browser is sandboxed.

        Raises:
            Unavailable: It could not be started.
        """
        async with self._engine() as engine:
            return BrowserIsolation(
                version=engine.version,
                sandboxed=engine.how.sandboxed,
                without_network=engine.how.without_network,
                rightless=engine.how.user is not None,
            )

    async def aclose(self) -> None:
        await self.supply.aclose()

    @asynccontextmanager
    async def _engine(self) -> AsyncIterator[RunningBrowser]:
        try:
            async with self.supply.engine() as engine:
                yield engine
        except BrowserNotStarted as error:
            raise Unavailable(BROWSER, f"could not be started: {error}") from error
        except BrowserGone as error:
            raise Unavailable(BROWSER, "exited while it rendered the page") from error


def _shows(url: str, served: FetchedDocument | None) -> int:
    """How often a page is shown: once, and again if a request for it is left."""
    requests = current_call.get().page(url).remaining
    return min(MAX_SAME_PAGE, 1 + requests if served else max(1, requests))
