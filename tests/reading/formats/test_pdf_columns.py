"""Columns of PDFs whose file changes sides a few times, as floats and formulas make it."""

import io
from collections.abc import Callable
from typing import Any

import pytest
from reportlab.pdfgen.canvas import Canvas

pytestmark = pytest.mark.anyio


async def test_columns_of_short_lines_that_come_in_parts_are_read_one_after_the_other(
    read: Callable[..., Any],
) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Helvetica", 10)
    for first in (0, 12):
        for left, name in ((60, "west"), (320, "east")):
            canvas.drawString(left, 752 - 14 * first, f"The {name}ern coast, in its order {first}")
            for at in range(first + 1, first + 12):
                canvas.drawString(left, 752 - 14 * at, f"{name} station {at}")
    canvas.save()

    content = (await read(out.getvalue())).content

    assert "|" not in content
    assert content.rindex("west station 23") < content.index("east station 1")


async def test_a_line_that_is_longer_than_the_others_crosses_no_gap(
    read: Callable[..., Any],
) -> None:
    """As in an index, whose lines are short."""
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    first, second = (
        [
            f"{side}{at:02d} tide{', of the harbour and its light' * (at in (9, 17))}"
            for at in range(24)
        ]
        for side in "ab"
    )
    for left, lines in ((72, first), (310, second)):
        for at, line in enumerate(lines):
            canvas.drawString(left, 700 - 14 * at, line)
    canvas.save()

    content = (await read(out.getvalue())).content

    words = [word for word in content.split() if word[1:].isdigit()]
    assert words == [line.split()[0] for line in (*first, *second)]


async def test_short_lines_below_columns_of_the_same_length_come_after_both(
    read: Callable[..., Any],
) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    for left, name in ((60, "west"), (320, "east")):
        for at in range(12):
            canvas.drawString(left, 740 - 14 * at, f"The {name}ern coast and its station {at}")
    for at, line in enumerate(
        ("Gauges", "float", "radar", 2 * "The gauge is read every hour. " * 2)
    ):
        canvas.drawString(60, 540 - 14 * at, line)
    canvas.save()

    content = (await read(out.getvalue())).content

    assert content.index("east") < content.index("Gauges") < content.index("The gauge")


async def test_a_table_of_full_width_above_columns_does_not_hide_them(
    read: Callable[..., Any],
) -> None:
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(600, 800))
    canvas.setFont("Helvetica", 9)
    for at in range(20):
        for left, cell in ((60, f"Station {at}"), (170, f"{at}.2 m"), (330, f"{at}.8 m")):
            canvas.drawString(left, 780 - 12 * at, cell)
    canvas.drawString(60, 525, "Table 1: The levels of the water at all stations, each year " * 2)
    for shift, (left, name) in enumerate(((60, "west"), (310, "east"))):
        for at in range(26):
            ending = " and so on" * (at % 4 > 0)
            line = f"The {name}ern coast has a station {at}, built{ending}"
            canvas.drawString(left, 490 - 5 * shift - 12 * at, line)
    canvas.save()

    content = (await read(out.getvalue())).content

    assert "| Station 5 | 5.2 m | 5.8 m |" in content
    assert content.rindex("western") < content.index("eastern")
