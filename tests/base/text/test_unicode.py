"""Text folded for comparison: without case, accents and look-alike characters."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.text import unicode, words

PILE = "\u0301\u0323" * 50_000


@pytest.mark.parametrize("folded", [unicode.fold_text, words.fold_for_search])
@pytest.mark.parametrize("text", ["Cafe\u0301", "CAF\u00c9", f"cafe{PILE}"])
def test_an_accent_changes_nothing_however_it_is_written(folded, text):
    assert folded(text) == "cafe"


@pytest.mark.parametrize("folded", [unicode.fold_text, words.fold_for_search])
@given(text=st.text(max_size=40))
def test_composed_and_decomposed_text_is_the_same(folded, text):
    composed, decomposed = (unicodedata.normalize(form, text) for form in ("NFC", "NFD"))

    assert folded(composed) == folded(decomposed)
