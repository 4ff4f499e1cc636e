"""Words of a page with position, size and font style, from which the layout is found."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

BOLD, ITALIC, FIXED = 1, 2, 4
"""Font styles of a word, as flags."""
DIRECTIONS = 4


class Word(NamedTuple):
    """Characters of one font without a space between them; y grows upwards, in points."""

    text: str
    left: float
    right: float
    base: float
    """Y of the baseline."""
    size: float
    style: int = 0
    joined: bool = False
    """Whether no space separates it from the word before it in the file."""
    mark: int = -1
    """Number of its marked content in the structure of the page; -1 if it has none."""


class Rule(NamedTuple):
    """A straight horizontal or vertical line, or the edge of a box."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def is_horizontal(self) -> bool:
        return self.right - self.left >= self.top - self.bottom


class Element(NamedTuple):
    """An element of the structure of a tagged page, in reading order."""

    role: str
    """Its type, such as `H1`, `P`, `LI` or `TD`."""
    marks: tuple[int, ...]
    """Numbers of the marked content that stands directly in it, in order with its children."""
    depth: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWords:
    """What a page shows: words in the order of the file, rules, and the structure if tagged."""

    number: int
    width: float
    height: float
    words: Sequence[Word] = ()
    rules: Sequence[Rule] = ()
    margin: Sequence[str] = ()
    """Lines in another direction than the rest of the page, such as a stamp in the margin."""
    elements: Sequence[Element] = ()
    is_scan: bool = False
    plain: str = ""
    """The text of a page whose layout is not examined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """An entry of the document's own outline."""

    level: int
    title: str
    page: int
    children: int = field(default=0)
