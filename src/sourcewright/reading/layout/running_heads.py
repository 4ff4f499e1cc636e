"""Running heads, footers and page numbers: finds lines that recur at the edge of pages."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from sourcewright.reading.layout.lines import Segment, join_words

_EDGE = 0.13
"""Part of the height of a page, at its top and its bottom, in which running heads are."""
_OUTER_EDGE = 0.08
_MAX_ROWS, _MAX_PARTS = 4, 3
_MAX_EMPTIED = 0.3
"""Part of the pages that may have nothing but a running head."""
_SAME_HEIGHT = 6.0
_LONGEST = 200
_DIGITS = re.compile(r"\d+")
_PAGE_NUMBER = re.compile(
    r"[-\u2013\u2014\[(|\s]{0,4}(?:(?:page|seite|p\.|pag\.|página|стр\.|صفحه|第)\s{0,3})?"
    r"(?:\d{1,4}|[ivxlc]{1,7})"
    r"(?:\s{0,3}(?:of|/|von|de|из)\s{0,3}\d{1,4})?(?:\s?页)?[-\u2013\u2014\])|\s]{0,4}",
    re.IGNORECASE,
)

_APART = 2.0
_MIN_SHARE = 0.1
"""Part of the pages on which a row recurs that is apart from the running head."""
_COUNTED_EDGE = 0.25
"""Part of the height in which page numbers are; TeX has wide margins."""
_MIN_COUNTED, _MOST_COUNTED = 3, 0.6
_NUMBER = re.compile(r"[0-9]{1,4}")
_LARGER = 1.2
"""Size of titles; running heads are hardly larger than the text."""

Pages = Sequence[tuple[float, Sequence[Segment]]]
"""Height and segments of each page."""


class _Heads(NamedTuple):
    """What recurs at the edges of a document."""

    repeats: Mapping[tuple[str, str], Counter[int]]
    size: float
    """Usual size of its text."""
    pages: int


def without_running_heads(pages: Pages) -> list[list[Segment]]:
    """The segments of each page without running heads and page numbers."""
    edges = [list(_edge_rows(height, segments)) for height, segments in pages]
    heads = _Heads(_repeats(edges), _usual_size(pages), len(pages))
    counted = _counted(pages)
    peeled = [
        [one for one in _peeled(segments, rows, heads) if id(one) not in counted]
        for (_, segments), rows in zip(pages, edges, strict=True)
    ]
    # A document is not only running heads, but the page before a chapter may be.
    emptied = sum(not rest and len(page[1]) > 0 for rest, page in zip(peeled, pages, strict=True))
    if emptied > _MAX_EMPTIED * len(pages):
        return [rest or list(page[1]) for rest, page in zip(peeled, pages, strict=True)]
    return peeled


Row = tuple[str, float, list[Segment]]
"""The edge of the page, the distance from it as a part of the height, and the segments."""


def _edge_rows(height: float, segments: Sequence[Segment]) -> Iterator[Row]:
    """Rows near the top and the bottom, from outside to inside."""
    if height <= 0:
        return
    for edge in ("top", "bottom"):
        near = [
            (distance, one)
            for one in segments
            if (distance := _distance(edge, one.base, height)) <= _EDGE
        ]
        near.sort(key=lambda pair: pair[0])
        rows: list[Row] = []
        for distance, one in near:
            if rows and abs(rows[-1][2][0].base - one.base) <= 0.4 * one.size:
                rows[-1][2].append(one)
            else:
                rows.append((edge, distance, [one]))
        yield from rows[:_MAX_ROWS]


def _distance(edge: str, base: float, height: float) -> float:
    return (height - base) / height if edge == "top" else base / height


def _key(edge: str, segment: Segment) -> tuple[str, str]:
    return edge, _DIGITS.sub("#", join_words(segment.words)[:_LONGEST]).casefold()


def _repeats(edges: Iterable[Iterable[Row]]) -> Mapping[tuple[str, str], Counter[int]]:
    """For each text at an edge, the number of pages that have it at each height."""
    counts: defaultdict[tuple[str, str], Counter[int]] = defaultdict(Counter)
    for rows in edges:
        seen = {
            (_key(edge, one), round(one.base / _SAME_HEIGHT))
            for edge, _, row in rows
            for one in row
        }
        for key, height in seen:
            counts[key][height] += 1
    return counts


def _counted(pages: Pages) -> set[int]:
    """First and last rows whose number rises by one with each page, alone or beside a title.

    The number may be at the other edge where a chapter begins, so if both edges together number
    most pages, a few are enough; of one or two pages, it has to stand alone.
    """
    rows: defaultdict[tuple[str, int], list[list[Segment]]] = defaultdict(list)
    largest = _LARGER * _usual_size(pages)
    for at, (height, segments) in enumerate(pages):
        for edge in ("top", "bottom") if segments and height > 0 else ():
            outer = min(segments, key=lambda one: _distance(edge, one.base, height))
            row = [one for one in segments if abs(one.base - outer.base) <= 0.4 * outer.size]
            is_head = len(row) == 1 or (len(row) <= _MAX_PARTS and outer.size <= largest)
            if not is_head or _distance(edge, outer.base, height) > _COUNTED_EDGE:
                continue
            texts = (join_words(one.words)[:_LONGEST] for one in row)
            numbers = [int(text) for text in texts if _NUMBER.fullmatch(text)]
            if len(numbers) == 1:
                rows[edge, numbers[0] - at].append(row)
    counted = [same for same in rows.values() if len(same) >= _MIN_COUNTED]
    first = [row for edge in ("top", "bottom") for row in rows[edge, 1]]
    is_alone = len(pages) >= _MIN_COUNTED or all(len(row) == 1 for row in first)
    if is_alone and len(first) > _MOST_COUNTED * len(pages):
        counted.append(first)
    return {id(one) for same in counted for row in same for one in row}


def _usual_size(pages: Pages) -> float:
    sizes = sorted(one.size for _, segments in pages for one in segments)
    return sizes[len(sizes) // 2] if sizes else 0.0


def _peeled(segments: Sequence[Segment], rows: Iterable[Row], heads: _Heads) -> list[Segment]:
    removed: set[int] = set()
    stopped: set[str] = set()
    outer: dict[str, Segment] = {}
    for edge, distance, row in rows:
        if edge in stopped:
            continue
        least = heads.pages * _MIN_SHARE if _is_apart(outer.get(edge), row[0]) else 2.0
        if _is_numbered_head(row, distance, heads.pages) or all(
            _is_repeated(edge, distance, one, heads, least) for one in row
        ):
            removed.update(map(id, row))
            outer[edge] = row[0]
        else:
            stopped.add(edge)
    return [one for one in segments if id(one) not in removed]


def _is_apart(outer: Segment | None, segment: Segment) -> bool:
    """Whether a row is far from the running head before it, so that the text begins there."""
    return outer is not None and abs(outer.base - segment.base) > _APART * segment.size


def _is_numbered_head(row: Sequence[Segment], distance: float, pages: int) -> bool:
    """Whether a row at the very edge is a page number with a title beside it."""
    if pages < 2 or distance > _OUTER_EDGE or not 1 < len(row) <= _MAX_PARTS:
        return False
    return any(_PAGE_NUMBER.fullmatch(join_words(one.words)[:_LONGEST]) for one in row)


def _is_repeated(
    edge: str, distance: float, segment: Segment, heads: _Heads, least: float
) -> bool:
    if _PAGE_NUMBER.fullmatch(join_words(segment.words)[:_LONGEST]):
        return True
    heights = heads.repeats[_key(edge, segment)]
    at = round(segment.base / _SAME_HEIGHT)
    count = max(heights[at] + heights[at + 1], heights[at] + heights[at - 1])
    if segment.size > _LARGER * heads.size and count <= heads.pages // 2:
        # The title of a slide, which goes on over the next ones.
        return False
    if count >= max(2, least):
        has_number = "#" in _key(edge, segment)[1]
        return count > 2 or has_number or distance <= _OUTER_EDGE
    return False
