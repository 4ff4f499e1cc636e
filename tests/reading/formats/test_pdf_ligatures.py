"""Ligatures at codes that a font of a PDF does not name are known by common words."""

from collections.abc import Callable
from typing import Any

import pytest

pytestmark = pytest.mark.anyio


def text(make: Any, *lines: bytes) -> bytes:
    shown = b"".join(
        b"1 0 0 1 50 %d Tm (%b) Tj\n" % (700 - 14 * at, one) for at, one in enumerate(lines)
    )
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R /Resources 6 0 R >>",
        make["stream"](b"BT /F1 12 Tf\n" + shown + b"ET"),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        b"<< /Font << /F1 5 0 R >> >>",
    ]
    return bytes(make["written"](objects))


async def test_codes_are_the_ligatures_that_common_words_need(
    read: Callable[..., Any], make: Any
) -> None:
    body = text(
        make,
        rb"The \033rst gauge was in the o\035ce and the \033eld station,",
        rb"and di\034erent ones in\036uence the \033elds of the \033shers",
    )

    assert (await read(body)).content.endswith(
        "The first gauge was in the office and the field station, "
        "and different ones influence the fields of the fishers"
    )


async def test_a_code_that_no_word_explains_stays_unknown(
    read: Callable[..., Any], make: Any
) -> None:
    content = (await read(text(make, rb"The zw\033rg was in the harbour"))).content

    assert content.endswith("The zw\ufffdrg was in the harbour")
