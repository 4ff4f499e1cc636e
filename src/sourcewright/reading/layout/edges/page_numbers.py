"""Page numbers: numbers at the edges of pages that rise by one with each page.

A number that says nothing of pages is one only by its neighbours: `Invoice 482` is the title of
its page, and so may be `Chapter 3` on the third page, or a year.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from sourcewright.reading.layout.edges.rows import EdgeRow, TextMeasure, are_alike
from sourcewright.reading.layout.lines import Segment

_WORD = r"(?:page|seite|p\.|pag\.|página|стр\.|صفحه)"
_OF = r"(?:of|von|de|из)"
_WHOLE = re.compile(
    rf"[-\u2013\u2014|\s]{{0,4}}(?P<word>(?:{_WORD}|第)\s{{0,3}})?"
    r"(?:(?P<digits>\d{1,4})|(?P<roman>[ivxlc]{1,7}))"
    rf"(?:\s{{0,3}}(?:(?P<of>{_OF})|/)\s{{0,3}}\d{{1,4}})?(?:\s?页)?[-\u2013\u2014|\s]{{0,4}}",
    re.IGNORECASE,
)
"""A segment that may be a page number and nothing else."""
_SIGN = r"\s{0,3}[|•·\u2013\u2014]\s{0,3}"
_SET_APART = re.compile(
    rf"\A(?P<first>\d{{1,4}}){_SIGN}|{_SIGN}(?P<last>\d{{1,4}})\Z"
    rf"|(?<!\w){_WORD}\s{{0,3}}(?P<counted>\d{{1,4}})(?:\s{_OF}\s\d{{1,4}})?\Z",
    re.IGNORECASE,
)
_AT_AN_END = re.compile(r"\A(?P<first>\d{1,4})(?=\s)|(?<=\s)(?P<last>\d{1,4})\Z")
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_MIN_COUNTED, _MOST_COUNTED = 3, 0.6
MAX_PARTS = 3
"""Segments of a row in which a page number has a title beside it."""


class _Candidate(NamedTuple):
    """A number in a row that may be that of the page."""

    row: EdgeRow
    segment: Segment
    offset: int
    """By how much it is larger than the index of the page."""


_Series = dict[tuple[str, str, int], list[_Candidate]]
"""Numbers that rise with the pages, by edge, by what stands around the number, and by offset."""


def page_numbers(pages: Sequence[Sequence[EdgeRow]], measure: TextMeasure) -> set[int]:
    """The identities of the segments that are page numbers, alone or in a line with a title."""
    alone: _Series = defaultdict(list)
    within: _Series = defaultdict(list)
    beside: _Series = defaultdict(list)
    numbers: set[int] = set()
    for row in (row for rows in pages for row in rows):
        whole = list(_whole(row))
        if len(whole) == 1:
            kind, candidate, is_explicit = whole[0]
            alone[row.edge, kind, candidate.offset].append(candidate)
            numbers |= {id(candidate.segment)} if is_explicit and row.is_near else set()
        for one in zip(row.segments, row.texts, strict=True):
            _add(within, row, one, _SET_APART)
            _add(beside, row, one, _AT_AN_END)
    numbers |= _identities(_accepted_alone(alone, measure, len(pages)))
    numbers |= _identities(_accepted_within(within, measure))
    numbered = {row.page for rows in pages for row in rows if numbers & row.identities}
    return numbers | _identities(
        one for one in _accepted_beside(beside, measure) if one.row.page not in numbered
    )


def _whole(row: EdgeRow) -> Iterator[tuple[str, _Candidate, bool]]:
    """The segments that are a number and nothing else, and whether they say that it counts pages."""
    for segment, text in zip(row.segments, row.texts, strict=True):
        if match := _WHOLE.fullmatch(text):
            value = int(match["digits"]) if match["digits"] else _value_of(match["roman"].lower())
            kind = "digits" if match["digits"] else "roman"
            is_explicit = bool(match["word"] or match["of"]) and kind == "digits"
            yield kind, _Candidate(row, segment, value - row.page), is_explicit


def _value_of(roman: str) -> int:
    values = [_ROMAN[letter] for letter in roman]
    return sum(
        -one if one < after else one for one, after in zip(values, [*values[1:], 0], strict=True)
    )


def _add(
    series: _Series, row: EdgeRow, part: tuple[Segment, str], pattern: re.Pattern[str]
) -> None:
    segment, text = part
    for match in pattern.finditer(text):
        name = match.lastgroup or ""
        around = f"{text[: match.start(name)]}#{text[match.end(name) :]}".casefold()
        candidate = _Candidate(row, segment, int(match[name]) - row.page)
        series[row.edge, around, candidate.offset].append(candidate)


def _accepted_alone(series: _Series, measure: TextMeasure, pages: int) -> Iterator[_Candidate]:
    """Numbers that are alone, or beside a title.

    The number may be at the other edge where a chapter begins, so if both edges together number
    most pages, a few are enough; of one or two pages, it has to stand alone or in small type.
    """
    for (_, kind, offset), each in series.items():
        both = [one for edge in ("top", "bottom") for one in series.get((edge, kind, offset), ())]
        is_plain = all(len(one.row.segments) == 1 or measure.is_smaller(one.row) for one in both)
        is_first = offset == 1 and len(both) > _MOST_COUNTED * pages
        is_counted = (
            len(each) >= _MIN_COUNTED
            or (is_first and (is_plain or pages >= _MIN_COUNTED))
            or (len(each) == 2 and is_plain and all(one.row.is_near for one in each))
        )
        rows = [one.row for one in each]
        is_apart = measure.are_apart(rows, is_certain=(kind, offset) == ("digits", 1))
        if is_counted and is_apart and not _are_titles(rows, measure):
            yield from each


def _are_titles(rows: Sequence[EdgeRow], measure: TextMeasure) -> bool:
    """Whether numbers are in the type of titles; a page number at the foot may be large."""
    large = sum(measure.is_larger(row) for row in rows)
    return 2 * large > len(rows) and any(
        row.edge == "top" or len(row.segments) > 1 for row in rows
    )


def _accepted_within(series: _Series, measure: TextMeasure) -> Iterator[_Candidate]:
    """Numbers that a sign sets apart from the words of their line, or that say `page`."""
    for each in series.values():
        rows = [one.row for one in each]
        if len(each) > 1 and measure.are_apart(rows) and not any(map(measure.is_larger, rows)):
            yield from each


def _accepted_beside(series: _Series, measure: TextMeasure) -> Iterator[_Candidate]:
    """Numbers after words, in lines that look like running heads for other reasons, too."""
    for each in series.values():
        rows = [one.row for one in each]
        if (
            len(each) >= _MIN_COUNTED
            and all(map(measure.is_smaller, rows))
            and measure.are_apart(rows)
            and not are_alike(rows)
        ):
            yield from each


def _identities(candidates: Iterable[_Candidate]) -> set[int]:
    return {id(one.segment) for one in candidates}
