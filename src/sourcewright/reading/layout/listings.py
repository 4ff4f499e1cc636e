"""Listings of algorithms, whose lines are numbered as `1:`, `2:` and so on."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sourcewright.reading.layout.lines import TextLine

_NUMBER = re.compile(r"(\d{1,3}):")
_MIN_LINES = 3


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines of an algorithm without their numbers."""

    lines: Sequence[TextLine]


def numbered_listings(lines: Sequence[TextLine]) -> Iterator[tuple[int, int, Listing]]:
    """Listings among lines: the first line, the line after the last, and the listing."""
    start = 0
    while start < len(lines):
        stop = start
        while stop < len(lines) and _follows(lines[start : stop + 1]):
            stop += 1
        if stop - start >= _MIN_LINES:
            yield start, stop, Listing([TextLine(line.words[1:]) for line in lines[start:stop]])
        start = max(stop, start + 1)


def _follows(lines: Sequence[TextLine]) -> bool:
    """Whether the last of some lines has the number after that of the one before it."""
    number = _number_of(lines[-1])
    if number is None or len(lines) == 1:
        return number is not None
    return number - 1 == _number_of(lines[-2])


def _number_of(line: TextLine) -> int | None:
    match = _NUMBER.fullmatch(line.words[0].text)
    return int(match[1]) if match and len(line.words) > 1 else None
