"""Spaces of a PDF that are drawn as distances of letters, as Ghostscript does."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.anyio


def page_of(make: Any, shown: bytes) -> bytes:
    """A page with text in Times, drawn by the operators between BT and ET."""
    widths = b" ".join(b"%d" % (250 if code == 32 else 500) for code in range(32, 127))
    font = (
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman "
        b"/FirstChar 32 /LastChar 126 /Widths [%b] >>" % widths
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources 6 0 R >>",
        make["stream"](b"BT /F1 10 Tf 50 700 Td\n" + shown + b"\nET"),
        font,
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    return bytes(make["written"](objects))


async def test_a_gap_within_a_piece_of_a_word_is_a_space(
    read: Callable[..., Any], make: Any
) -> None:
    body = page_of(make, b"(all seve) Tj 37.5 0 Td 2.5 Tc (nb) Tj 0 Tc 12.5 0 Td (oats) Tj")

    assert (await read(body)).content.endswith("all seven boats")


async def test_a_space_without_width_is_none(read: Callable[..., Any], make: Any) -> None:
    body = page_of(make, b"[(without ev )245(en the warranty)] TJ")

    assert (await read(body)).content.endswith("without even the warranty")


async def test_letters_that_are_drawn_close_to_a_space_are_still_apart(
    read: Callable[..., Any], make: Any
) -> None:
    body = page_of(make, b"[(the end of )120(first words)] TJ")

    assert (await read(body)).content.endswith("the end of first words")
