"""Blocks of a column: groups its lines into paragraphs, list items and code."""

import itertools
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from sourcewright.reading.layout.bibliography.entries import NO_ENTRIES, EntryLines
from sourcewright.reading.layout.lines import TextLine, is_right_to_left, join_words
from sourcewright.reading.layout.words import BOLD, CAPITALS, FIXED, ITALIC

Kind = Literal[
    "paragraph", "heading", "item", "code", "table", "caption", "note", "figure", "formula"
]

_BULLET = re.compile(
    "[\u2022\u2023\u25cf\u25cb\u25e6\u25aa\u25ab\u25a0\u25a1\u2043\u2219\u00b7\u27a2\u2756\u25b6\u2192\u2713\u2714\ufffd*\u2013\u2014-]"
)
"""A glyph that a font does not name and that begins a line is a bullet, too."""
_NUMBER = re.compile(r"\(?(\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)]")
_BRACKETED = re.compile(r"\[\d{1,4}\]")
SENTENCE_END = re.compile("[.!?:;\u3002\uff01\uff1f\u061f\u05c3][\"'\u201d\u2019)\\]]{0,3}\\Z")
HYPHENS = ("\u0002", "\ufffe", "\u00ad", "-", "\u2010")
STRONG = BOLD | CAPITALS
_SAME_SIZE = 0.07
_WIDE_PITCH = 1.32
_NEXT_LINE = 1.12
_CODE_DISTANCE = 3.2
"""Distance of lines of code with an empty line between them, in units of the font size."""
_INDENT = 0.7
"""Indentation of the first line of a paragraph, in units of the font size."""
_MAX_INDENT = 6.0
_SAME_EDGE = 2.0
_MIN_PROSE = 14
"""Width of a column of running text, in units of the font size; narrower lines stand alone."""
_SHORT = 0.25
"""Part of the width of a column that a line leaves empty if it was ended on purpose."""
_LEADERS = re.compile(r"(?:[.\u00b7\u22c5]\s?){4,}|\u2026{2,}")


@dataclass(slots=True, eq=False)
class Block:
    """A paragraph, heading, list item, table or the like."""

    kind: Kind
    lines: list[TextLine] = field(default_factory=list)
    page: int = 0
    level: int = 0
    """Level of a heading or of a list item, from 1."""
    marker: str = ""
    """Marker of a list item, or label of a footnote."""
    cells: Sequence[Sequence[Sequence[TextLine]]] = ()
    """Rows of a table, each cell as lines."""
    columns: Sequence[float] = ()
    """Edges of the columns of a table, from left to right."""
    label: str = ""
    """Name of a footnote, unique in the document, or the text of a figure or formula."""
    starts_region: bool = False
    is_full: bool = False
    """Whether its last line reaches the end of the column."""
    page_breaks: dict[int, int] = field(default_factory=dict)
    """Pages that begin within it, by the number of their first line or row."""
    last_page: int = 0
    is_entry: bool = False
    """Whether it is an entry of a list of references, or a part of one."""
    is_rest: bool = False
    """Whether it goes on with the entry before it."""

    def __post_init__(self) -> None:
        self.last_page = self.page

    @property
    def text(self) -> str:
        return "\n".join(line.text for line in self.lines)

    @property
    def size(self) -> float:
        return self.lines[0].size

    @property
    def bottom(self) -> float:
        return self.lines[-1].base

    @property
    def top(self) -> float:
        return self.lines[0].base


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """Extent and usual line distance of a column of text."""

    left: float
    right: float
    pitch: dict[float, float]
    """Usual distance of lines, by font size."""
    is_justified: bool
    """Whether most lines end at the same place."""

    def pitch_of(self, size: float) -> float:
        return self.pitch.get(size, 1.25 * size)


