"""The body of a document: the size and style of its running text."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from sourcewright.reading.layout.lines import TextLine
from sourcewright.reading.layout.words import FIXED

_MIN_PROSE = 0.1
"""Part of the letters that are not in a typewriter font, unless the whole document is."""


@dataclass(frozen=True, slots=True)
class Body:
    """Size and style of the running text of a document."""

    size: float
    style: int


def body_of(lines: Iterable[TextLine]) -> Body:
    """The size and style that most letters have; a manual may have more code than text."""
    letters: Counter[tuple[float, int]] = Counter()
    for line in lines:
        letters[line.size, line.style] += sum(len(word.text) for word in line.words)
    prose = Counter({one: count for one, count in letters.items() if not one[1] & FIXED})
    if prose.total() >= _MIN_PROSE * letters.total():
        letters = prose
    if not letters:
        return Body(10.0, 0)
    size, style = letters.most_common(1)[0][0]
    return Body(size, style)
