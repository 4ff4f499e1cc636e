"""The renderer: opens a page in the browser and returns its rendered HTML."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sourcewright.domain.errors import Unavailable
from sourcewright.domain.pages import BROWSER, Confinement, Visit
from sourcewright.net.browsing import IDENTITY
from sourcewright.net.subrequests import Subrequests
from sourcewright.readers.browser.chromium import Launch, Options
from sourcewright.readers.browser.devtools import Gone
from sourcewright.readers.browser.engine import Engine, NotStarted
from sourcewright.readers.browser.interception import Opening
from sourcewright.readers.browser.lifecycle import Supply
from sourcewright.readers.browser.markup import (
    LONGEST_SERVED,
    Markup,
    content_type_of,
    is_markup,
    place_of,
    visit_of,
)

_SNAPSHOT_SECONDS = 6.0
_MARGIN_SECONDS = 0.2
"""Reserved for reporting an error, if a page takes all its time."""


class Showing:
    """Renders pages, several at once if needed. `aclose` stops the browser."""

    def __init__(self, path: str, requests: Subrequests, options: Options) -> None:
        how = Launch(
            path=path,
            user_agent=IDENTITY["user-agent"],
            unplugged=options.unplugged,
            process_bytes=options.process_bytes,
        )
        self.supply = Supply(
            how, idle_seconds=options.idle_seconds, pages=options.pages_per_browser
        )
        self._requests = requests
        self._options = options

    @staticmethod
    def can_show(served: Visit) -> bool:
        return is_markup(served)

    async def show(self, url: str, served: Visit | None, *, until: float, patient: bool) -> Visit:
        """Return a page after its scripts have run; `served` is its response, if fetched already.

        Raises:
            ResearchError: As documented by the port.
        """
        async with self._engine() as engine:
            left = until - asyncio.get_running_loop().time() - _MARGIN_SECONDS
            page_url = place_of(url, served)
            opening = Opening(
                url=page_url,
                body=None if served is None else served.body[:LONGEST_SERVED],
                content_type="" if served is None else content_type_of(served),
                requests=self._requests.of_page(seconds=left),
                images=self._options.images,
            )
            options = self._options
            quiet = options.patient_seconds if patient else options.quiet_seconds
            markup = await _render(engine, opening, left, quiet_seconds=quiet)
        return visit_of(markup, page_url, served)

    async def examine(self) -> Confinement:
        """How the browser is sandboxed.

        Raises:
            Unavailable: It could not be started.
        """
        async with self._engine() as engine:
            return Confinement(
                version=engine.version,
                sandboxed=engine.how.sandboxed,
                unplugged=engine.how.unplugged,
                rightless=engine.how.user is not None,
            )

    async def aclose(self) -> None:
        await self.supply.aclose()

    @asynccontextmanager
    async def _engine(self) -> AsyncIterator[Engine]:
        try:
            async with self.supply.engine() as engine:
                yield engine
        except NotStarted as error:
            raise Unavailable(BROWSER, f"could not be started: {error}") from error
        except Gone as error:
            raise Unavailable(BROWSER, "ended while it showed the page") from error


async def _render(
    engine: Engine, opening: Opening, seconds: float, *, quiet_seconds: float
) -> Markup:
    snapshot_seconds = min(_SNAPSHOT_SECONDS, seconds / 3)
    until = asyncio.get_running_loop().time() + seconds - snapshot_seconds
    async with engine.tab(opening, seconds=seconds) as tab:
        await tab.show(quiet_seconds=quiet_seconds, until=until)
        return await tab.take(seconds=snapshot_seconds)
