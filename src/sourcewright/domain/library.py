"""Answers of the library about the papers that it holds: search results, recent entries."""

from dataclasses import dataclass
from typing import NamedTuple

from sourcewright.domain.works import Notice


class Listed(NamedTuple):
    """A paper in a list; a tuple, because every search makes many at once."""

    key: str
    title: str
    year: int | None
    fetched_at: str | None
    doi: str | None = None
    authors: tuple[str, ...] = ()
    notices: tuple[Notice, ...] = ()
    notices_checked_at: str | None = None
    notices_checked_by: tuple[str, ...] = ()


class Hit(NamedTuple):
    """A paper that a search found, and why."""

    paper: Listed
    score: float
    """Higher is better; comparable within one answer alone."""
    snippet: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a search found, best first."""

    hits: tuple[Hit, ...]
    capped: bool = False
    """So many papers match that only the newest of them were ranked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Damage:
    """What of the library could not be read, and so is in no list and no answer."""

    count: int = 0
    unreadable: tuple[tuple[str, str], ...] = ()
    """The first of the entries that could not be read, with the reason."""
    problem: str | None = None
    """What is wrong with the library as a whole."""

    def __bool__(self) -> bool:
        return bool(self.count or self.problem)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reindexed:
    """How many files the index holds now, and those that could not be read, with the reason."""

    papers: int
    unreadable: tuple[tuple[str, str], ...]
