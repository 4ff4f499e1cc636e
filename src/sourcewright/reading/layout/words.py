"""Words of a page with position, size and font style, from which the layout is found."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

BOLD, ITALIC, FIXED, MATH, CAPITALS = 1, 2, 4, 8, 16
"""Font styles of a word, as flags; a math font has no other. Capitals are small capitals."""


class Tag(NamedTuple):
    """What the structure tree of a tagged PDF says about a piece of text."""

    heading: int = 0
    """Level of a heading."""
    item: int = 0
    """Number of a list item on the page."""
    is_label: bool = False
    """Whether it is the bullet or the number of the list item."""


NO_TAG = Tag()


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
    tag: Tag = NO_TAG


class Rule(NamedTuple):
    """A straight horizontal or vertical line, or the edge of a box."""

    left: float
    bottom: float
    right: float
    top: float

    @property
    def is_horizontal(self) -> bool:
        return self.right - self.left >= self.top - self.bottom


class Drawing(NamedTuple):
    """The extent of a curve or of slanted lines, of which figures consist and tables do not."""

    left: float
    bottom: float
    right: float
    top: float


class Picture(NamedTuple):
    """The extent of a figure, and the text by which the file describes it."""

    left: float
    bottom: float
    right: float
    top: float
    text: str


class MarginLine(NamedTuple):
    """A line in another direction than the rest of the page, and the middle of it."""

    text: str
    x: float
    y: float


@dataclass(frozen=True, slots=True, kw_only=True)
class PageWords:
    """What a page shows: words in the order of the file, rules and drawings."""

    number: int
    width: float
    height: float
    words: Sequence[Word] = ()
    rules: Sequence[Rule] = ()
    drawings: Sequence[Drawing] = ()
    pictures: Sequence[Picture] = ()
    signs: Sequence[Drawing] = ()
    """Small shapes and images, of which some are bullets."""
    margin: Sequence[MarginLine] = ()
    """Such as a stamp in the margin, or the label of a vertical axis."""
    is_scan: bool = False
    """Whether it is an image without text."""
    recognised: Sequence[str] = ()
    """Paragraphs that OCR recognised in the image of the page."""
    plain: str = ""
    """The text of a page whose layout is not examined."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Bookmark:
    """An entry of the document's own outline."""

    level: int
    title: str
    page: int
