"""Labels before and after the title of a paper, in documents that are about it."""

import re

from sourcewright.base.text.unicode import fold_heading
from sourcewright.references.document_labels import CONNECTOR, LABELS, line_prefix
from sourcewright.services.papers.file_check.kinds import (
    DocumentKind,
    connected_kind,
    label_kind,
    leading_kind,
)
from sourcewright.services.papers.file_check.pages import PageText

_LABEL_BEFORE = re.compile(rf"(?:^|.*? )({LABELS})({CONNECTOR})?$")
SECTIONS = frozenset({"review", "discussion", "note"})
"""Sections of journals that are printed before the titles of articles: "Review: …"."""
LEADS = frozenset({"supplement", "checklist", "peer review", "reply to reviewers", "summary"})
LEADING_WORDS = re.compile(r"(?:on|towards?)?(?:the|an?)?")
"""Letters of words that a title may have in the file and not in its record."""
_LINK = re.compile(r"\b(?:this|available|is|are|can|may|see|accompanies|at|https?|www)\b")
_LINES_ABOVE = 4
_HEADING_WITHIN = 12
"""Lines from the top of a page; a title further below may follow the end of another document."""


def preceding_label(
    page: PageText, first: int, before: str, kinds: frozenset[DocumentKind]
) -> str | None:
    """Return the label that precedes a title, on its line or above it: "Comment on", "Erratum".

    `kinds` are those of the work itself, whose labels say nothing.
    """
    line = page.lines[first]
    ahead = line_prefix(line, len(before)) if before else ""
    above = page.lines[first - 1] if first else ""
    label = _label_above(page, first, kinds)
    if label is not None:
        return label
    if ahead and not LEADING_WORDS.fullmatch(before):
        closed = ":" in ahead[-3:] or ":" in line[len(ahead) :][:3]
        return _label_in(fold_heading(ahead), kinds, closed=closed)
    return _label_in(fold_heading(above), kinds, closed=above.rstrip().endswith(":"))


def _label_above(page: PageText, first: int, kinds: frozenset[DocumentKind]) -> str | None:
    """Return the label that heads a page, with such lines as "Open Access" below it."""
    if first > _HEADING_WITHIN:
        return None
    above = page.plain[max(0, first - _LINES_ABOVE) : first]
    pairs = ((one, _kind_above(one)) for one in above)
    return next((one for one, kind in pairs if kind and kind not in kinds), None)


def _kind_above(line: str) -> DocumentKind | None:
    """Return the kind that a line above a title names: "ESI for Journal of Tides", but no link."""
    kind = label_kind(line) or connected_kind(line)
    lead = None if kind or _LINK.search(line) else leading_kind(line)
    return kind or (lead if lead in LEADS else None)


def following_label(line: str, kinds: frozenset[DocumentKind]) -> bool:
    """Whether the words after a title are the label of another kind of document."""
    kind = label_kind(fold_heading(line[:200]))
    return kind is not None and kind not in kinds


def _label_in(words: str, kinds: frozenset[DocumentKind], *, closed: bool) -> str | None:
    if len(words) > 150:
        return None
    kind = label_kind(words) or connected_kind(words)
    if kind is not None:
        return None if kind in kinds else words
    match = _LABEL_BEFORE.match(words)
    if not match or not (match[2] or closed):
        return None
    is_section = not match[2] and match[1] in SECTIONS and "book review" in kinds
    return None if is_section else words
