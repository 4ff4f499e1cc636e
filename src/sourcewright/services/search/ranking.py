"""Scores and ranks pages: filtered, without duplicate paragraphs, compared with a claim."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sourcewright.base.text.dates import date_of, timestamp_of
from sourcewright.base.urls.canonical import dedup_key
from sourcewright.domain.claims.evidence import evidence_for
from sourcewright.domain.sources.classification import (
    AuthorityTier,
    DomainCategory,
    SourceType,
    authority_tier,
    domain_category,
    source_type,
)
from sourcewright.domain.sources.deduplication import DeduplicatedText, Deduplicator
from sourcewright.domain.sources.scoring import (
    Score,
    authority,
    content_quality,
    freshness,
    relevance,
    word_count,
)
from sourcewright.domain.web.claims import ClaimEvidence
from sourcewright.domain.web.hits import WebHit
from sourcewright.domain.web.lenses import KnowsLenses, KnowsReputations, Reputation
from sourcewright.reading.markdown.sections import slice_text
from sourcewright.services.pages.attempts import PageRead
from sourcewright.services.pages.scrape_page import PageNotice

_SPARSE_WORDS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadHit:
    """A search hit whose page was read."""

    hit: WebHit
    read: PageRead
    notice: PageNotice


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredPage:
    """A page that was read, with its scores."""

    page: ReadHit
    title: str
    score: Score
    kind: SourceType
    tier: AuthorityTier
    field: DomainCategory
    rating: Reputation | None
    published: str | None
    """RFC 3339 in UTC, or only the year or month if no more is known."""
    modified: str | None
    words: int

    @property
    def url(self) -> str:
        """The URL in the search results."""
        return self.page.hit.url

    @property
    def is_sparse(self) -> bool:
        return self.words < _SPARSE_WORDS


def score_page(
    page: ReadHit,
    query: str,
    lenses: KnowsLenses,
    reputations: KnowsReputations,
    now: float,
) -> ScoredPage:
    """Score a page. Linear in its length: call it in a thread, not in the event loop."""
    reading, at = page.read.reading, page.read.url
    kind, rating = source_type(at, reading.embedded), reputations.rating_of(at)
    title, words = reading.title or page.hit.title, word_count(reading.content)
    published, modified = _published(page, now), timestamp_of(reading.modified, now=now)
    score = Score(
        relevance=relevance(query, title=title, text=reading.content),
        freshness=_freshness((published, modified), now),
        authority=authority(at, kind, rating),
        content=content_quality(reading.content, words=words),
    )
    return ScoredPage(
        page=page,
        title=title,
        score=score,
        kind=kind,
        tier=authority_tier(at, kind, rating),
        field=domain_category(at, lenses),
        rating=rating,
        published=published,
        modified=modified,
        words=words,
    )


def _freshness(dates: Iterable[str | None], now: float) -> float:
    """Score the latest date; a date in the future counts nothing, and does not hide another."""
    known = [freshness(date, now=now) for date in dates if date]
    return max(known, default=freshness(None, now=now))


def _published(page: ReadHit, now: float) -> str | None:
    """Return the date of the page, else of the search engine, else a year or month."""
    declared = page.read.reading.published
    return timestamp_of(declared, now=now) or page.hit.published or _year_or_month(declared, now)


def _year_or_month(declared: str | None, now: float) -> str | None:
    """Return a year or month; None for a full date, which `timestamp_of` has rejected before."""
    date = date_of(declared)
    if date is None or len(date) == len("2020-03-09"):
        return None
    return date if int(date[:4]) <= datetime.fromtimestamp(now, UTC).year + 1 else None


MIN_RELEVANCE = 0.3
"""Pages below this relevance are left out if `filter_by_query` is set."""
MAX_EVIDENCE_CHARACTERS = 100_000
"""Characters of a source that are searched for evidence: half a second at worst."""
_RULE = "\n\n---\n\n"
_ADDRESS_LINE = re.compile(
    r"^([ \t]*)(?=<https?://[^\s<>]*>[ \t]*$)", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class RankingOptions:
    """Options of the ranking."""

    claim: str | None
    filter_by_query: bool
    deduplicate: bool
    most_per_source: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RankedSource:
    """A ranked source, with the part of its text that is returned."""

    rated: ScoredPage
    text: DeduplicatedText
    evidence: ClaimEvidence | None
    """Evidence in the returned text, with positions there."""
    claimed: ClaimEvidence | None
    """Evidence in its full text, including paragraphs already returned for another source."""
    unweighed: bool = False
    """Whether there was no time to compare it with the claim."""
    same_as: str | None = None
    """URL of a better ranked source that led to the same page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The sources, best first, and their combined text."""

    sources: tuple[RankedSource, ...]
    left_out: tuple[ScoredPage, ...]
    """Pages that were read and are not relevant enough."""
    combined: str
    cut: bool
    """Whether the combined text was truncated."""


def rank_pages(
    pages: Sequence[ScoredPage], options: RankingOptions, has_time: Callable[[], bool]
) -> Ranking:
    """Rank the pages. Linear in their length: call it in a thread, not in the event loop.

    The claim takes longest: once `has_time` returns False, no source is compared with it.
    """
    passed, left_out = list[ScoredPage](), list[ScoredPage]()
    # The sort is stable: equal scores keep the order of the search.
    for one in sorted(pages, key=lambda page: -page.score.overall):
        fits = not options.filter_by_query or one.score.relevance >= MIN_RELEVANCE
        (passed if fits else left_out).append(one)
    deduplicator = Deduplicator(most=options.most_per_source, deduplicate=options.deduplicate)
    first = dict[str, str]()
    sources = tuple(
        replace(_ranked(one, deduplicator, options, has_time), same_as=_same_as(one, first))
        for one in passed
    )
    whole = _RULE.join(_passage(one) for one in sources if one.text.content)
    part = slice_text(whole, most=options.most)
    return Ranking(
        sources=sources,
        left_out=tuple(left_out),
        combined=part.text,
        cut=part.next_offset is not None,
    )


def _same_as(rated: ScoredPage, first: dict[str, str]) -> str | None:
    """Return the URL of an earlier source that led to the same page, if any."""
    url = first.setdefault(dedup_key(rated.page.read.url), rated.url)
    return url if url != rated.url else None


def _ranked(
    rated: ScoredPage,
    deduplicator: Deduplicator,
    options: RankingOptions,
    has_time: Callable[[], bool],
) -> RankedSource:
    text = rated.page.read.reading.content
    distilled = deduplicator.deduplicate(text)
    if not options.claim or not has_time():
        return RankedSource(
            rated=rated, text=distilled, evidence=None, claimed=None, unweighed=bool(options.claim)
        )
    here = whole = evidence_for(distilled.content[:MAX_EVIDENCE_CHARACTERS], options.claim)
    if distilled.repeated:
        alone = slice_text(text, most=options.most_per_source).text
        whole = evidence_for(alone[:MAX_EVIDENCE_CHARACTERS], options.claim)
    return RankedSource(rated=rated, text=distilled, evidence=here, claimed=whole)


def _passage(source: RankedSource) -> str:
    """Format a source for the combined text: its URL, its title unless included, its content.

    A URL on a line of its own starts a source, so such lines inside the content are escaped:
    no page can present its text as that of another source.
    """
    content = _ADDRESS_LINE.sub(r"\1\\", source.text.content.strip())
    title = " ".join(source.rated.title.split())
    head = f"# {title}\n\n" if title and not content.startswith("# ") else ""
    return f"<{source.rated.url}>\n\n{head}{content}"
