"""Display formulas: finds them among the lines of a column, each as one part of its text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from sourcewright.reading.layout.blocks import Column, column_of, marker_of
from sourcewright.reading.layout.formulas.linear_text import formula_rows
from sourcewright.reading.layout.lines import TextLine
from sourcewright.reading.layout.words import FIXED, MATH, Rule, Word

_PROSE = re.compile(r"[^\W\d_]{2,}[,.:;]?")
_FUNCTIONS = re.compile(
    "lim|max|min|sup|inf|arg|log|ln|exp|sinh?|cosh?|tanh?|det|dim|ker|deg|gcd|mod|diag|tr|rank|trace"
    "|vec|div|grad|curl|sgn|erf|Pr|[Vv]ar|[Cc]ov|[Cc]orr|Re|Im|if"
)
_RELATION = re.compile("[=<>\u2190-\u21ff\u2200-\u22ff\u2a00-\u2aff\u00b1\u00d7:+]")
_EQUATION_NUMBER = re.compile(r"\((?:[A-Z]{1,2}\.?)?\d{0,3}(?:\.\d{1,3}){0,3}[a-z]?['\u2032*]?\)")
_MAX_PROSE_WORDS = 5
_MAX_PROSE = 0.45
_INDENT = 0.9
_MIN_SPACE = 1.28
"""Distance from the line above, in usual distances, of a formula that is not indented."""
_MAX_DISTANCE = 3.4
_CLOSE = 0.95
"""Distance of parts of one formula, in units of the font size: less than that of lines."""
_NUMBER_DISTANCE = 2.2
_NUMBER_GAP = 1.2
"""Space between a formula and its number, in units of the font size."""
_FEW_PROSE_WORDS = 2
_MAX_FRAGMENT = 0.75
"""Width of a part of a formula, as a part of that of the column."""
_LIMIT_DISTANCE = 1.6
"""Distance of a limit from the baseline of its operator."""
_MAX_GAPS = 3
_WIDE_GAP = 2.0
_MAX_LINES = 60
_MAX_WORDS = 800
"""Signs of one formula, which are compared with each other."""
_SMALL = 0.86


class _Kind(Enum):
    """What a line may be."""

    TEXT = 0
    FRAGMENT = 1
    """A limit, a numerator or the like, if it is near a formula."""
    NUMBER = 2
    """The number of an equation by itself."""
    FORMULA = 3


@dataclass(frozen=True, slots=True)
class Formula:
    """A display formula, as rows of text in linear order."""

    rows: Sequence[str]


def with_formulas(
    lines: Sequence[TextLine], rules: Sequence[Rule]
) -> Iterator[list[TextLine] | Formula]:
    """Lines of a column, with formulas in the places of the lines that they consist of."""
    if not any(_is_math(word) for line in lines for word in line.words):
        if lines:
            yield list(lines)
        return
    column = column_of(lines)
    kinds = [_kind(lines, at, column) for at in range(len(lines))]
    at = 0
    for start, stop in _groups(lines, kinds):
        rows = _rows(lines[start:stop], rules)
        if not rows:
            continue
        if start > at:
            yield list(lines[at:start])
        yield Formula(rows)
        at = stop
    if at < len(lines):
        yield list(lines[at:])


def _kind(lines: Sequence[TextLine], at: int, column: Column) -> _Kind:
    line = lines[at]
    words = line.words
    if any(word.style & FIXED for word in words):
        return _Kind.TEXT
    if _EQUATION_NUMBER.fullmatch(line.text) and line.left > (column.left + column.right) / 2:
        return _Kind.NUMBER
    prose = [word for word in words if _is_prose(word, line)]
    letters = sum(len(word.text) for word in words)
    has_math = any(map(_is_math, words))
    is_plain = sum(len(word.text) for word in prose) <= _MAX_PROSE * letters
    if has_math and is_plain and len(prose) <= _MAX_PROSE_WORDS and not _is_text(line, prose):
        has_relation = any(_RELATION.search(word.text) for word in words)
        if has_relation and _is_displayed(lines, at, column, len(prose)):
            return _Kind.FORMULA
    is_short = line.right - line.left < _MAX_FRAGMENT * (column.right - column.left)
    return _Kind.FRAGMENT if is_short and not prose else _Kind.TEXT


def _is_text(line: TextLine, prose: Sequence[Word]) -> bool:
    """Whether a line is an item, or has the start of a sentence in it."""
    if marker_of(line) and line.words[1].left - line.words[0].right < _NUMBER_GAP * line.size:
        return True
    return any(
        word.text[0].isupper() and (after is None or not after.text.startswith("("))
        for word, after in zip(line.words, [*line.words[1:], None], strict=True)
        if word in prose
    )


def _is_math(word: Word) -> bool:
    return bool(word.style & MATH) or "\U0001d400" <= word.text[:1] <= "\U0001d7ff"


def _is_prose(word: Word, line: TextLine) -> bool:
    if _is_math(word) or word.size < _SMALL * line.size:
        return False
    return _PROSE.fullmatch(word.text) is not None and not _FUNCTIONS.fullmatch(word.text)


def _is_displayed(lines: Sequence[TextLine], at: int, column: Column, prose: int) -> bool:
    """Whether a line stands apart from the text: indented, or at a distance."""
    line = lines[at]
    if _wide_gaps(line) > _MAX_GAPS:
        return False
    above = lines[at - 1] if at else None
    pitch = column.pitch_of(line.size)
    distance = above.base - line.base if above is not None else 2 * pitch
    is_apart = distance > _MIN_SPACE * pitch
    left = line.words[1].left if marker_of(line) else line.left
    if above is not None and not is_apart and abs(above.left - left) < 1.0:
        return False
    is_indented = left > column.left + _INDENT * line.size
    return (is_indented and (is_apart or prose <= _FEW_PROSE_WORDS)) or (
        is_apart and prose <= _FEW_PROSE_WORDS
    )


def _wide_gaps(line: TextLine) -> int:
    gaps, reach = 0, line.left
    for one in line.segments:
        gaps += one.left - reach > _WIDE_GAP * line.size
        reach = max(reach, one.right)
    return gaps


def _groups(lines: Sequence[TextLine], kinds: Sequence[_Kind]) -> Iterator[tuple[int, int]]:
    """First lines of formulas, and the lines after their last ones."""
    end = 0
    for at, kind in enumerate(kinds):
        if kind is not _Kind.FORMULA or at < end:
            continue
        start = at
        while start > end and _belongs(lines, kinds, start - 1, start):
            start -= 1
        stop = at + 1
        while stop < min(len(lines), start + _MAX_LINES) and _belongs(
            lines, kinds, stop, stop - 1
        ):
            stop += 1
        yield start, stop
        end = stop


def _belongs(lines: Sequence[TextLine], kinds: Sequence[_Kind], at: int, beside: int) -> bool:
    """Whether a line is a part of the formula that has the line beside it."""
    line, other = lines[at], lines[beside]
    size = max(line.size, other.size)
    distance = abs(line.base - other.base)
    if kinds[at] is _Kind.FORMULA:
        return distance < _MAX_DISTANCE * size
    if kinds[at] is _Kind.NUMBER:
        return at > beside and distance < _NUMBER_DISTANCE * size
    reach = _LIMIT_DISTANCE if line.size < _SMALL * size else _CLOSE
    if kinds[at] is _Kind.TEXT or distance >= reach * size:
        return False
    outer = 2 * at - beside
    if 0 <= outer < len(lines) and kinds[outer] is _Kind.TEXT:
        return abs(lines[outer].base - line.base) >= distance
    return True


def _rows(lines: Sequence[TextLine], rules: Sequence[Rule]) -> list[str]:
    words = [word for line in lines for word in line.words]
    if len(words) > _MAX_WORDS:
        return []
    left, right = min(one.left for one in words), max(one.right for one in words)
    size = max(one.size for one in words)
    top, bottom = max(one.base for one in words) + size, min(one.base for one in words) - size
    bars = [
        one
        for one in rules
        if bottom < one.bottom < top and left - size < one.left and one.right < right + size
    ]
    rows: list[str] = []
    for text in formula_rows(words, bars):
        if rows and _EQUATION_NUMBER.fullmatch(text):
            rows[-1] = f"{rows[-1]} {text}"
        else:
            rows.append(text)
    return rows
