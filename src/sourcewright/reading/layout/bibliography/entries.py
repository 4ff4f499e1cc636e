"""Entries of lists of references: which lines begin one, over columns and pages.

An entry begins with its label, or where a line is not indented as the others are. How its lines
end tells little, because most lines of an entry end as sentences do.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import NamedTuple

from sourcewright.base.reference_headings import begins_next_section, has_date, is_heading
from sourcewright.reading.layout.lines import TextLine
from sourcewright.reading.layout.words import BOLD, FIXED

_LABELS = (
    re.compile(r"\[(\d{1,4})\]"),
    re.compile(r"\((\d{1,4})\)\s"),
    re.compile(r"(\d{1,4})[.)]\s"),
    re.compile(r"(\d{1,4})\s+[^\W\d_]"),
)
_FIRST_LABEL = re.compile(r"\[1\]\s")
_MIN_UNHEADED = 4
"""Labels of a list without a heading."""
_NAMED_LABEL = re.compile(r"\[[^\[\]]{1,40}\]")
_MAX_GAP = 2
"""Numbers that may be missing between two labels."""
_MIN_STARTS = 2
_MAX_PREFACE = 3
"""Lines of a list before its first label."""
_INDENT = 0.7
"""Indentation of the lines of an entry, in units of the font size."""
_SAME_SIZE = 0.08
_SPACE = 0.8
_HANGING = 0.7
"""Part of the unindented lines above indented ones that are full, if these go on with them."""
_MIN_DATED = 0.4
_MAX_HEADING_WORDS, _LONGEST_HEADING = 6, 80
_CODE_SIZE = 0.2
"""How much smaller a link in a typewriter font may be."""
_MAX_LINES = 50_000


class _Line(NamedTuple):
    line: TextLine
    indent: float
    """Distance from the left edge of the column, in units of the font size."""
    right: float
    """Right edge of the column."""


@dataclass(frozen=True, slots=True)
class EntryLines:
    """The lines of lists of references, by what they are."""

    first: frozenset[TextLine] = field(default_factory=frozenset)
    """Those that begin an entry."""
    rest: frozenset[TextLine] = field(default_factory=frozenset)
    """Those that go on with the entry before them, if need be on the page before."""

    def has(self, line: TextLine) -> bool:
        return line in self.first or line in self.rest


NO_ENTRIES = EntryLines()


def entry_lines(columns: Iterable[Sequence[TextLine]]) -> EntryLines:
    """The lines of entries in the columns of a document, in the order of reading."""
    first: set[TextLine] = set()
    rest: set[TextLine] = set()
    all_columns = list(columns)
    for section in [*_sections(all_columns)] or _unheaded_sections(all_columns):
        starts = _starts(section)
        if not _are_dated(section, starts):
            continue
        first |= starts
        is_open = False
        for one in section:
            is_open = is_open or one.line in starts
            if is_open and one.line not in starts:
                rest.add(one.line)
    return EntryLines(frozenset(first), frozenset(rest))


def _sections(columns: Iterable[Sequence[TextLine]]) -> Iterator[list[_Line]]:
    """The lines after each heading of references, up to what is no entry any more."""
    section: list[_Line] = []
    is_open = False
    for column in columns:
        measure = _Measure(column)
        for line in column:
            is_start = len(line.words) <= _MAX_HEADING_WORDS and is_heading(line.text)
            if is_start or (section and _ends(section, line)):
                if section:
                    yield section
                section, is_open = [], is_start
            elif is_open and not _is_other_size(section, line) and len(section) < _MAX_LINES:
                section.append(measure.placed(line))
    if section:
        yield section


def _unheaded_sections(columns: Sequence[Sequence[TextLine]]) -> Iterator[list[_Line]]:
    """The last list whose labels are `[1]`, `[2]` and so on, which physicists give no heading."""
    section: list[_Line] = []
    is_ended = False
    for column in columns:
        measure = _Measure(column)
        for line in column:
            if line.words[0].text[:1] == "[" and _FIRST_LABEL.match(line.text):
                section, is_ended = [measure.placed(line)], False
            elif section and not is_ended and len(section) < _MAX_LINES:
                is_ended = _ends(section, line)
                if not is_ended and not _is_other_size(section, line):
                    section.append(measure.placed(line))
    if len(_numbered(section, _LABELS[0])) >= _MIN_UNHEADED:
        yield section


class _Measure:
    """Measures the edges of a column once it has entries."""

    def __init__(self, column: Sequence[TextLine]) -> None:
        self._column = column
        self._edges: tuple[float, float] | None = None

    def placed(self, line: TextLine) -> _Line:
        self._edges = self._edges or _edges(self._column, line)
        left, right = self._edges
        return _Line(line, (line.left - left) / line.size, right)


def _edges(lines: Sequence[TextLine], like: TextLine) -> tuple[float, float]:
    """The left and right edge of the lines of one size in a column."""
    same = [one for one in lines if abs(one.size - like.size) <= _SAME_SIZE * like.size]
    rights = sorted((one.right for one in same), reverse=True)
    return min(one.left for one in same), rights[len(rights) // 10]


def _is_other_size(section: Sequence[_Line], line: TextLine) -> bool:
    """Whether a line is larger or smaller than the first entry, as headings and notes are."""
    if not section:
        return False
    size = section[0].line.size
    tolerance = _CODE_SIZE if line.style & FIXED else _SAME_SIZE
    return abs(line.size - size) > tolerance * size


def _ends(section: Sequence[_Line], line: TextLine) -> bool:
    """Whether the heading of another section stands here."""
    size = section[0].line.size
    if line.size > (1 + _SAME_SIZE) * size:
        return True
    if len(line.text) > _LONGEST_HEADING:
        return False
    is_bold = bool(line.style & BOLD) and not all(one.line.style & BOLD for one in section[:9])
    if is_bold and not any(pattern.match(line.text) for pattern in (*_LABELS, _NAMED_LABEL)):
        return not line.text.endswith((".", ","))
    return begins_next_section(line.text)


def _are_dated(section: Sequence[_Line], starts: set[TextLine]) -> bool:
    """Whether entries have years or links, which the items of other lists have not."""
    entries = dated = 0
    is_dated = True
    for one in section:
        if one.line in starts:
            entries, is_dated = entries + 1, False
        if not is_dated and has_date(one.line.text):
            dated, is_dated = dated + 1, True
    return dated >= _MIN_DATED * entries


def _starts(section: Sequence[_Line]) -> set[TextLine]:
    """The lines that begin entries; none if the text is no list."""
    for pattern in _LABELS:
        numbered = _numbered(section, pattern)
        # A year or a number of pages may begin a line of any entry.
        is_first = any(one.line in numbered for one in section[:_MAX_PREFACE])
        if is_first and len(numbered) >= _MIN_STARTS:
            return numbered
    flush = [one for one in section if one.indent < _INDENT]
    lettered = {one.line for one in flush if _NAMED_LABEL.match(one.line.text)}
    if len(lettered) >= _MIN_STARTS and flush[0].line in lettered:
        return lettered
    return {one.line for one in flush} if _is_hanging(section) else set()


def _numbered(section: Sequence[_Line], pattern: re.Pattern[str]) -> set[TextLine]:
    """The lines whose numbers follow each other from 1."""
    numbered: set[TextLine] = set()
    last = 0
    for one in section:
        match = pattern.match(one.line.text)
        if match and last < int(match[1]) <= last + (_MAX_GAP if last else 1):
            numbered.add(one.line)
            last = int(match[1])
    return numbered


def _is_hanging(section: Sequence[_Line]) -> bool:
    """Whether all lines of an entry but the first are indented.

    A line above the first line of an indented paragraph is seldom full; one that is continued is.
    """
    full = [
        _is_full(one, after)
        for one, after in pairwise(section)
        if one.indent < _INDENT <= after.indent and after.line.base < one.line.base
    ]
    return len(full) >= _MIN_STARTS and sum(full) >= _HANGING * len(full)


def _is_full(one: _Line, after: _Line) -> bool:
    """Whether the next word would not have fitted into a line."""
    word = after.line.words[0]
    return one.right - one.line.right < word.right - word.left + _SPACE * one.line.size
