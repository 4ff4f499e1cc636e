"""A plot with the names and numbers of its axes, which a reader must not take for text or a table."""

from collections.abc import Iterator
from html import escape
from typing import NamedTuple

NAME = "plot"
"""The target of an image in a source that is set as this plot."""
WIDTH, HEIGHT = 240, 130
LEFT, BOTTOM = 40, 30
CURVE = tuple((LEFT + 8 * at, BOTTOM + 20 + (29 * at * at) % 70) for at in range(24))
BARS = tuple((LEFT + 10 + 38 * at, 12 + (17 * at) % 40) for at in range(5))
BAR_WIDTH = 14
SIZE = 7


class Label(NamedTuple):
    """Text with the middle of its baseline; y grows upwards."""

    x: float
    y: float
    text: str


def labels() -> Iterator[Label]:
    """The numbers at both axes, the names of the months, a legend and the title of an axis."""
    for at in range(5):
        yield Label(LEFT - 10, BOTTOM + 20 * at, str(50 * at))
        yield Label(LEFT + 17 + 38 * at, BOTTOM - 10, ("May", "June", "July", "Aug", "Sept")[at])
    yield Label(LEFT + 150, HEIGHT - 12, "passengers")
    yield Label(LEFT + 150, HEIGHT - 22, "bicycles")
    yield Label(LEFT + 95, BOTTOM - 24, "Month of the season")


def svg() -> str:
    """The plot for producers that take SVG."""
    points = " ".join(f"{x},{HEIGHT - y}" for x, y in CURVE)
    bars = "".join(
        f'<rect x="{x}" y="{HEIGHT - BOTTOM - high}" width="{BAR_WIDTH}" height="{high}" fill="#9bd"/>'
        for x, high in BARS
    )
    texts = "".join(
        f'<text x="{one.x}" y="{HEIGHT - one.y}" text-anchor="middle">{escape(one.text)}</text>'
        for one in labels()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}pt" '
        f'height="{HEIGHT}pt" font-size="{SIZE}" font-family="Noto Serif, Libertinus Serif, serif">'
        f'{bars}<path d="M{LEFT} {HEIGHT - BOTTOM} H{WIDTH}" stroke="black"/>'
        f'<path d="M{LEFT} {HEIGHT - BOTTOM} V10" stroke="black"/>'
        f'<polyline points="{points}" fill="none" stroke="black"/>{texts}</svg>'
    )
