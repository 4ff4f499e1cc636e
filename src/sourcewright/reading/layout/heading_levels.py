"""Levels of headings: by size and weight, then by numbering, and those of bookmarks."""

import re
from collections.abc import Iterable, Mapping, Sequence

from sourcewright.reading.layout.blocks import STRONG, Block
from sourcewright.reading.layout.body import Body
from sourcewright.reading.layout.lines import rounded_size
from sourcewright.reading.layout.words import ITALIC

_MAX_LEVEL = 6
_SAME_SIZE = 0.04
"""Difference of sizes of one level, as a part of them."""
NUMBERED = re.compile(r"(?:(\d{1,2}(?:\.\d{1,2}){0,4})\.?|([IVX]{1,5}|[A-Z])\.)\s+\S")
_ROMAN = ("I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII", "XIII", "XIV")
Style = tuple[float, bool, bool]
"""Size of a heading, whether it is strong, and whether it is upright."""


def set_levels(headings: Sequence[Block], body: Body, title: Block | None) -> None:
    """Levels by size and weight, then by numbering; those from bookmarks are kept.

    The title is above all others, although chapters may be larger.
    """
    others = [one for one in headings if one is not title]
    ranks = _ranks(others, body, first=1 if title is None else 2)
    depths = _depths(others)
    least: dict[int, int] = {}
    for block in others:
        if depth := depths[block]:
            rank = ranks[style_of(block, body)]
            least[rank] = min(depth, least.get(rank, depth))
    if title is None:
        offset = _bookmark_offset(others, ranks, body)
    else:
        offset = 0 if title.level else 1
        title.level = 1
    for block in others:
        rank = ranks[style_of(block, body)]
        deeper = depths[block] - least[rank] if depths[block] else 0
        level = block.level + offset if block.level else rank + deeper
        block.level = max(1, min(level, _MAX_LEVEL))


def _ranks(headings: Iterable[Block], body: Body, first: int) -> dict[Style, int]:
    """The number of each style, from the largest and boldest on."""
    ranks: dict[Style, int] = {}
    rank, last = first - 1, None
    for style in sorted({style_of(block, body) for block in headings}, reverse=True):
        if last is None or not _is_same(last, style):
            rank += 1
        ranks[style] = rank
        last = style
    return ranks


def _bookmark_offset(headings: Sequence[Block], ranks: Mapping[Style, int], body: Body) -> int:
    """1 if a larger title stands above what the bookmarks list, 0 otherwise."""
    listed = [ranks[style_of(block, body)] for block in headings if block.level == 1]
    others = [ranks[style_of(block, body)] for block in headings[:3] if not block.level]
    return 1 if listed and others and min(others) < min(listed) else 0


def style_of(block: Block, body: Body) -> Style:
    return _type_size(block), is_strong(block), not is_italic(block, body)


def _type_size(block: Block) -> float:
    """The size of most letters, or that of the capitals if the others are small capitals."""
    largest = max(rounded_size(word.size) for word in block.lines[0].words)
    return max(block.size, largest) if block.text.isupper() else block.size


def _is_same(one: Style, other: Style) -> bool:
    return abs(one[0] - other[0]) <= _SAME_SIZE * one[0] and one[1:] == other[1:]


def _depths(headings: Iterable[Block]) -> dict[Block, int]:
    """Depth of each heading by its number, 0 without; `A.` is below `I.` if `I.` came first."""
    depths: dict[Block, int] = {}
    roman = 0
    for block in headings:
        match = NUMBERED.match(block.text)
        if match is None:
            depths[block] = 0
        elif match[1]:
            depths[block] = match[1].count(".") + 1
        else:
            is_next = match[2] in _ROMAN[roman : roman + 1]
            roman += is_next
            depths[block] = 2 if roman and not is_next else 1
    return depths


def is_unlike(title: Block | None, headings: Iterable[Block], body: Body) -> bool:
    """Whether no other heading is set as the title is."""
    return title is None or not any(
        one is not title and _is_same(style_of(one, body), style_of(title, body))
        for one in headings
    )


def is_strong(block: Block) -> bool:
    """Whether all of it is bold, or in small capitals."""
    return all(line.style & STRONG for line in block.lines)


def is_italic(block: Block, body: Body) -> bool:
    return all(line.style & ITALIC for line in block.lines) and not body.style & ITALIC
