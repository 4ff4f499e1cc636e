"""What was gathered, best first: scored, filtered, told once, and weighed against a claim."""

from collections.abc import Sequence
from dataclasses import dataclass

from sourcewright.domain.claims import ClaimEvidence
from sourcewright.domain.lenses import KnowsReputations, Rating
from sourcewright.logic.classifying import (
    AuthorityTier,
    DomainCategory,
    SourceType,
    authority_tier,
    domain_category,
    source_type,
)
from sourcewright.logic.clipping import part_of
from sourcewright.logic.dating import date_of
from sourcewright.logic.distilling import Distilled, Teller
from sourcewright.logic.relating import relevance
from sourcewright.logic.scoring import Score, authority, content_quality, freshness, word_count
from sourcewright.logic.timing import timestamp_of
from sourcewright.logic.weighing.evidence import evidence_for
from sourcewright.services.gathering import Opened

LEAST_RELEVANCE = 0.3
"""What speaks of less of the question is left out, where that is wanted."""
WEIGHED = 200_000
"""Characters of a source in which evidence is looked for."""
_SPARSE_WORDS = 150
_RULE = "\n\n---\n\n"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be made of the pages."""

    query: str
    claim: str | None
    filter_by_query: bool
    deduplicate: bool
    most_per_source: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Rated:
    """A page, and everything by which it is ranked."""

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
    def is_sparse(self) -> bool:
        return self.words < _SPARSE_WORDS


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """A source in its place, with what is told of it."""

    rated: Rated
    told: Distilled
    evidence: ClaimEvidence | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """The sources, best first, and all of them in one text."""

    sources: tuple[Ranked, ...]
    left_out: tuple[Rated, ...]
    """Pages that were read and speak of too little of the question."""
    combined: str
    cut: bool
    """Whether a limit ended the one text before its end."""


def rank(
    pages: Sequence[Opened], wanted: Wanted, reputations: KnowsReputations, *, now: float
) -> Ranking:
    """Put the pages in order. Takes as long as they are: never call it where others wait."""
    rated = [_rate(page, wanted.query, reputations, now) for page in pages]
    # A stable sort: of two alike the one that the search had first stays first.
    rated.sort(key=lambda one: -one.score.overall)
    passed, left_out = list[Rated](), list[Rated]()
    for one in rated:
        fits = not wanted.filter_by_query or one.score.relevance >= LEAST_RELEVANCE
        (passed if fits else left_out).append(one)
    teller = Teller(most=wanted.most_per_source, deduplicate=wanted.deduplicate)
    sources = tuple(_told(one, teller, wanted.claim) for one in passed)
    whole = _RULE.join(_passage(one) for one in sources if one.told.content)
    part = part_of(whole, most=wanted.most)
    return Ranking(
        sources=sources,
        left_out=tuple(left_out),
        combined=part.text,
        cut=part.next_offset is not None,
    )


def _rate(page: Opened, query: str, reputations: KnowsReputations, now: float) -> Rated:
    reading, at = page.read.reading, page.read.url
    kind, rating = source_type(at, reading.embedded), reputations.rating_of(at)
    title, words = reading.title or page.hit.title, word_count(reading.content)
    published, modified = _published(page, now), timestamp_of(reading.modified, now=now)
    score = Score(
        relevance=relevance(query, title=title, text=reading.content),
        freshness=freshness(max(filter(None, (published, modified)), default=None), now=now),
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


def _published(page: Opened, now: float) -> str | None:
    """What the page says, or what the search engine does; a mere year where nobody says more."""
    said = page.read.reading.published
    return timestamp_of(said, now=now) or page.hit.published or date_of(said)


def _told(rated: Rated, teller: Teller, claim: str | None) -> Ranked:
    told = teller.tell(rated.page.read.reading.content)
    evidence = evidence_for(told.content[:WEIGHED], claim) if claim else None
    return Ranked(rated=rated, told=told, evidence=evidence)


def _passage(source: Ranked) -> str:
    """A source in the one text, under its address and, where it does not say it, its title."""
    content = source.told.content.strip()
    title = " ".join(source.rated.title.split())
    head = f"# {title}\n\n" if title and not content.startswith("# ") else ""
    return f"<{source.rated.page.hit.url}>\n\n{head}{content}"
