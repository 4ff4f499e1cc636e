"""Everything by which a page is ranked, found out as soon as it has been read."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from sourcewright.domain.finds import WebHit
from sourcewright.domain.lenses import KnowsReputations, Rating
from sourcewright.domain.works import Notice
from sourcewright.logic.classifying import (
    AuthorityTier,
    DomainCategory,
    SourceType,
    authority_tier,
    domain_category,
    source_type,
)
from sourcewright.logic.dating import date_of
from sourcewright.logic.relating import relevance
from sourcewright.logic.scoring import Score, authority, content_quality, freshness, word_count
from sourcewright.logic.timing import timestamp_of
from sourcewright.services.climbing import Read

_SPARSE_WORDS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A page that was found and read."""

    hit: WebHit
    read: Read
    doi: str | None
    notice: Notice | None
    """The gravest notice about the page's paper; None where none is known."""


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
