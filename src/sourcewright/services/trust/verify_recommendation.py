"""Audits recommendations: conflicts of interest, self-promotion, reputation, links, corroboration.

Pages and corroboration are looked up concurrently under one deadline. What could not be looked up
is listed, and never counts as a finding.
"""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import ResearchError
from sourcewright.base.links import LinkCheck
from sourcewright.base.urls.canonical import host_of
from sourcewright.base.urls.suffixes import registrable_domain
from sourcewright.domain.claims.evidence import evidence_for
from sourcewright.domain.sources.recommendations import (
    SelfPromotion,
    Stake,
    self_promotion,
    stake,
    without_rank,
)
from sourcewright.domain.web.hits import WebHit
from sourcewright.domain.web.lenses import KnowsReputations, Reputation
from sourcewright.domain.web.queries import Query
from sourcewright.services.pages.link_check import AT_ONCE as LINKS_AT_ONCE
from sourcewright.services.pages.link_check import LinkChecker
from sourcewright.services.pages.scrape_page import Scraper
from sourcewright.services.search.web_search import SearchOptions, WebSearch

Agreement = Literal["agree", "disagree", "silent"]

TOTAL_SECONDS: Final = 50.0
SEARCH_SECONDS: Final = 10.0
_SEARCHES_AT_ONCE: Final = 4
_PAGES_AT_ONCE: Final = 4
_MAX_QUERY: Final = 500
_LENSES: Final = ("news", "tech")
_RECORDS_LENS: Final = "investigative_records"
_ABOUT_COMPANIES: Final = re.compile(
    r"\b(?:compan(?:y|ies)|corporat\w*|lawsuits?|courts?|litigation|fraud|scandal|investigat\w*"
    r"|regulat\w*|fined|settlements?|sec filings?|antitrust|merger|acquisition|bankrupt\w*|owner"
    r"ship|shareholders?|earnings|revenue|compliance|recall(?:s|ed)?|class action|sued)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendedItem:
    """One item of a list."""

    title: str
    url: str | None = None
    author: str | None = None
    author_bio: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class RatedHit:
    """A search result, and what it says about the recommendation."""

    hit: WebHit
    agreement: Agreement
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Corroboration:
    """One search for independent sources."""

    lens: str
    query: str
    hits: tuple[RatedHit, ...] = ()
    problem: str | None = None
    """Why it could not be searched."""

    def count(self, agreement: Agreement) -> int:
        return sum(one.agreement == agreement for one in self.hits)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditedItem:
    """The result for one recommendation."""

    item: RecommendedItem
    promotion: SelfPromotion | None = None
    stake: Stake | None = None
    reputation: Reputation | None = None
    link: LinkCheck | None = None
    page_problem: str | None = None
    """Why the page could not be read for self-promotion."""
    corroboration: tuple[Corroboration, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendationAudit:
    """All items, and whether anything independent agrees with any of them."""

    items: tuple[AuditedItem, ...]
    claim: str | None = None

    @property
    def searches(self) -> list[Corroboration]:
        return [one for item in self.items for one in item.corroboration]

    @property
    def is_uncorroborated(self) -> bool:
        """Whether every search succeeded, and no result agrees."""
        searches = self.searches
        return bool(searches) and not any(one.problem or one.count("agree") for one in searches)


@dataclass(slots=True)
class _Lookups:
    """The results of the concurrent lookups so far, by position of the item."""

    links: dict[str, LinkCheck] = field(default_factory=dict)
    pages: dict[str, str] = field(default_factory=dict)
    page_problems: dict[str, str] = field(default_factory=dict)
    searches: dict[tuple[int, str], Corroboration] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RecommendationAuditor:
    """Audits lists of recommendations; it reports evidence and never a verdict."""

    links: LinkChecker
    scraper: Scraper
    web_search: WebSearch
    reputations: KnowsReputations
    clock: Clock

    async def audit(
        self, items: Sequence[RecommendedItem], claim: str | None, *, results: int
    ) -> RecommendationAudit:
        """Return the result for each item, within a fixed time."""
        lookups = _Lookups()
        urls = list(dict.fromkeys(item.url for item in items if item.url))
        lenses = self._lenses(claim)
        with time_limit(TOTAL_SECONDS, self.clock):
            await run_concurrently(
                [
                    self._look_at_all(urls, lookups),
                    self._search_all(items, claim, lenses, results, lookups),
                ]
            )
        audited = [self._audited(at, item, lenses, lookups) for at, item in enumerate(items)]
        return RecommendationAudit(items=tuple(audited), claim=claim)

    def _lenses(self, claim: str | None) -> tuple[str, ...]:
        if claim is None:
            return ()
        lenses = (*_LENSES, _RECORDS_LENS) if _ABOUT_COMPANIES.search(claim) else _LENSES
        return tuple(name for name in lenses if self.web_search.lenses.get(name) is not None)

    async def _look_at_all(self, urls: Sequence[str], lookups: _Lookups) -> None:
        """Check the links, and read each page as soon as its link is known to be there."""
        links, pages = asyncio.Semaphore(LINKS_AT_ONCE), asyncio.Semaphore(_PAGES_AT_ONCE)

        async def look_at(url: str) -> None:
            async with links:
                link = lookups.links[url] = await self.links.check_one(url)
            if link.state in ("dead", "unchecked"):
                lookups.page_problems[url] = link.problem or "the link is dead"
                return
            async with pages:
                await self._read(url, lookups)

        await run_concurrently([look_at(url) for url in urls])

    async def _read(self, url: str, lookups: _Lookups) -> None:
        if self._is_late():
            lookups.page_problems[url] = "not read before the deadline"
            return
        try:
            page = await self.scraper.reader.read(url)
            lookups.pages[url] = page.value.reading.content
        except ResearchError as error:
            lookups.page_problems[url] = str(error)

    async def _search_all(
        self,
        items: Sequence[RecommendedItem],
        claim: str | None,
        lenses: Sequence[str],
        results: int,
        lookups: _Lookups,
    ) -> None:
        slots, done, total = asyncio.Semaphore(_SEARCHES_AT_ONCE), 0, len(items) * len(lenses)

        async def search(at: int, item: RecommendedItem, lens: str) -> None:
            nonlocal done
            async with slots:
                lookups.searches[at, lens] = await self._search(item, claim or "", lens, results)
            done += 1
            words = f"searched for {item.title[:60]} in {lens}"
            await current_call.get().progress(words, done=done, total=total)

        # The first lens of every item comes before the second one of any.
        await run_concurrently(
            [search(at, item, lens) for lens in lenses for at, item in enumerate(items)]
        )

    async def _search(
        self, item: RecommendedItem, claim: str, lens: str, results: int
    ) -> Corroboration:
        title = without_rank(item.title)
        text = f"{title} {claim}"[:_MAX_QUERY].strip()
        if self._is_late():
            return Corroboration(lens=lens, query=text, problem="not searched before the deadline")
        query = Query(kind="web", text=text, limit=results)
        options = SearchOptions(lens=lens, notes_sources=False)
        try:
            with time_limit(SEARCH_SECONDS, self.clock):
                outcome = await self.web_search.search(query, options)
        except ResearchError as error:
            return Corroboration(lens=lens, query=text, problem=str(error))
        if outcome.results.doubt is not None:
            return Corroboration(lens=lens, query=text, problem=str(outcome.results.doubt))
        own = registrable_domain(host_of(item.url)) if item.url else None
        hits = [hit for hit in outcome.results.hits if registrable_domain(host_of(hit.url)) != own]
        rated = await asyncio.to_thread(lambda: tuple(_rated(hit, title, claim) for hit in hits))
        return Corroboration(lens=lens, query=text, hits=rated)

    def _is_late(self) -> bool:
        deadline = current_call.get().deadline
        return deadline is not None and self.clock.monotonic() >= deadline

    def _audited(
        self, at: int, item: RecommendedItem, lenses: Sequence[str], lookups: _Lookups
    ) -> AuditedItem:
        url = item.url
        promotion = None
        if url:
            promotion = self_promotion(item.title, url) or self_promotion(
                lookups.pages.get(url, ""), url
            )
        return AuditedItem(
            item=item,
            promotion=promotion,
            stake=stake(item.title, item.author_bio) if item.author_bio else None,
            reputation=self.reputations.rating_of(url) if url else None,
            link=lookups.links.get(url) if url else None,
            page_problem=lookups.page_problems.get(url) if url else None,
            corroboration=tuple(lookups.searches[at, lens] for lens in lenses),
        )


def _rated(hit: WebHit, title: str, claim: str) -> RatedHit:
    """Whether a result confirms or denies the claim; one about something else does neither."""
    text = f"{hit.title}. {hit.snippet}"
    evidence = evidence_for(text, f"{title} {claim}")
    agreement: Agreement = "silent"
    if evidence.contrast_signal is not None:
        is_about_item = evidence_for(text, title).status == "addressed"
        agreement = "disagree" if is_about_item else "silent"
    elif evidence.status == "addressed":
        agreement = "agree"
    sentence = evidence.signal.text if evidence.signal else ""
    return RatedHit(hit=hit, agreement=agreement, sentence=sentence)
