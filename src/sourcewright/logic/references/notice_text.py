"""Retractions and other notices about a paper in the words of an exported reference."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sourcewright.domain.works import Notice, NoticeKind
from sourcewright.logic.papers.notices import gravest

_WORDS: Mapping[NoticeKind, str] = MappingProxyType(
    {
        "retraction": "retracted",
        "partial_retraction": "partially retracted",
        "withdrawal": "withdrawn",
        "removal": "removed",
        "expression_of_concern": "expression of concern",
        "correction": "corrected",
    }
)


def status_word(notices: Sequence[Notice]) -> str | None:
    """The gravest thing that was published against a paper, in a word; None where nothing was."""
    worst = gravest(notices)
    return _WORDS[worst.kind] if worst else None


def notice_text(notices: Sequence[Notice]) -> str:
    """Each notice once: what it says, its date, its own DOI, and who says so."""
    tellers: dict[tuple[NoticeKind, str | None, str | None], list[str]] = {}
    for one in notices:
        by = f"{one.asserted_by} in {one.source}" if one.asserted_by else one.source
        named = tellers.setdefault((one.kind, one.date, one.doi), [])
        if by not in named:
            named.append(by)
    return "; ".join(_said(*notice, by) for notice, by in tellers.items())


def _said(kind: NoticeKind, date: str | None, doi: str | None, by: Sequence[str]) -> str:
    words = _WORDS[kind].capitalize() + (f" {date}" if date else "")
    # Without a label, lest whoever reads the reference takes it for the paper's own DOI.
    notice = f"notice {doi}, " if doi else ""
    return f"{words} ({notice}according to {', '.join(by)})"
