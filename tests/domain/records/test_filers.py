"""Filers at the SEC, and the names of forms."""

import pytest

from sourcewright.domain.records.filers import form_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("10k", "10-K"),
        ("10 q", "10-Q"),
        ("10K/A", "10-K/A"),
        ("8-k", "8-K"),
        ("s1", "S-1"),
        ("F 4", "F-4"),
        ("def14a", "DEF 14A"),
        ("sc 13g", "SC 13G"),
        ("SC13D", "SC 13D"),
    ],
)
def test_a_form_is_spelled_as_edgar_does(text, name):
    assert form_name(text) == name


@pytest.mark.parametrize(
    "name", ["13F-HR", "4", "424B5", "10-K405", "N-CSR", "DEFM14A", "S-8 POS", "SC TO-T", "FWP"]
)
def test_a_form_that_is_spelled_so_stays(name):
    assert form_name(name) == name
