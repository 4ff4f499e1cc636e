"""Running heads, footers and page numbers: finds lines that recur at the edge of pages.

Lines that differ by a number are no running heads unless the number is that of the page, and
lines that are the same on each page are none if they belong to the text below or above them: the
title of an invoice, the first line of a form, the last one of a letter.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from sourcewright.reading.layout.edges.page_numbers import MAX_PARTS, page_numbers
from sourcewright.reading.layout.edges.rows import (
    EdgeRow,
    Pages,
    TextMeasure,
    are_alike,
    edge_rows,
    measure_of,
)
from sourcewright.reading.layout.lines import Segment

_OUTER_EDGE = 0.08
_MAX_EMPTIED = 0.3
"""Part of the pages that may have nothing but a running head."""
_SAME_HEIGHT = 6.0
_MIN_SHARE = 0.1
"""Part of the pages on which a line recurs, unless many pages have other such lines there."""
_MIN_PLACE_SHARE = 0.3
Place = tuple[str, int]
"""The edge, and the height on the page."""


class _Heads(NamedTuple):
    """What recurs at the edges of a document."""

    rows: Mapping[tuple[str, str], Mapping[int, Sequence[EdgeRow]]]
    """Those with a text, by edge and text, and by height."""
    places: Counter[Place]
    """The number of pages with a text that recurs."""
    numbers: set[int]
    numbered: set[int]
    """Pages with a page number."""
    measure: TextMeasure
    pages: int


def without_running_heads(pages: Pages) -> list[list[Segment]]:
    """The segments of each page without running heads and page numbers."""
    rows = edge_rows(pages)
    heads = _heads_of(rows, measure_of(pages))
    removed = {id(one) for each in rows for row in _running(each, heads) for one in row.segments}
    peeled = [[one for one in segments if id(one) not in removed] for _, segments in pages]
    # A document is not only running heads, but the page before a chapter may be.
    emptied = sum(not rest and len(page[1]) > 0 for rest, page in zip(peeled, pages, strict=True))
    if emptied > _MAX_EMPTIED * len(pages):
        return [rest or list(page[1]) for rest, page in zip(peeled, pages, strict=True)]
    return peeled


def _heads_of(pages: Sequence[Sequence[EdgeRow]], measure: TextMeasure) -> _Heads:
    rows: defaultdict[tuple[str, str], defaultdict[int, list[EdgeRow]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for row in (row for each in pages for row in each if row.is_near):
        for text in set(row.texts):
            rows[row.edge, text.casefold()][_height(row)].append(row)
    numbers = page_numbers(pages, measure)
    places = Counter(
        place
        for each in pages
        for place in {
            (row.edge, _height(row))
            for row in each
            if row.is_near
            and any(len(rows[row.edge, text.casefold()][_height(row)]) > 1 for text in row.texts)
        }
    )
    numbered = {row.page for each in pages for row in each if numbers & row.identities}
    return _Heads(rows, places, numbers, numbered, measure, len(pages))


def _height(row: EdgeRow) -> int:
    return round(row.base / _SAME_HEIGHT)


def _running(rows: Sequence[EdgeRow], heads: _Heads) -> Iterable[EdgeRow]:
    """The rows of a page that are running heads: those outside of the text at each edge."""
    for edge in ("top", "bottom"):
        outside: list[EdgeRow] = []
        for row in (row for row in rows if row.edge == edge):
            if not (_has_page_number(row, heads) or _recurs(row, heads)):
                break
            outside.append(row)
        while outside and not _ends_the_text(outside[-1], heads):
            outside.pop()
        yield from outside


def _has_page_number(row: EdgeRow, heads: _Heads) -> bool:
    if not heads.numbers & row.identities:
        return False
    return len(row.segments) <= MAX_PARTS or row.identities <= heads.numbers


def _recurs(row: EdgeRow, heads: _Heads) -> bool:
    """Whether each part of a row is a page number, or the same on other pages at its height."""
    return (
        row.is_near
        and not heads.measure.is_larger(row)
        and all(
            id(one) in heads.numbers or _is_repeated(row, text, heads)
            for one, text in zip(row.segments, row.texts, strict=True)
        )
    )


def _same(row: EdgeRow, text: str, heads: _Heads) -> Sequence[EdgeRow]:
    """The rows with this text at the same height, or at that of the rows a little above or below."""
    rows, at = heads.rows[row.edge, text.casefold()], _height(row)
    above, below = rows.get(at + 1, ()), rows.get(at - 1, ())
    return [*rows.get(at, ()), *max(above, below, key=len)]


def _is_repeated(row: EdgeRow, text: str, heads: _Heads) -> bool:
    count = len(_same(row, text, heads))
    if count < 3:
        is_small = row.page in heads.numbered or heads.measure.is_smaller(row)
        return count == 2 and is_small and row.distance <= _OUTER_EDGE
    place = heads.places[row.edge, _height(row)]
    return count >= _MIN_SHARE * heads.pages or place >= _MIN_PLACE_SHARE * heads.pages


def _ends_the_text(row: EdgeRow, heads: _Heads) -> bool:
    """Whether the text begins, or has ended, beyond this running head."""
    if heads.numbers & row.identities:
        return True
    rows = _same(row, row.texts[0], heads)
    if not heads.measure.are_apart(rows):
        return False
    is_small = heads.measure.is_smaller(row) and row.distance <= _OUTER_EDGE
    return is_small or row.page in heads.numbered or not are_alike(rows)
