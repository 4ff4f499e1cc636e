"""Text of a display formula in linear order: fractions, limits, superscripts and subscripts."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import NamedTuple

from sourcewright.base.text.plain import superscript_of
from sourcewright.reading.layout.lines import ASCENT, DESCENT
from sourcewright.reading.layout.words import Rule, Word

_SMALL = 0.86
"""Size of an index, as a part of the size of the formula."""
_AXIS = 0.25
"""Height of the bar of a fraction above the baseline, in units of the font size."""
_REACH_UP, _REACH_DOWN = 1.0, 0.75
"""Space between the bar of a fraction and its parts: a superscript is further above it."""
_NEARER = 1.5
_LIMIT_REACH = 2.2
_INDEX_RISE, _INDEX_GAP = 0.6, 0.25
_RAISED, _LOWERED = 0.18, -0.06
_SAME_ROW = 0.55
_GAP = 0.2
"""Space between two signs, in units of the font size; that around `+` is wider."""
_THIN_GAP = 0.1
"""Space after a comma, and around the name of a function."""
_MAX_BARS = 60
_OPERATORS = frozenset(
    "\u2211\u220f\u222b\u222e\u22c3\u22c2\u2a06\u22c0\u22c1\u2295\u2297\u2299\u228e\u2210"
)
_NAMED_OPERATORS = frozenset(
    ("lim", "max", "min", "sup", "inf", "argmax", "argmin", "limsup", "liminf")
)
_PRIMES = "\u2032\u2033'"
_RULE_EDGE = 1.5


class _Item(NamedTuple):
    """A sign, or a fraction as a whole."""

    text: str
    left: float
    right: float
    base: float
    size: float
    bottom: float
    top: float

    @property
    def middle(self) -> float:
        return self.base + _AXIS * self.size

    @property
    def is_operator(self) -> bool:
        return self.text in _OPERATORS or self.text in _NAMED_OPERATORS


class _Row(NamedTuple):
    base: float
    items: list[_Item]


def formula_rows(words: Iterable[Word], rules: Iterable[Rule]) -> list[str]:
    """The rows of a formula from top to bottom, each in the order in which it is read."""
    items = [
        _Item(
            *(one.text, one.left, one.right, one.base, one.size),
            bottom=one.base - DESCENT * one.size,
            top=one.base + ASCENT * one.size,
        )
        for one in words
    ]
    size = _usual_size(items)
    bars = [one for one in rules if one.is_horizontal]
    bars.sort(key=lambda one: one.right - one.left)
    for bar in bars[:_MAX_BARS]:
        items = _with_fraction(items, bar, bars, size)
    return [text for text in (_row_text(row, size) for row in _rows(items, size)) if text]


def _usual_size(items: Sequence[_Item]) -> float:
    """The size of the baseline: the largest that is not rare."""
    sizes = sorted((one.size for one in items), reverse=True)
    return sizes[len(sizes) // 8]


def _with_fraction(
    items: list[_Item], bar: Rule, bars: Sequence[Rule], size: float
) -> list[_Item]:
    """The items with one for the fraction at a bar; the same ones if it has no two parts."""
    height = (bar.bottom + bar.top) / 2
    within = [
        one
        for one in items
        if bar.left - _RULE_EDGE <= (one.left + one.right) / 2 <= bar.right + _RULE_EDGE
        and not any(_is_of_other_bar(one, bar, other) for other in bars[:_MAX_BARS])
    ]
    near = [
        one
        for one in within
        if one.top > height - _REACH_DOWN * size and one.bottom < height + _REACH_UP * size
    ]
    # A fraction within this one reaches further, and so does what stands beside it.
    bottom = min((one.bottom for one in near), default=height)
    top = max((one.top for one in near), default=height)
    near = [one for one in within if bottom < one.middle < top]
    upper = [one for one in near if one.middle > height]
    lower = [one for one in near if one.middle <= height]
    if not upper or not lower or min(one.left for one in near) < bar.left - size:
        return items
    text = f"{_part(upper)}/{_part(lower)}"
    consumed = set(map(id, near))
    rest = [one for one in items if id(one) not in consumed]
    extent = min(one.bottom for one in near), max(one.top for one in near)
    return [*rest, _Item(text, bar.left, bar.right, height - _AXIS * size, size, *extent)]


def _is_of_other_bar(item: _Item, bar: Rule, other: Rule) -> bool:
    """Whether another bar is between an item and a bar, or wider and much nearer."""
    if other is bar or not other.left <= (item.left + item.right) / 2 <= other.right:
        return False
    low, high = sorted((item.middle, (bar.bottom + bar.top) / 2))
    is_wider = other.right - other.left >= 0.9 * (bar.right - bar.left)
    distance = abs(item.middle - other.bottom)
    return low < other.bottom < high or (is_wider and _NEARER * distance < high - low)


def _part(items: Sequence[_Item]) -> str:
    """A part of a fraction, in parentheses unless it is one sign."""
    size = _usual_size(items)
    text = " ".join(_row_text(row, size) for row in _rows(items, size))
    return text if text.isalnum() or len(text) == 1 else f"({text})"


def _rows(items: Sequence[_Item], size: float) -> list[_Row]:
    """Signs on one baseline, with the indices and limits that belong to them."""
    rows: list[_Row] = []
    small: list[_Item] = []
    for one in sorted(items, key=lambda one: -one.base):
        if one.size < _SMALL * size:
            small.append(one)
        elif rows and rows[-1].base - one.base < _SAME_ROW * size:
            rows[-1].items.append(one)
        else:
            rows.append(_Row(one.base, [one]))
    if not rows:
        return [_Row(max(one.base for one in small), small)] if small else []
    mains = [_Row(_base_of(row.items), list(row.items)) for row in rows]
    for one in small:
        _row_of(one, mains, size).items.append(one)
    return mains


def _base_of(items: Sequence[_Item]) -> float:
    """The baseline of most signs; operators and fractions are centred around it."""
    bases = sorted(one.base for one in items if not one.is_operator) or [items[0].base]
    return bases[len(bases) // 2]


def _row_of(item: _Item, rows: Sequence[_Row], size: float) -> _Row:
    """The row whose operator has an item as its limit, or that is nearest to it."""
    for row in rows:
        if any(_is_index(item, one, row.base, size) for one in row.items):
            return row
    for row in sorted(rows, key=lambda row: abs(row.base - item.base)):
        if any(_is_limit(item, one, size) for one in row.items):
            return row
    return min(rows, key=lambda row: _distance(item, row))


def _is_index(item: _Item, sign: _Item, base: float, size: float) -> bool:
    """Whether an item stands just behind a sign, a little above or below its baseline."""
    return (
        abs(item.base - base) < _INDEX_RISE * size
        and -_INDEX_GAP * size < item.left - sign.right < _INDEX_GAP * size
    )


def _distance(item: _Item, row: _Row) -> float:
    """The distance from the nearest sign of a row, which counts less across than upwards."""
    return min(
        2 * abs(item.base - row.base) + max(0.0, item.left - one.right, one.left - item.right)
        for one in row.items
    )


def _is_limit(item: _Item, operator: _Item, size: float) -> bool:
    """Whether an index stands above or below an operator."""
    if not operator.is_operator or item.size >= _SMALL * size:
        return False
    slack = size
    middle = (item.left + item.right) / 2
    return (
        operator.left - slack <= middle <= operator.right + slack
        and abs(item.middle - operator.middle) < _LIMIT_REACH * size
        and abs(item.base - operator.base) > 0.6 * size
    )


def _row_text(row: _Row, size: float) -> str:
    main = sorted(
        (one for one in row.items if one.size >= _SMALL * size), key=lambda one: one.left
    )
    small = sorted(
        (one for one in row.items if one.size < _SMALL * size), key=lambda one: one.left
    )
    if not main:
        return _joined(small, size)
    indices: dict[int, list[_Item]] = {}
    for one in small:
        indices.setdefault(_place(one, main, size), []).append(one)
    parts = _indices(indices.get(-1, []), row.base, size)
    for at, one in enumerate(main):
        if at and _is_apart(main[at - 1], one, indices.get(at - 1, []), size):
            parts.append(" ")
        parts += [one.text, *_indices(indices.get(at, []), row.base, size)]
    return "".join(parts).strip()


def _place(item: _Item, main: Sequence[_Item], size: float) -> int:
    """The number of the sign to which an index belongs: the last one before it, or its operator."""
    operators = [at for at, one in enumerate(main) if _is_limit(item, one, size)]
    if operators:
        centre = item.left + item.right
        return min(operators, key=lambda at: abs(main[at].left + main[at].right - centre))
    return max((at for at, one in enumerate(main) if one.left <= item.left), default=-1)


def _is_apart(before: _Item, item: _Item, indices: Sequence[_Item], size: float) -> bool:
    reach = max([before.right, *(one.right for one in indices if one.right <= item.left + 1)])
    is_word = len(before.text) > 1 and before.text.isalpha()
    is_word = is_word or (len(item.text) > 1 and item.text.isalpha())
    gap = _THIN_GAP if is_word or before.text[-1:] in ",;" else _GAP
    return item.left - reach > gap * size


def _indices(items: Sequence[_Item], base: float, size: float) -> list[str]:
    """Subscripts, then superscripts."""
    levels = {
        level: _joined([one for one in items if _level(one, base, size) == level], size)
        for level in (0, -1, 1)
    }
    written = [levels[0]] if levels[0] else []
    if lower := levels[-1]:
        written.append(f"_{lower}" if len(lower) == 1 else f"_{{{lower}}}")
    if upper := levels[1]:
        written.append(_superscript(upper))
    return written


def _level(item: _Item, base: float, size: float) -> int:
    rise = (item.base - base) / (size or 1.0)
    return 1 if rise > _RAISED else -1 if rise < _LOWERED else 0


def _superscript(text: str) -> str:
    if not text.strip(_PRIMES):
        return text
    return superscript_of(text) or (f"^{text}" if len(text) == 1 else f"^{{{text}}}")


def _joined(items: Sequence[_Item], size: float) -> str:
    """Items of an index from left to right, each of its lines for itself."""
    lines: list[list[_Item]] = []
    for one in sorted(items, key=lambda one: -one.base):
        if lines and lines[-1][0].base - one.base < _SAME_ROW * size:
            lines[-1].append(one)
        else:
            lines.append([one])
    return " ".join(_spaced(sorted(line, key=lambda one: one.left), size) for line in lines)


def _spaced(items: Sequence[_Item], size: float) -> str:
    parts = [items[0].text]
    for before, one in pairwise(items):
        if one.left - before.right > _GAP * size:
            parts.append(" ")
        parts.append(one.text)
    return "".join(parts)
