"""TOML in one normal form, read back by the standard library."""

import tomllib
from datetime import UTC, date, datetime, time, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.formats.toml import toml_text

TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
OFFSETS = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
VALUES = st.recursive(
    TEXTS
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False)
    | st.datetimes(timezones=st.none() | OFFSETS)
    | st.dates()
    | st.times(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(TEXTS, VALUES, max_size=6))
def test_whatever_is_written_is_read_back_the_same(content):
    assert tomllib.loads(toml_text(content)) == content


@given(st.dictionaries(TEXTS, VALUES, max_size=6))
def test_the_same_content_is_always_the_same_text(content):
    text = toml_text(content)

    assert toml_text(dict(reversed(content.items()))) == text
    assert toml_text(tomllib.loads(text)) == text
    assert not content or text.endswith("\n")
    assert "\r" not in text


def test_keys_and_tables_stand_in_their_order():
    content = {
        "zeta": 1,
        "outer": {"z": 1, "inner": {"b": 2, "a": 1}, "a b": [1, 2]},
        "alpha": "x",
        "schema_version": "1.0",
        "early": {},
    }

    assert toml_text(content) == (
        'schema_version = "1.0"\n'
        'alpha = "x"\n'
        "zeta = 1\n"
        "\n[early]\n"
        "\n[outer]\n"
        '"a b" = [\n    1,\n    2,\n]\n'
        "z = 1\n"
        "\n[outer.inner]\n"
        "a = 1\n"
        "b = 2\n"
    )


def test_every_control_character_but_the_tab_is_escaped():
    controls = "".join(map(chr, [*range(32), 127, 0x85, 0x2028]))

    text = toml_text({"x": f'"{controls}\\'})

    assert tomllib.loads(text) == {"x": f'"{controls}\\'}
    controls = set(controls) - {"\t", "\x85", "\u2028"}
    assert not controls & set(text.rstrip("\n"))


@pytest.mark.parametrize(
    ("value", "written"),
    [
        (True, "true"),
        (-7, "-7"),
        (1e300, "1e+300"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        (float("nan"), "nan"),
        (datetime(1979, 5, 27, 7, 32, tzinfo=UTC), "1979-05-27 07:32:00+00:00"),
        (date(1979, 5, 27), "1979-05-27"),
        (time(7, 32, 0, 5), "07:32:00.000005"),
        ([[{"b": 1, "a": []}]], "[\n    [\n        { a = [], b = 1 },\n    ],\n]"),
        ((), "[]"),
    ],
)
def test_each_kind_of_value_has_one_spelling(value, written):
    assert toml_text({"x": value}) == f"x = {written}\n"


@pytest.mark.parametrize("ending", ["", "'", "''", '"', "\\", ", x", "\n", "\x7f", "é"])
@pytest.mark.parametrize("beginning", ["", "'", "\n", "\\"])
def test_a_long_text_is_read_back_the_same_whatever_it_begins_and_ends_with(beginning, ending):
    text = beginning + "It's long. " * 30 + ending

    assert tomllib.loads(toml_text({"x": text, "y": [text]})) == {"x": text, "y": [text]}


@pytest.mark.parametrize("value", [None, b"bytes", {1, 2}, object()])
def test_what_toml_has_no_word_for_is_refused(value):
    with pytest.raises(ValueError, match="not expressible in TOML"):
        toml_text({"x": value})


@pytest.mark.parametrize("wrap", [lambda inner: {"x": inner}, lambda inner: [inner]])
def test_what_is_nested_without_end_is_refused(wrap):
    value = 1
    for _ in range(5000):
        value = wrap(value)

    with pytest.raises(ValueError, match="nested"):
        toml_text({"x": value})