def column_of(lines: Sequence[TextLine]) -> Column:
    """Measure a column."""
    rights = sorted((line.right for line in lines), reverse=True)
    distances: dict[float, Counter[float]] = {}
    for above, line in itertools.pairwise(lines):
        distance = above.base - line.base
        if above.size == line.size and 0.8 * line.size < distance < 2.5 * line.size:
            distances.setdefault(line.size, Counter())[round(distance * 2) / 2] += 1
    right = rights[min(len(rights) // 10, len(rights) - 1)]
    full = sum(abs(right - one) < _SAME_EDGE for one in rights)
    return Column(
        left=min(line.left for line in lines),
        right=right,
        is_justified=full > 0.5 * len(lines),
        pitch={size: _usual(counts) for size, counts in distances.items()},
    )


def _usual(counts: Counter[float]) -> float:
    """The smallest distance that is common: larger ones separate paragraphs."""
    enough = max(counts.values()) * 0.5
    return min(distance for distance, count in counts.items() if count >= enough)


def blocks_of(
    lines: Sequence[TextLine], page: int, column: Column, entries: EntryLines = NO_ENTRIES
) -> list[Block]:
    """Blocks of lines that follow each other in a column."""
    blocks: list[Block] = []
    for line in lines:
        marker = marker_of(line)
        if entries.has(line):
            _add_entry_line(blocks, line, page, is_first=line in entries.first)
        elif (
            blocks
            and not blocks[-1].is_entry
            and not _starts_block(blocks[-1], line, marker, column)
        ):
            _go_on(blocks[-1], line)
        elif line.tag.item or (marker and _is_item(blocks, marker)):
            blocks.append(Block("item", [line], page, marker=marker))
        else:
            kind: Kind = "code" if line.style & FIXED else "paragraph"
            blocks.append(Block(kind, [line], page))
    for block in blocks:
        last = block.lines[-1]
        is_wide = last.right - last.left > _MIN_PROSE * last.size
        block.is_full = is_wide and column.right - last.right < 2 * last.size
    return blocks


def _go_on(block: Block, line: TextLine) -> None:
    block.lines.append(line)
    if len(block.lines) == 2 and block.kind == "item" and _is_run_in(block.lines[0], line):
        block.kind, block.marker = "paragraph", ""


def _is_run_in(first: TextLine, line: TextLine) -> bool:
    """Whether a paragraph begins with a numbered heading, such as `a. *Gauges* All were read`."""
    style = first.words[1].style & (BOLD | ITALIC) if len(first.words) > 1 else 0
    is_head = style and not first.words[-1].style & style
    return bool(is_head) and line.left < first.left - _INDENT * line.size


def _add_entry_line(blocks: list[Block], line: TextLine, page: int, *, is_first: bool) -> None:
    if not is_first and blocks and blocks[-1].is_entry:
        blocks[-1].lines.append(line)
        return
    marker = marker_of(line) if is_first else ""
    kind: Kind = "item" if marker.strip("().").isdigit() else "paragraph"
    blocks.append(
        Block(kind, [line], page, marker=marker if kind == "item" else "", is_entry=True)
    )
    blocks[-1].is_rest = not is_first


def marker_of(line: TextLine) -> str:
    """The bullet or number with which a line starts; empty if it has none."""
    first = line.words[0]
    rest = line.words[1:]
    if not rest:
        return ""
    if first.tag.is_label:
        labels = itertools.takewhile(lambda word: word.tag.is_label, line.words)
        return join_words(list(labels))
    if _BULLET.fullmatch(first.text) or _BRACKETED.fullmatch(first.text):
        return first.text
    if _NUMBER.fullmatch(first.text):
        return first.text
    return ""


def _is_item(blocks: Sequence[Block], marker: str) -> bool:
    """Whether a line with a marker is a list item, and not text that happens to start so."""
    number = marker.strip("().")
    if not number.isalnum():
        return not marker.startswith("[")
    # Items with bullets may be nested in those with numbers.
    numbers = (one.marker.strip("().") for one in reversed(blocks[-12:]) if one.kind == "item")
    previous = next(filter(str.isalnum, numbers), None)
    if previous is not None and _follows(previous, number):
        return True
    if number.isupper():
        return marker.endswith(")") and number in ("A", "I")
    return number in ("1", "a", "i")


def _follows(before: str, number: str) -> bool:
    if before.isdigit() and number.isdigit():
        return 0 < int(number) - int(before) <= 2
    if len(before) == len(number) == 1 and before.isalpha() and number.isalpha():
        return ord(number) - ord(before) == 1
    return (
        before in _ROMAN and number in _ROMAN and _ROMAN.index(number) == _ROMAN.index(before) + 1
    )


_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii")


def is_contents_line(line: TextLine) -> bool:
    """Whether a line is an entry of a table of contents: a title, a gap and a page number."""
    last = line.words[-1]
    if len(line.words) < 2 or not (last.text.isdigit() or last.text.lower() in _ROMAN):
        return False
    return has_leaders(line) or last.left - line.words[-2].right > 2 * line.size


def has_leaders(line: TextLine) -> bool:
    """Whether dots lead from one part of a line to the next."""
    return bool(_LEADERS.search(line.text))


def _starts_block(block: Block, line: TextLine, marker: str, column: Column) -> bool:
    last = block.lines[-1]
    if (last.tag.item, last.tag.heading) != (line.tag.item, line.tag.heading):
        return True
    goes_on = block.kind == "paragraph" and (
        _goes_on_in_other_font(last, line, column) or _goes_on_in_bold(last, line, column)
    )
    is_other = _differs(last, line) and not goes_on
    if is_other or is_contents_line(last) or is_contents_line(line):
        return True
    distance = last.base - line.base
    if line.style & last.style & FIXED and block.kind == "code":
        return distance > _CODE_DISTANCE * line.size
    if distance > _WIDE_PITCH * column.pitch_of(line.size) + 0.5:
        return True
    if (
        marker
        and _begins_entry(block, line, marker)
        and not _is_inline(last, line, marker, column)
    ):
        return True
    is_apart = _is_indented(block, line) or _was_ended(last, line, column)
    return is_apart and not _is_outdented_text(block, line, column)


def _goes_on_in_other_font(last: TextLine, line: TextLine, column: Column) -> bool:
    """Whether a line happens to be all code, or the one above it, within a paragraph."""
    if not (last.style ^ line.style) & FIXED or abs(last.size - line.size) > 0.12 * last.size:
        return False
    first = line.words[0]
    has_room = last.right + 0.8 * line.size + first.right - first.left < column.right
    width = column.right - column.left
    if width < _MIN_PROSE * line.size or last.right - last.left < width / 2:
        return False
    is_next = last.base - line.base < _NEXT_LINE * column.pitch_of(max(last.size, line.size))
    return is_next and not has_room and line.left - column.left < _SAME_EDGE


def _goes_on_in_bold(last: TextLine, line: TextLine, column: Column) -> bool:
    """Whether bold words of a paragraph happen to fill a line, and go on in the next one."""
    if abs(last.size - line.size) > _SAME_SIZE * last.size or (last.style ^ line.style) & FIXED:
        return False
    is_bold = bool(last.words[-1].style & line.words[0].style & STRONG)
    begins = bool(line.style & STRONG) and not SENTENCE_END.search(last.text)
    return (is_bold or begins) and _runs_on(last, line, column)


def _runs_on(last: TextLine, line: TextLine, column: Column) -> bool:
    """Whether a line is directly below one into which its first word would not have fitted."""
    first = line.words[0]
    has_room = last.right + 0.8 * line.size + first.right - first.left < column.right
    is_next = last.base - line.base < _NEXT_LINE * column.pitch_of(max(last.size, line.size))
    return is_next and not has_room and last.right - last.left > _MIN_PROSE * line.size


def _differs(last: TextLine, line: TextLine) -> bool:
    if abs(last.size - line.size) > _SAME_SIZE * max(last.size, line.size):
        return True
    return bool((last.style ^ line.style) & (STRONG | FIXED))


def _is_inline(last: TextLine, line: TextLine, marker: str, column: Column) -> bool:
    """Whether `(1)` happens to begin a line of a paragraph, as the line before it is full."""
    is_full = column.is_justified and column.right - last.right < _SAME_EDGE
    return is_full and marker.startswith("(") and abs(last.left - line.left) < _SAME_EDGE


def _begins_entry(block: Block, line: TextLine, marker: str) -> bool:
    if _BULLET.fullmatch(marker) and marker not in "-\u2013\u2014*":
        return True
    first = block.lines[0]
    # The entry before it started at the same place, with the same kind of marker.
    same_place = abs(first.left - line.left) < 1.5 * line.size
    before = marker_of(first)
    if same_place and before and before.isalnum() == marker.isalnum():
        return True
    return bool(SENTENCE_END.search(block.lines[-1].text)) and same_place


def _is_outdented_text(block: Block, line: TextLine, column: Column) -> bool:
    """Whether what looks like an item is the indented first line of a paragraph that goes on."""
    last = block.lines[-1]
    if len(block.lines) > 1 or block.kind != "item" or line.left - column.left > _SAME_EDGE:
        return False
    if last.left - line.left > _MAX_INDENT * line.size or is_right_to_left(line.text):
        return False
    goes_on = last.text.endswith(HYPHENS) or not SENTENCE_END.search(last.text)
    return goes_on and line.text[:1].islower() and _runs_on(last, line, column)


def _is_indented(block: Block, line: TextLine) -> bool:
    """Whether a line starts a paragraph by its indentation, or an entry by the lack of it."""
    first, last = block.lines[0], block.lines[-1]
    second = block.lines[1] if len(block.lines) > 1 else first
    is_marked = block.kind == "item" or bool(marker_of(first))
    if is_marked and second.left >= first.left - _INDENT * line.size:
        return line.left < first.left - _INDENT * line.size or _is_after_item(block, line)
    if is_right_to_left(line.text):
        first_edge, last_edge, edge = -first.right, -last.right, -line.right
    else:
        first_edge, last_edge, edge = first.left, last.left, line.left
    shift = (edge - last_edge) / line.size
    if len(block.lines) == 1:
        # A second line to the left follows the indented first line of a paragraph.
        return _INDENT < shift < _MAX_INDENT and bool(SENTENCE_END.search(last.text))
    if shift > _INDENT:
        return first_edge - last_edge > -_INDENT * line.size and shift < _MAX_INDENT
    return shift < -_INDENT and abs(edge - first_edge) < _INDENT * line.size


def _is_after_item(block: Block, line: TextLine) -> bool:
    """Whether a line below the bullet of an item is no part of it: the text of items is indented."""
    first, last = block.lines[0], block.lines[-1]
    marker = marker_of(first)
    if block.kind != "item" or not marker or is_right_to_left(line.text):
        return False
    start = next((word.left for word in first.words[1:] if not word.tag.is_label), first.left)
    if line.left >= start - _INDENT * line.size:
        return False
    if len(block.lines) > 1:
        return block.lines[1].left >= start - _INDENT * line.size
    return bool(SENTENCE_END.search(last.text)) and line.text[:1].isupper()


def _was_ended(last: TextLine, line: TextLine, column: Column) -> bool:
    """Whether a line was ended although the next word would have fitted into it."""
    if last.text.endswith(HYPHENS):
        return False
    word = line.words[0]
    is_mirrored = is_right_to_left(line.text)
    room = last.left - column.left if is_mirrored else column.right - last.right
    needed = word.right - word.left + 0.8 * line.size
    width = column.right - column.left
    if width < _MIN_PROSE * line.size and not column.is_justified:
        return True
    if room <= (needed if column.is_justified else max(needed, _SHORT * width)):
        return False
    is_open = not SENTENCE_END.search(last.text) and line.text[:1].islower()
    return not is_open or room > 0.6 * width
