"""Codes of languages and countries in other spellings."""

import pytest

from sourcewright.providers.gdelt.codes import fips_code, iso639_3_code


@pytest.mark.parametrize(
    ("iso", "code"),
    [("de", "deu"), ("en", "eng"), ("nb", "nor"), ("zh", "zho"), ("xx", None), (None, None)],
)
def test_a_language_has_three_letters(iso, code):
    assert iso639_3_code(iso) == code


@pytest.mark.parametrize(
    ("iso", "code"),
    [
        ("de", "gm"),
        ("gb", "uk"),
        ("us", "us"),
        ("ch", "sz"),
        ("cn", "ch"),
        ("au", "as"),
        ("at", "au"),
        ("ps", None),
        ("zz", None),
        (None, None),
    ],
)
def test_a_country_has_another_code_than_by_iso(iso, code):
    assert fips_code(iso) == code


def test_no_two_countries_share_a_code():
    letters = "abcdefghijklmnopqrstuvwxyz"
    codes = [code for a in letters for b in letters if (code := fips_code(a + b))]

    assert len(codes) == len(set(codes)) > 230
