"""Search lenses, which restrict a search to part of the web, and the reputation of hosts."""

from dataclasses import dataclass
from typing import Literal, Protocol

Tier = Literal["high", "mixed", "low"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Lens:
    """A named part of the web: a list of hosts, or a search engine restricted to them."""

    name: str
    description: str
    domains: tuple[str, ...] = ()
    """Hosts, each with or without a path."""
    cx: str | None = None
    """The id of a Google Programmable Search engine for this lens."""
    goggle: str | None = None
    """The URL of ranking rules for Brave Search."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reputation:
    """Reputation of the host."""

    tier: Tier
    basis: str
    """The public rule that it is based on."""
    note: str | None = None


class KnowsLenses(Protocol):
    """The lenses of this instance."""

    def names(self) -> list[str]: ...

    def get(self, name: str) -> Lens | None: ...

    @property
    def flaws(self) -> tuple[str, ...]:
        """Validation errors of the operator's own entries, which were left out."""


class KnowsReputations(Protocol):
    """Ratings of hosts; most hosts have none."""

    def rating_of(self, url: str) -> Reputation | None: ...

    @property
    def flaws(self) -> tuple[str, ...]:
        """Validation errors of the operator's own entries, which were left out."""
