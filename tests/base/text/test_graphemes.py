"""Characters as readers count them, with what belongs to each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.text.unicode import clusters

WHOLE = {
    "a letter with a mark": "e\u0301",
    "a letter with many marks": "a\u0301\u0302\u0303",
    "a spacing mark": "\u0915\u093e",
    "a thai vowel": "\u0e01\u0e33",
    "a halfwidth voicing mark": "\uff76\uff9e",
    "a conjunct": "\u0915\u094d\u0937",
    "a conjunct with a joiner": "\u0915\u094d\u200d\u0937",
    "a variation selector": "\u2764\ufe0f",
    "a keycap": "1\ufe0f\u20e3",
    "a skin tone": "\U0001f44b\U0001f3fd",
    "a family": "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "a flag": "\U0001f1e9\U0001f1ea",
    "a syllable in parts": "\u1112\u1161\u11ab",
    "a syllable and its end": "\uac00\u11a8",
    "two leading consonants": "\u1112\u1112\u1161",
}
APART = {
    "two letters": ["a", "b"],
    "two flags": ["\U0001f1e9\U0001f1ea", "\U0001f1eb\U0001f1f7"],
    "one flag and a half": ["\U0001f1e9\U0001f1ea", "\U0001f1eb"],
    "two syllables": ["\ud55c", "\uae00"],
    "a letter and a jamo": ["a", "\u1161"],
    "two emoji": ["\U0001f600", "\U0001f600"],
    "a virama and a blank": ["\u0915\u094d", " "],
}


@pytest.mark.parametrize("case", WHOLE)
def test_what_is_one_character_to_a_reader_stays_in_one_piece(case: str) -> None:
    character = WHOLE[case]

    assert list(clusters(f"x{character}x")) == ["x", character, "x"]


@pytest.mark.parametrize("case", APART)
def test_what_are_two_characters_to_a_reader_can_be_parted(case: str) -> None:
    assert list(clusters("".join(APART[case]))) == APART[case]


@given(st.text())
def test_nothing_is_lost_or_added(text: str) -> None:
    parts = list(clusters(text))

    assert "".join(parts) == text
    assert all(parts)
