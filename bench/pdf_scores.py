"""Scores what was read from a PDF against the Markdown that it was made from.

Text is the F1 of runs of four words over the whole document, so that a running head left in, a
word that was lost and a line of the wrong column all cost. Order is the longest run of known
places that come in their order, among all of them. Cells count in their row and column, headings
with their level; a table or an outline that is shifted as a whole is not blamed for it. Items of
lists count with their kind, beside the mean.
Ligatures, hyphens, white space, marks of emphasis and the ways to write a table make no difference.
"""

import re
import unicodedata
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from html.parser import HTMLParser
from itertools import pairwise, product
from typing import NamedTuple

from pdf_markdown import Block, Source, plain

Words = tuple[str, ...]
Grid = list[list[str]]
_RUN = 4
_PROBE = 5
_WORD = re.compile(r"[^\W_]+")
_HYPHEN = re.compile(r"(?<=\w)(?:[-\u2010\u2011]\s*\n\s*|\s*\u00ad\s*|[-\u2010\u2011])(?=\w)")
_NOTE_MARK = re.compile(r"(?:(?<=[^\W\d]{2})|(?<=[^\W\d][.,;:!?)]))\d{1,2}\b")
"""The raised number of a note, as most readers give it: behind a word or its point."""
_DROPPED = re.compile(
    r"<!--(?s:.*?)-->"
    r"|!\[[^\]]*\]\([^)]*\)"
    r"|^ *(?:```|~~~).*$"
    r"|<sup>\s*\[?\d+\]?\s*</sup>"
    r"|(?<=\S)[ \t]?(?:\[\^?\d+\](?!:)|[\u00b9\u00b2\u00b3\u2070-\u2079]+)"
    r"|^[ |:+=-]+$",
    re.MULTILINE,
)
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_LINK = re.compile(r"\[([^\[\]]*)\]\([^()\s]*\)")
_INVISIBLE = re.compile("[\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u0640]")
_ESCAPE = re.compile(r"\\([^\w\s])")
_MARKS = re.compile(r"[*`~]|(?<!\w)_|_(?!\w)")
_ATX = re.compile(r" {0,3}(#{1,6})\s+(.*?)\s*#*\s*")
_SETEXT = re.compile(r" {0,3}(=+|-+)\s*")
_ROW = re.compile(r"\s*\|.*\|\s*")
_RULE = re.compile(r"[\s|:-]+")
_CELL_BREAK = re.compile(r"(?<!\\)\|")
_ITEM = re.compile(r"\s*(?:[-*+\u2022]|(\d+)[.)])\s+(.+)")
_FENCE = re.compile(r" {0,3}(?:```|~~~)")


class Share(NamedTuple):
    """What was found rightly, out of what was given and what was there."""

    right: float = 0
    given: float = 0
    recalled: float = 0
    there: float = 0

    def __add__(self, other: object) -> "Share":
        if not isinstance(other, Share):
            return NotImplemented
        return Share(*(one + two for one, two in zip(self, other, strict=True)))

    @property
    def f1(self) -> float:
        precision = self.right / self.given if self.given else 0.0
        recall = self.recalled / self.there if self.there else 0.0
        return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


class Scores(NamedTuple):
    """The scores of one document."""

    text: float
    order: float
    cells: Share
    headings: Share
    items: Share


def scores(source: Source, markdown: str) -> Scores:
    words = words_of(markdown)
    return Scores(
        text=_text(_truth_words(source.blocks), words),
        order=_order(list(_probes(source.blocks)), words),
        cells=_cells(_truth_tables(source.blocks), list(tables(markdown))),
        headings=_headings(_truth_headings(source.blocks), list(headings(markdown))),
        items=_items(source.blocks, items(markdown)),
    )


def words_of(markdown: str) -> Words:
    """The words of Markdown or of plain text, as both sides of a comparison spell them."""
    text = unicodedata.normalize("NFKC", _DROPPED.sub(" ", markdown))
    text = _LINK.sub(r"\1", _TAG.sub(" ", _INVISIBLE.sub("", text)))
    text = _HYPHEN.sub("", _MARKS.sub("", _ESCAPE.sub(r"\1", text)))
    return tuple(_WORD.findall(_NOTE_MARK.sub("", text).lower()))


def _truth_words(blocks: Iterable[Block]) -> Words:
    return tuple(word for block in blocks for word in _block_words(block))


def _block_words(block: Block) -> Words:
    if block.kind == "table":
        return tuple(word for row in block.rows for cell in row for word in words_of(plain(cell)))
    number = () if block.number is None else (str(block.number),)
    return (*number, *words_of(block.code), *words_of(plain(block.spans)))


def _runs(words: Sequence[str], length: int) -> Counter[Words]:
    return Counter(tuple(words[at : at + length]) for at in range(len(words) - length + 1))


def _text(truth: Words, words: Words) -> float:
    known, given = _runs(truth, _RUN), _runs(words, _RUN)
    right = (known & given).total()
    return Share(right, given.total(), right, known.total()).f1


def _probes(blocks: Iterable[Block]) -> Iterator[Words]:
    """Places in the running text; tables and notes have no one place in it."""
    every = [
        run
        for block in blocks
        if block.kind not in {"table", "note"}
        for run in _runs(_block_words(block), _PROBE)
    ]
    counts = Counter(every)
    yield from (run for run in every if counts[run] == 1)


