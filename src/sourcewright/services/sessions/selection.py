"""Which sources of a research session a bibliography, an audit or a report takes."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.users.sessions import SessionSource

Basis = Literal["used", "read", "found"]
_BASES: tuple[Basis, ...] = ("used", "read", "found")


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceSelection:
    """The sources that were used, or those that were read where none was used."""

    basis: Basis
    sources: tuple[SessionSource, ...]
    others: tuple[SessionSource, ...]
    """Those that are left out, rejected ones among them."""

    @property
    def note(self) -> str:
        """What was taken and what was left out, in a sentence."""
        taken = count_phrase(len(self.sources), "source")
        if not self.others:
            return f"{taken}, all that were {self.basis}."
        rejected = sum(one.use == "rejected" for one in self.others)
        words = f", {rejected} of them rejected" if rejected else ""
        return f"{taken} that were {self.basis}; {len(self.others)} others are left out{words}."


def select_sources(sources: Sequence[SessionSource]) -> SourceSelection:
    """Take the sources that were used; without any those that were read, or else found."""
    basis: Basis = next(
        (one for one in _BASES if any(source.use == one for source in sources)), "found"
    )
    return SourceSelection(
        basis=basis,
        sources=tuple(one for one in sources if one.use == basis),
        others=tuple(one for one in sources if one.use != basis),
    )
