"""The use case of `search_and_scrape`: searches, reads several pages at once, in the deadline.

Searches and readings go through the caches of the tools that search and read, so that neither
is paid for twice. A page that fails, or that time did not suffice for, is part of the account.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sourcewright.domain.calls import current_call, hurried
from sourcewright.domain.errors import ResearchError, Unavailable
from sourcewright.domain.finds import WebHit
from sourcewright.domain.pages import SOURCE
from sourcewright.domain.ports import Clock
from sourcewright.domain.queries import Query
from sourcewright.domain.readings import Tried
from sourcewright.logic.pages.failures import unread, word_for
from sourcewright.logic.text.phrases import counted
from sourcewright.services.inquiry import together
from sourcewright.services.pages.scrape_page import Scraper
from sourcewright.services.search.ranking import Opened, Rated, rate
from sourcewright.services.search.web_search import Looked, Looker, Wish

AT_ONCE = 5
SECONDS = 60.0
SPARE_SECONDS = 8.0
"""Kept of the call's time for what is made of the pages."""
_TELLING_SECONDS = 3.0
"""And of that, for putting it into words."""
_GRACE_SECONDS = 2.0
"""Lets a reading that ends with its time give what it has, or say itself how it ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Missed:
    """A page that was found and could not be read."""

    hit: WebHit
    error: ResearchError


@dataclass(frozen=True, slots=True, kw_only=True)
class Gathered:
    """What a search found, and what became of each page."""

    looked: Looked
    pages: tuple[Rated, ...]
    """Those that were read, in the order of the search."""
    missed: tuple[Missed, ...]
    session_known: bool | None
    started: float
    """On the monotonic clock."""
    until: float
    """On the same, when no more may be begun that takes long."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gatherer:
    """Searches, and reads what is found."""

    looker: Looker
    scraper: Scraper
    clock: Clock
    recommends: bool
    """Whether the best of the sources are pointed out."""
    formats: bool
    """Whether sources are also given in forms that a client can show as they are."""

    async def gather(self, query: Query, wish: Wish) -> Gathered:
        """Search as wished, and read every page that is found.

        Raises:
            InvalidInput: There is no such lens.
            NotConfigured: The engine that was asked for cannot be asked.
            Unanswered: No engine answered.
        """
        started = self.clock.monotonic()
        deadline = current_call.get().deadline
        end = started + SECONDS if deadline is None else deadline
        # Counted from the first message on, because progress may only grow.
        await current_call.get().progress(f"searching {query.text}", done=0, total=query.limit)
        # A session is told of what was read, once, and not of every hit.
        looked = await self.looker.look(query, replace(wish, session_id=None))
        outcomes = await self._read_all(looked.searched.hits, query.text, end - SPARE_SECONDS)
        pages = tuple(one for one in outcomes if isinstance(one, Rated))
        return Gathered(
            looked=looked,
            pages=pages,
            missed=tuple(one for one in outcomes if isinstance(one, Missed)),
            session_known=await self._link(wish, pages),
            started=started,
            until=end - _TELLING_SECONDS,
        )

    async def _read_all(
        self, hits: Sequence[WebHit], question: str, until: float
    ) -> list[Rated | Missed]:
        room, done = asyncio.Semaphore(AT_ONCE), 0
        tell = current_call.get().progress

        async def read(hit: WebHit) -> Rated | Missed:
            nonlocal done
            outcome: Rated | Missed | Opened = await self._read(hit, room, until)
            if isinstance(outcome, Opened):
                # While others are still read, and without keeping anybody waiting.
                known, now = self.scraper.reputations, self.clock.now()
                outcome = await asyncio.to_thread(rate, outcome, question, known, now)
            done += 1
            words = "read" if isinstance(outcome, Rated) else "could not read"
            await tell(f"{words} {hit.url}", done=done, total=len(hits))
            return outcome

        if hits:
            await tell(f"reading {counted(len(hits), 'page')}")
        return await together([read(hit) for hit in hits])

    async def _read(self, hit: WebHit, room: asyncio.Semaphore, until: float) -> Opened | Missed:
        left = max(0.0, until - self.clock.monotonic())
        try:
            with hurried(left, self.clock):
                async with asyncio.timeout(left + _GRACE_SECONDS) as limit, room:
                    read = (await self.scraper.reader.read(hit.url)).value
                noted = await self.scraper.noted(hit.url, read)
        except ResearchError as error:
            return Missed(hit=hit, error=error)
        except TimeoutError:
            if not limit.expired():
                raise
            return Missed(hit=hit, error=_too_late(hit.url))
        return Opened(hit=hit, read=read, noted=noted)

    async def _link(self, wish: Wish, pages: Sequence[Rated]) -> bool | None:
        if wish.session_id is None:
            return None
        urls = [one.url for one in pages]
        return await self.scraper.sessions.link(wish.session_id, tool=wish.tool, urls=urls)


def _too_late(url: str) -> ResearchError:
    error = Unavailable(SOURCE, "not read before the time of the call was up", cause="timeout")
    return unread(url, [(Tried(tier="deadline", outcome=word_for(error)), error)])
