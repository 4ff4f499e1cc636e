"""Chart of a series in text: columns of block characters between its least and greatest figure."""

from collections.abc import Sequence
from typing import Final

_EIGHTHS: Final = " ▁▂▃▄▅▆▇█"
_ASCII: Final = " ...:::##"
_HEIGHT: Final = 5
_LEAST_WIDTH: Final = 10


def chart_lines(
    points: Sequence[tuple[str, str | None]], *, width: int, ascii_only: bool = False
) -> list[str]:
    """The lines of a chart of figures by period, the earliest first; none for fewer than two.

    If there are more points than columns, a column shows the last of its points.
    """
    known = [figure for _, figure in points if figure is not None]
    if len(known) < 2:
        return []
    low, high = min(known, key=float), max(known, key=float)
    margin = max(len(low), len(high))
    columns = max(width - margin - 2, _LEAST_WIDTH)
    sample = points if len(points) <= columns else _sampled(points, columns)
    rows = _rows([figure for _, figure in sample], float(low), float(high), ascii_only=ascii_only)
    labels = [high, *[""] * (_HEIGHT - 2), low]
    lines = [
        f"{label:>{margin}} {'|' if ascii_only else '│'}{row}".rstrip()
        for label, row in zip(labels, rows, strict=True)
    ]
    first, last = points[0][0], points[-1][0]
    gap = max(len(sample) - len(first) - len(last), 1)
    return [*lines, f"{' ' * (margin + 2)}{first}{' ' * gap}{last}"]


def _sampled(
    points: Sequence[tuple[str, str | None]], columns: int
) -> list[tuple[str, str | None]]:
    return [points[(at + 1) * len(points) // columns - 1] for at in range(columns)]


def _rows(
    figures: Sequence[str | None], low: float, high: float, *, ascii_only: bool
) -> list[str]:
    """The rows from the top; the least figure still has a mark, a missing one has none."""
    blocks = _ASCII if ascii_only else _EIGHTHS
    full = len(blocks) - 1
    levels = [_level(figure, low, high, _HEIGHT * full) for figure in figures]
    return [
        "".join(blocks[min(max(level - row * full, 0), full)] for level in levels)
        for row in reversed(range(_HEIGHT))
    ]


def _level(figure: str | None, low: float, high: float, most: int) -> int:
    if figure is None:
        return 0
    if high <= low:
        return most // 2
    # Halves first: the difference of two finite figures may be infinite.
    share = (float(figure) / 2 - low / 2) / (high / 2 - low / 2)
    return 1 + round(share * (most - 1))
