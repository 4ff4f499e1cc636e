"""Hosts in operators' lists: one spelling, and no public suffix."""

import pytest

from sourcewright.base.urls.suffixes import single_owner_host, site_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Nature.COM", "nature.com"),
        ("github.com/topics/awesome/", "github.com/topics/awesome"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("ons.gov.uk", "ons.gov.uk"),
        ("readthedocs.io", "readthedocs.io"),
    ],
)
def test_a_site_has_one_spelling(text, expected):
    assert site_of(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", None, 7, "com", "co.uk", "gov.uk", "localhost", "127.0.0.1", "0x7f.1", "[::1]"),
        *("https://nature.com", "nature.com:80", "user@nature.com", "*.nature.com", "a b.com"),
        *("nature.com?x", "nature.com/x?y", "nature.com/a b", "nature.com/(x", 'nature.com/"'),
        *("nature.com/../x", "-nature.com", "nature..com", "n%61ture.com", "a" * 300 + ".com"),
    ],
)
def test_what_is_no_site_is_refused(text):
    with pytest.raises(ValueError, match=r"host|suffix|path"):
        site_of(text)


@pytest.mark.parametrize("text", ["github.io", "blogspot.com", "co.uk", "nature.com/x"])
def test_nobody_answers_for_a_suffix_or_a_path(text):
    with pytest.raises(ValueError, match=r"host|suffix"):
        single_owner_host(text)
