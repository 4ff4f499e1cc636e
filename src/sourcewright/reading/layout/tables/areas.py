"""Areas of a page: rectangles that hold text."""

from collections.abc import Iterable
from typing import NamedTuple

from sourcewright.reading.layout.lines import Segment
from sourcewright.reading.layout.words import Rule


class Area(NamedTuple):
    """A part of a page."""

    left: float
    bottom: float
    right: float
    top: float

    def holds(self, segment: Segment) -> bool:
        middle = (segment.left + segment.right) / 2
        height = segment.base + 0.3 * segment.size
        return self.left <= middle <= self.right and self.bottom <= height <= self.top


def area_of(boxes: Iterable[Area | Rule]) -> Area:
    lefts, bottoms, rights, tops = zip(*boxes, strict=True)
    return Area(min(lefts), min(bottoms), max(rights), max(tops))
