"""Page coordinates: boxes of a page, turned so that its text reads to the right."""

from typing import NamedTuple

Box = tuple[float, float, float, float]
"""Left, bottom, right and top."""


class Frame(NamedTuple):
    """The box of a page in the coordinates of the file."""

    left: float
    bottom: float
    right: float
    top: float

    def turned(self, direction: int, box: Box) -> Box:
        """A box in the coordinates in which text of this direction reads to the right."""
        left, bottom, right, top = box
        if direction == 1:
            return bottom - self.bottom, self.right - right, top - self.bottom, self.right - left
        if direction == 2:
            return self.right - right, self.top - top, self.right - left, self.top - bottom
        if direction == 3:
            return self.top - top, left - self.left, self.top - bottom, right - self.left
        return left - self.left, bottom - self.bottom, right - self.left, top - self.bottom

    def unturned(self, direction: int, x: float, y: float) -> tuple[float, float]:
        """A point of those coordinates in the coordinates of the file."""
        if direction == 1:
            return self.right - y, x + self.bottom
        if direction == 2:
            return self.right - x, self.top - y
        if direction == 3:
            return y + self.left, self.top - x
        return x + self.left, y + self.bottom

    def size(self, direction: int) -> tuple[float, float]:
        """Width and height in those coordinates."""
        width, height = self.right - self.left, self.top - self.bottom
        return (height, width) if direction in (1, 3) else (width, height)
