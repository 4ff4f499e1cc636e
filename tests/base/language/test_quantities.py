"""Numbers with their units, and how they compare."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.language.measures import quantities_in
from sourcewright.base.language.quantities import compare_quantities

PAIRS = json.loads(Path(__file__).with_name("quantities.json").read_text(encoding="utf-8"))


def relation(claim: str, sentence: str) -> str | None:
    return compare_quantities(quantities_in(claim, "en"), quantities_in(sentence, "en"))[1]


@pytest.mark.parametrize(("claim", "sentence"), PAIRS["same"])
def test_one_quantity_is_known_however_it_is_written(claim, sentence):
    assert relation(claim, sentence) == "same"


@pytest.mark.parametrize(("claim", "sentence"), PAIRS["different"])
def test_another_quantity_of_the_kind_is_another_number(claim, sentence):
    assert relation(claim, sentence) == "different"


@pytest.mark.parametrize(("claim", "sentence"), PAIRS["nothing to compare"])
def test_what_cannot_be_compared_is_neither_the_same_nor_another(claim, sentence):
    assert relation(claim, sentence) is None


@given(st.text(max_size=120), st.text(alphabet="0123456789.,-%^ kmg$\u20ac\u4e07e/", max_size=60))
def test_whatever_is_written_numbers_are_read_without_an_error(text, numbers):
    quantities = quantities_in(text + numbers, "en")

    assert compare_quantities(quantities, quantities)[1] in {"same", None}


@given(st.floats(0.1, 1e6), st.sampled_from(["kg", "km", "%", "days", "million people"]))
def test_a_quantity_is_the_same_as_itself_and_another_than_its_double(value, unit):
    quantity = f"{value:.1f} {unit}"

    assert relation(quantity, quantity) == "same"
    assert relation(quantity, f"{2 * value:.1f} {unit}") == "different"
