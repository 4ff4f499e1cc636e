"""Search lenses, which restrict a search to part of the web, and the reputation of hosts."""

from dataclasses import dataclass
from typing import Literal, Protocol

Tier = Literal["high", "mixed", "low"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """A part of the web by name: hosts, or a search engine that knows only them."""

    name: str
    description: str
    domains: tuple[str, ...] = ()
    """Hosts, each with or without a path."""
    cx: str | None = None
    """A Google Programmable Search engine made for it."""
    goggle: str | None = None
    """Where rules are for Brave to rank by."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rating:
    """How reliable a host is known to be, and by which public rule."""

    tier: Tier
    basis: str
    note: str | None = None


class KnowsLenses(Protocol):
    """The lenses of this instance."""

    def names(self) -> list[str]: ...

    def get(self, name: str) -> Lens | None: ...

    @property
    def flaws(self) -> tuple[str, ...]:
        """What was left out of the operator's own, and why."""


class KnowsReputations(Protocol):
    """What is known of hosts; of most of them nothing is."""

    def rating_of(self, url: str) -> Rating | None: ...

    @property
    def flaws(self) -> tuple[str, ...]:
        """What was left out of the operator's own, and why."""
