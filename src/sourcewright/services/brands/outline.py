"""Outline of a page while its lines are read: the headings above the current line."""

import re
from collections.abc import Iterator

from sourcewright.services.brands.markup import Line


class Outline:
    """The headings above a line, by level; the title of the page is above all."""

    def __init__(self, title: str = "") -> None:
        self._headings: dict[int, str] = {0: title} if title else {}

    def add(self, line: Line) -> None:
        """Take notice of a line; one that is no heading changes nothing."""
        if line.heading:
            above = {level: text for level, text in self._headings.items() if level < line.heading}
            self._headings = {**above, line.heading: line.text}

    def deepest_first(self) -> Iterator[str]:
        """The headings without the title."""
        levels = sorted(filter(None, self._headings), reverse=True)
        yield from (self._headings[level] for level in levels)

    def mentions(self, subject: re.Pattern[str]) -> bool:
        """Whether any heading above speaks of a subject."""
        return any(subject.search(text) for text in self._headings.values())
