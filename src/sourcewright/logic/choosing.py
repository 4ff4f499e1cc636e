"""Picks, out of what a search found, what was asked for, and the places where it can be read."""

from collections.abc import Iterable, Sequence
from typing import Any
from urllib.parse import urlsplit

from sourcewright.domain.works import Copy, Work
from sourcewright.logic.counting import counted
from sourcewright.logic.gleaning import same_doi


def about_doi(works: Sequence[Work], doi: str, *, total: Any) -> tuple[Work, ...]:
    """The records about this DOI: a hit with another one is no answer about it.

    Raises:
        ValueError: The count is not one of these hits, or none is about the DOI in a list that
            was cut short, so that one may stand further down.
        TypeError: The count is no number.
    """
    if not isinstance(total, int) or isinstance(total, bool):
        raise TypeError(f"expected a count, got {type(total).__name__}")
    found = tuple(work for work in works if same_doi(work.doi or "", doi))
    if total < len(works) or (total > len(works) and not found):
        raise ValueError(f"{counted(total, 'hit')} announced, and {len(works)} sent")
    return found


def copies_in(works: Iterable[Work]) -> tuple[Copy, ...]:
    """Every copy of these records, each address once."""
    return once(copy for work in works for copy in work.copies)


def once(copies: Iterable[Copy]) -> tuple[Copy, ...]:
    found: dict[str, Copy] = {}
    for copy in copies:
        found.setdefault(copy.url, copy)
    return tuple(found.values())


def names_pdf(url: str) -> bool:
    """Whether an address says by its ending that a PDF is there."""
    try:
        return urlsplit(url).path.lower().endswith(".pdf")
    except ValueError:
        return False