def _order(probes: Sequence[Words], words: Words) -> float:
    places: dict[Words, int] = {}
    for at in range(len(words) - _PROBE + 1):
        places.setdefault(words[at : at + _PROBE], at)
    ends: list[int] = []
    for place in (places[probe] for probe in probes if probe in places):
        at = bisect_left(ends, place)
        ends[at : at + 1] = [place]
    return len(ends) / (len(probes) or 1)


def _truth_headings(blocks: Iterable[Block]) -> list[tuple[int, Words]]:
    return [(one.level, _block_words(one)) for one in blocks if one.kind == "heading"]


def headings(markdown: str) -> Iterator[tuple[int, Words]]:
    """The headings of Markdown with their levels."""
    lines = list(_outside_code(markdown))
    for line, below in pairwise([*lines, ""]):
        if atx := _ATX.fullmatch(line):
            yield len(atx[1]), words_of(atx[2])
        elif (mark := _SETEXT.fullmatch(below)) and line.strip() and not _ROW.fullmatch(line):
            yield 1 if mark[1][0] == "=" else 2, words_of(line)


def _outside_code(markdown: str) -> Iterator[str]:
    inside = False
    for line in markdown.split("\n"):
        if _FENCE.match(line):
            inside = not inside
        elif not inside:
            yield line


def _headings(truth: list[tuple[int, Words]], given: list[tuple[int, Words]]) -> Share:
    known = Counter(truth)
    right = max(
        (Counter((level + shift, words) for level, words in given) & known).total()
        for shift in (-1, 0, 1)
    )
    return Share(right, len(given), right, len(truth))


def items(markdown: str) -> Iterator[tuple[bool, Words]]:
    """The items of lists in Markdown, and whether they are numbered."""
    for line in _outside_code(markdown):
        if item := _ITEM.fullmatch(line):
            yield item[1] is not None, words_of(item[2])


def _items(blocks: Iterable[Block], given: Iterable[tuple[bool, Words]]) -> Share:
    truth = Counter(
        (block.number is not None, words_of(plain(block.spans)))
        for block in blocks
        if block.kind == "item"
    )
    found = Counter(given)
    right = (found & truth).total()
    return Share(right, found.total(), right, truth.total())


def _truth_tables(blocks: Iterable[Block]) -> list[Grid]:
    return [
        [["".join(words_of(plain(cell))) for cell in row] for row in block.rows]
        for block in blocks
        if block.kind == "table"
    ]


def tables(markdown: str) -> Iterator[Grid]:
    """The tables of Markdown, in pipes or in HTML, with the words of each cell joined."""
    parser = _TableParser()
    parser.feed(markdown)
    rows: list[list[str]] = []
    for line in [*_outside_code(markdown), ""]:
        if not _ROW.fullmatch(line):
            if len(rows) > 1:
                parser.grids.append(rows)
            rows = []
        elif not _RULE.fullmatch(line):
            rows.append(_CELL_BREAK.split(line.strip().removeprefix("|").removesuffix("|")))
    for grid in parser.grids:
        yield [["".join(words_of(cell)) for cell in row] for row in grid]


class _TableParser(HTMLParser):
    """Collects the tables that are written in HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.grids: list[Grid] = []
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        if tag == "table":
            self.grids.append([])
        elif tag == "tr" and self.grids:
            self.grids[-1].append([])
        elif tag in {"td", "th"} and self.grids and self.grids[-1]:
            self.grids[-1][-1].append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        if tag in {"td", "th", "tr", "table"}:
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.grids[-1][-1][-1] += data


Cells = dict[tuple[int, int], str]


def _filled(grid: Grid) -> Cells:
    """The cells with text, where rows and columns without any are not counted."""
    rows = [row for row in grid if any(row)]
    columns = [
        at
        for at in range(max(map(len, rows), default=0))
        if any(at < len(row) and row[at] for row in rows)
    ]
    return {
        (down, across): row[at]
        for down, row in enumerate(rows)
        for across, at in enumerate(columns)
        if at < len(row) and row[at]
    }


def _cells(truth: list[Grid], given: list[Grid]) -> Share:
    """Each table given is held against the part of a known one where most of its cells agree."""
    known = [_filled(grid) for grid in truth]
    seen: set[tuple[int, int, int]] = set()
    right = 0
    for cells in map(_filled, given):
        best = max(
            (_agreeing(cells, one, at) for at, one in enumerate(known)), key=len, default=set()
        )
        right += len(best)
        seen |= best
    there = sum(map(len, known))
    return Share(right, sum(len(_filled(grid)) for grid in given), len(seen), there)


def _agreeing(cells: Cells, known: Cells, number: int) -> set[tuple[int, int, int]]:
    """The known cells that agree when the table is laid where most do."""
    heights = range(
        -max((down for down, _ in cells), default=0),
        max((down for down, _ in known), default=0) + 1,
    )
    best: set[tuple[int, int, int]] = set()
    for down, across in product(heights, (-1, 0, 1)):
        same = {
            (number, row + down, column + across)
            for (row, column), text in cells.items()
            if known.get((row + down, column + across)) == text
        }
        best = max(best, same, key=len)
    return best
