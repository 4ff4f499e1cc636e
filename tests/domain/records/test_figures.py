"""Figures of statistics keep exactly the digits that were published."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.formats.answer_limits import LimitExceeded
from sourcewright.domain.records.figures import MAX_NUMBERS, figure_of, json_number, parse_figures


@pytest.mark.parametrize(
    ("sent", "digits"),
    [
        (b"1.50", "1.50"),
        (b"4785734.43078995", "4785734.43078995"),
        (b"0.1234567890123456789", "0.1234567890123456789"),
        (b"12345678901234567890123", "12345678901234567890123"),
        (b"-1e-7", "-1e-7"),
        (b"0.0", "0.0"),
        (b"0", "0"),
    ],
)
def test_a_number_keeps_its_digits(sent, digits):
    assert figure_of(parse_figures(sent)) == digits


@pytest.mark.parametrize("sent", [b"null", b'"."', b'":"', b'""', b"NaN", b'"NaN"', b'" : "'])
def test_a_missing_value_is_missing(sent):
    assert figure_of(parse_figures(sent)) is None


@pytest.mark.parametrize("sent", [b'"low"', b"true", b"[1]", b"{}", b'"1,5"'])
def test_what_is_no_figure_is_an_error(sent):
    with pytest.raises((TypeError, ValueError)):
        figure_of(parse_figures(sent))


@pytest.mark.parametrize("body", [b"Infinity", b"-Infinity", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_is_an_error(body):
    with pytest.raises(ValueError):
        parse_figures(body)


def test_an_answer_with_too_many_values_is_not_parsed():
    with pytest.raises(LimitExceeded):
        parse_figures(b"[" + b"0," * (MAX_NUMBERS + 1) + b"0]")


@pytest.mark.parametrize(
    ("figure", "number"),
    [
        ("15800", 15800),
        ("27610.128", 27610.128),
        ("1.50", 1.5),
        ("9007199254740993", "9007199254740993"),
        ("0.1234567890123456789", "0.1234567890123456789"),
        ("1e400", "1e400"),
    ],
)
def test_a_number_stands_for_a_figure_only_where_it_is_the_same(figure, number):
    assert json_number(figure) == number
    assert type(json_number(figure)) is type(number)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_what_is_sent_on_has_the_value_that_was_published(decimal):
    figure = format(decimal, "f")

    assert json.loads(json.dumps(json_number(figure)), parse_float=type(decimal)) in (
        decimal,
        figure,
    )
