"""Ranks sources: filtered, without duplicates, weighed against a claim.

Everything by which a page is ranked, found out as soon as it has been read.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from sourcewright.domain.claims import ClaimEvidence
from sourcewright.domain.finds import WebHit
from sourcewright.domain.lenses import KnowsReputations, Rating
from sourcewright.logic.claims.evidence import evidence_for
from sourcewright.logic.markdown.sections import part_of
from sourcewright.logic.sources.classification import (
    AuthorityTier,
    DomainCategory,
    SourceType,
    authority_tier,
    domain_category,
    source_type,
)
from sourcewright.logic.sources.deduplication import Distilled, Teller
from sourcewright.logic.sources.scoring import (
    Score,
    authority,
    content_quality,
    freshness,
    relevance,
    word_count,
)
from sourcewright.logic.text.dates import date_of, timestamp_of
from sourcewright.logic.urls.canonical import identity
from sourcewright.services.pages.attempts import Read
from sourcewright.services.pages.scrape_page import Noted

_SPARSE_WORDS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A page that was found and read."""

    hit: WebHit
    read: Read
    noted: Noted


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A page that was read, and how much it promises."""

    page: Opened
    title: str
    score: Score
    kind: SourceType
    tier: AuthorityTier
    field: DomainCategory
    rating: Rating | None
    published: str | None
    """RFC 3339 in UTC, or as much of the date as is known."""
    modified: str | None
    words: int

    @property
    def url(self) -> str:
        """Where the search found it."""
        return self.page.hit.url

    @property
    def is_sparse(self) -> bool:
        return self.words < _SPARSE_WORDS


def rate(page: Opened, query: str, reputations: KnowsReputations, now: float) -> Rated:
    """Rate a page. Takes as long as the page is: never call it where others wait."""
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
    return Rated(
        page=page,
        title=title,
        score=score,
        kind=kind,
        tier=authority_tier(at, kind, rating),
        field=domain_category(at),
        rating=rating,
        published=published,
        modified=modified,
        words=words,
    )


def _freshness(dates: Iterable[str | None], now: float) -> float:
    """By the latest: a date that lies ahead says nothing, and hides none that is known."""
    known = [freshness(date, now=now) for date in dates if date]
    return max(known, default=freshness(None, now=now))


def _published(page: Opened, now: float) -> str | None:
    """What the page says, or what the search engine does; a mere year where nobody says more."""
    said = page.read.reading.published
    return timestamp_of(said, now=now) or page.hit.published or _roughly(said, now)


def _roughly(said: str | None, now: float) -> str | None:
    """A year or a month; a whole date that is no moment is one that was never meant."""
    date = date_of(said)
    if date is None or len(date) == len("2020-03-09"):
        return None
    return date if int(date[:4]) <= datetime.fromtimestamp(now, UTC).year + 1 else None


LEAST_RELEVANCE = 0.3
"""What speaks of less of the question is left out, where that is wanted."""
WEIGHED = 100_000
"""Characters of a source in which evidence is looked for: half a second's work at the worst."""
_RULE = "\n\n---\n\n"
_ADDRESS_LINE = re.compile(
    r"^([ \t]*)(?=<https?://[^\s<>]*>[ \t]*$)", re.IGNORECASE | re.MULTILINE
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be made of the pages."""

    claim: str | None
    filter_by_query: bool
    deduplicate: bool
    most_per_source: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A source in its place, with what is told of it."""

    rated: Rated
    told: Distilled
    evidence: ClaimEvidence | None
    """What is told of it holds this, at these places."""
    claimed: ClaimEvidence | None
    """What it says by itself, also in paragraphs that were told of another source."""
    unweighed: bool = False
    """Whether time did not suffice for the claim."""
    same_as: str | None = None
    """Where a better one stands that led to the same page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The sources, best first, and all of them in one text."""

    sources: tuple[Ranked, ...]
    left_out: tuple[Rated, ...]
    """Pages that were read and speak of too little of the question."""
    combined: str
    cut: bool
    """Whether a limit ended the one text before its end."""


def rank(pages: Sequence[Rated], wanted: Wanted, has_time: Callable[[], bool]) -> Ranking:
    """Put the pages in order. Takes as long as they are: never call it where others wait.

    A claim takes longest: no source is weighed against it once `has_time` says no.
    """
    passed, left_out = list[Rated](), list[Rated]()
    # The sort is stable: of two alike the one that the search had first stays first.
    for one in sorted(pages, key=lambda page: -page.score.overall):
        fits = not wanted.filter_by_query or one.score.relevance >= LEAST_RELEVANCE
        (passed if fits else left_out).append(one)
    teller = Teller(most=wanted.most_per_source, deduplicate=wanted.deduplicate)
    first = dict[str, str]()
    sources = tuple(
        replace(_told(one, teller, wanted, has_time), same_as=_same_as(one, first))
        for one in passed
    )
    whole = _RULE.join(_passage(one) for one in sources if one.told.content)
    part = part_of(whole, most=wanted.most)
    return Ranking(
        sources=sources,
        left_out=tuple(left_out),
        combined=part.text,
        cut=part.next_offset is not None,
    )


def _same_as(rated: Rated, first: dict[str, str]) -> str | None:
    """Which source before it led to the same page, if one did."""
    url = first.setdefault(identity(rated.page.read.url), rated.url)
    return url if url != rated.url else None


def _told(rated: Rated, teller: Teller, wanted: Wanted, has_time: Callable[[], bool]) -> Ranked:
    text = rated.page.read.reading.content
    told = teller.tell(text)
    if not wanted.claim or not has_time():
        return Ranked(
            rated=rated, told=told, evidence=None, claimed=None, unweighed=bool(wanted.claim)
        )
    here = whole = evidence_for(told.content[:WEIGHED], wanted.claim)
    if told.repeated:
        alone = part_of(text, most=wanted.most_per_source).text
        whole = evidence_for(alone[:WEIGHED], wanted.claim)
    return Ranked(rated=rated, told=told, evidence=here, claimed=whole)


def _passage(source: Ranked) -> str:
    """A source in the one text, under its address and, where it does not say it, its title.

    An address on a line of its own begins a source, so a page's own ones are marked as text:
    no page can give out what it says for another's.
    """
    content = _ADDRESS_LINE.sub(r"\1\\", source.told.content.strip())
    title = " ".join(source.rated.title.split())
    head = f"# {title}\n\n" if title and not content.startswith("# ") else ""
    return f"<{source.rated.url}>\n\n{head}{content}"
