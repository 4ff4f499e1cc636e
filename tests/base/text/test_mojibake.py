"""Mojibake: UTF-8 that was stored as Windows-1252 is repaired; other text is unchanged."""

import pytest

from sourcewright.base.text.mojibake import repair_mojibake

CORRECT = "You\u2019ve read “Kaffee” — naïve, 10 €, Zürich, 東京, Привет 🎉 … à la carte."


def misread(text: str) -> str:
    """As a program reads it that takes every text for Windows-1252."""
    return "".join(
        chr(byte) if byte in {0x81, 0x8D, 0x8F, 0x90, 0x9D} else bytes([byte]).decode("cp1252")
        for byte in text.encode()
    )


def test_a_misread_text_is_repaired():
    assert misread("You\u2019ve") == "Youâ€™ve"
    assert repair_mojibake(misread(CORRECT)) == CORRECT


def test_a_text_that_was_misread_twice_is_repaired():
    assert repair_mojibake(misread(misread(CORRECT))) == CORRECT


def test_ascii_around_it_stays():
    page = f"<p>{'plain words ' * 500}{misread(CORRECT)}</p>"

    assert repair_mojibake(page) == f"<p>{'plain words ' * 500}{CORRECT}</p>"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "plain",
        CORRECT,
        CORRECT * 50,
        "São Paulo, Ângela, ÃO, Â, Ñandú, Être, Über, Ærø, Žižek",
        "Les « guillemets » et l\u2019été à Nîmes",
        "On reads Ã© where é was meant, and â€™ for an apostrophe; é, è, ê, ë, \u2019, “ and ” are right.",
        "東京とパリ",
        "Привет",
        "\xc2",
    ],
)
def test_what_is_right_is_left_alone(text):
    assert repair_mojibake(text) == text
