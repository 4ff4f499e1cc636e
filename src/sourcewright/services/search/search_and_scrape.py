"""Use case of `search_and_scrape`: searches, and reads the results within the deadline.

It shares the caches of `web_search` and `scrape_page`. A page that fails or times out is listed
with its error.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, replace

from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import ResearchError, Unavailable
from sourcewright.base.failure_details import failure_detail
from sourcewright.base.pages import SOURCE
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.calls import note_outcome, note_source
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.domain.web.hits import WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.reading.readings import ReadAttempt
from sourcewright.services.pages.failures import page_failure
from sourcewright.services.pages.scrape_page import SCRAPER, Scraper, page_source
from sourcewright.services.search.ranking import Ranking, ReadHit, ScoredPage, score_page
from sourcewright.services.search.web_search import SearchOptions, SearchOutcome, WebSearch

MAX_CONCURRENT = 5
CALL_SECONDS = 60.0
RANKING_SECONDS = 8.0
"""Reserved of the call's deadline for ranking the pages."""
_RESPONSE_SECONDS = 3.0
"""Part of that reserved for building the response."""
_GRACE_SECONDS = 2.0
"""Lets a read that reaches its deadline return a partial result or its own error."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedPage:
    """A search hit whose page could not be read."""

    hit: WebHit
    error: ResearchError


@dataclass(frozen=True, slots=True, kw_only=True)
class GatheredPages:
    """Search results, and the outcome of reading each page."""

    outcome: SearchOutcome
    pages: tuple[ScoredPage, ...]
    """Pages that were read, in the order of the search."""
    failed: tuple[FailedPage, ...]
    started: float
    """Start of the call on the monotonic clock."""
    until: float
    """Monotonic time after which no long computation may start."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchAndScrape:
    """Searches, and reads the pages of the results."""

    web_search: WebSearch
    scraper: Scraper
    clock: Clock
    recommends: bool
    """Whether to recommend the best sources."""
    formats: bool
    """Whether to return sources also in formats that a client can display directly."""

    async def gather(self, query: Query, options: SearchOptions) -> GatheredPages:
        """Search, and read the page of every result.

        Raises:
            InvalidInput: There is no such lens.
            NotConfigured: The requested engine is unusable.
            NoSourceAnswered: No engine responded.
        """
        started = self.clock.monotonic()
        deadline = current_call.get().deadline
        end = started + CALL_SECONDS if deadline is None else deadline
        # With a count from the first message on, because progress values must increase.
        await current_call.get().progress(f"searching {query.text}", done=0, total=query.limit)
        # The sources are the pages that were read, not every hit.
        outcome = await self.web_search.search(query, replace(options, notes_sources=False))
        outcomes = await self._read_all(outcome.results.hits, query.text, end - RANKING_SECONDS)
        _note(outcomes)
        pages = tuple(one for one in outcomes if isinstance(one, ScoredPage))
        return GatheredPages(
            outcome=outcome,
            pages=pages,
            failed=tuple(one for one in outcomes if isinstance(one, FailedPage)),
            started=started,
            until=end - _RESPONSE_SECONDS,
        )

    async def _read_all(
        self, hits: Sequence[WebHit], question: str, until: float
    ) -> list[ScoredPage | FailedPage]:
        slots, done = asyncio.Semaphore(MAX_CONCURRENT), 0
        tell = current_call.get().progress

        async def read(hit: WebHit) -> ScoredPage | FailedPage:
            nonlocal done
            outcome: ScoredPage | FailedPage | ReadHit = await self._read(hit, slots, until)
            if isinstance(outcome, ReadHit):
                # In a thread, while other pages are still being read.
                known = self.scraper.lenses, self.scraper.reputations
                now = self.clock.now()
                outcome = await asyncio.to_thread(score_page, outcome, question, *known, now)
            done += 1
            words = "read" if isinstance(outcome, ScoredPage) else "could not read"
            await tell(f"{words} {hit.url}", done=done, total=len(hits))
            return outcome

        if hits:
            await tell(f"reading {count_phrase(len(hits), 'page')}")
        return await run_concurrently([read(hit) for hit in hits])

    async def _read(
        self, hit: WebHit, slots: asyncio.Semaphore, until: float
    ) -> ReadHit | FailedPage:
        seconds_left = max(0.0, until - self.clock.monotonic())
        try:
            with time_limit(seconds_left, self.clock):
                async with asyncio.timeout(seconds_left + _GRACE_SECONDS) as limit, slots:
                    read = (await self.scraper.reader.read(hit.url)).value
                notice = await self.scraper.notice(hit.url, read)
        except ResearchError as error:
            return FailedPage(hit=hit, error=error)
        except TimeoutError:
            if not limit.expired():
                raise
            return FailedPage(hit=hit, error=_timed_out(hit.url))
        return ReadHit(hit=hit, read=read, notice=notice)


def _note(outcomes: Sequence[ScoredPage | FailedPage]) -> None:
    """Record the pages that were read, and those that could not be read, in the research session."""
    for one in outcomes:
        if isinstance(one, FailedPage):
            note_outcome(SCRAPER, one.error, url=one.hit.url)
        else:
            note_source(page_source(one.url, one.page.read, one.page.notice))
            note_outcome(SCRAPER, url=one.url)


def note_evidence(ranking: Ranking) -> None:
    """Record in the research session which pages were used for the claim."""
    for one in ranking.sources:
        if one.claimed is not None and one.claimed.status != "not_addressed":
            note_source(SessionSource(url=one.rated.url, use="used"))


def _timed_out(url: str) -> ResearchError:
    error = Unavailable(SOURCE, "not read before the deadline of the call", cause="timeout")
    return page_failure(
        url, [(ReadAttempt(tier="deadline", outcome=failure_detail(error)), error)]
    )
