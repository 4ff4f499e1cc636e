"""Retractions and other notices about a paper, as text for an exported reference."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from sourcewright.base.notices import most_serious_notice
from sourcewright.base.works import Notice, NoticeKind

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
    """The most serious notice about a paper as a word; None without one."""
    worst = most_serious_notice(notices)
    return _WORDS[worst.kind] if worst else None


def notice_text(notices: Sequence[Notice]) -> str:
    """Each notice once: its kind, its date, its own DOI, and the sources that report it."""
    sources: dict[tuple[NoticeKind, str | None, str | None], list[str]] = {}
    for notice in notices:
        reporter = (
            f"{notice.asserted_by} in {notice.source}" if notice.asserted_by else notice.source
        )
        reporters = sources.setdefault((notice.kind, notice.date, notice.doi), [])
        if reporter not in reporters:
            reporters.append(reporter)
    return "; ".join(_format_notice(*key, reporters) for key, reporters in sources.items())


def _format_notice(kind: NoticeKind, date: str | None, doi: str | None, by: Sequence[str]) -> str:
    words = _WORDS[kind].capitalize() + (f" {date}" if date else "")
    # Without the label "doi:", so that it is not taken for the paper's own DOI.
    notice = f"notice {doi}, " if doi else ""
    return f"{words} ({notice}according to {', '.join(by)})"
