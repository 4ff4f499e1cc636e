"""Bullets that a file draws instead of writing them: small shapes before the text of a line."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence

from sourcewright.reading.layout.lines import Segment, TextLine, is_right_to_left
from sourcewright.reading.layout.words import Drawing, Word

_BULLET = "\u2022"
_MAX_SIGNS = 400
"""Signs of a page; a plot has more markers."""
_LARGEST, _LARGEST_AROUND = 0.8, 1.5
"""Extent of a bullet, and of one with a number in it, in units of the font size."""
_LOW, _HIGH = -0.15, 0.75
"""Where the middle of a bullet is above the baseline, in units of the font size."""
_MAX_GAP = 2.5
"""Width of the gap after a bullet, in units of the font size."""


def with_drawn_bullets(lines: Sequence[TextLine], signs: Sequence[Drawing]) -> list[TextLine]:
    """Lines of a column with a bullet where a sign stands before them."""
    if not 0 < len(signs) <= _MAX_SIGNS:
        return list(lines)
    ordered = sorted(signs, key=_middle)
    middles = [_middle(one) for one in ordered]
    marked: list[TextLine] = []
    for line in lines:
        low = bisect_left(middles, line.base + _LOW * line.size)
        high = bisect_right(middles, line.base + _HIGH * line.size)
        marked.append(_marked(line, ordered[low:high]))
    return marked


def _middle(sign: Drawing) -> float:
    return (sign.bottom + sign.top) / 2


def _marked(line: TextLine, signs: Sequence[Drawing]) -> TextLine:
    for sign in signs:
        extent = max(sign.right - sign.left, sign.top - sign.bottom) / line.size
        if extent <= _LARGEST and _is_before(line, sign) and _has_text(line.words[0]):
            return _with_bullet(line, sign)
        if extent <= _LARGEST_AROUND and _is_number_in(line, sign):
            number = line.words[0]
            return TextLine(
                [number._replace(text=f"{number.text}."), *line.words[1:]], line.segments
            )
    return line


def _is_before(line: TextLine, sign: Drawing) -> bool:
    is_mirrored = is_right_to_left(line.text)
    gap = sign.left - line.right if is_mirrored else line.left - sign.right
    return 0 <= gap <= _MAX_GAP * line.size


def _has_text(word: Word) -> bool:
    """Whether a word is not a bullet itself."""
    return len(word.text) > 1 or word.text.isalnum()


def _with_bullet(line: TextLine, sign: Drawing) -> TextLine:
    first = line.words[0]
    bullet = first._replace(text=_BULLET, left=sign.left, right=sign.right, style=0, joined=False)
    segments = [
        Segment([bullet, *one.words], one.order) if first in one.words else one
        for one in line.segments
    ]
    return TextLine([bullet, first._replace(joined=False), *line.words[1:]], segments)


def _is_number_in(line: TextLine, sign: Drawing) -> bool:
    """Whether a number is drawn on a sign, and text follows it."""
    word = line.words[0]
    is_inside = sign.left <= (word.left + word.right) / 2 <= sign.right
    return is_inside and word.text.isdecimal() and len(line.words) > 1
