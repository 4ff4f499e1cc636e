"""Spans of PDF text: the characters of a word that one text object draws, by their numbers."""

from collections.abc import Callable
from typing import NamedTuple

from sourcewright.reading.layout.words import Tag

Origins = Callable[[int], tuple[float, float]]
"""The place of a character on the page, by its number."""


class Run(NamedTuple):
    """What the characters of one text object have in common."""

    font: int
    style: int
    size: float
    direction: int
    """Quarter turns of the text, counterclockwise."""
    tag: Tag | None
    """None if the text has no tag."""


class Span(NamedTuple):
    """A word as numbers of its characters."""

    first: int
    last: int
    text: str
    joined: bool
    run: Run
