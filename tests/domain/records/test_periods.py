"""Periods of statistics: when they begin and end, and how they are ordered."""

import pytest

from sourcewright.domain.records.periods import (
    frequency_name,
    is_within,
    period_bounds,
    period_order,
)


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        ("2024", "2024-01-01", "2024-12-31"),
        ("2024-02", "2024-02-01", "2024-02-29"),
        ("2023-02", "2023-02-01", "2023-02-28"),
        ("2024-02-29", "2024-02-29", "2024-02-29"),
        ("2024-Q3", "2024-07-01", "2024-09-30"),
        ("2024Q4", "2024-10-01", "2024-12-31"),
        ("2024-S1", "2024-01-01", "2024-06-30"),
        ("2024-H2", "2024-07-01", "2024-12-31"),
        ("2024-T3", "2024-09-01", "2024-12-31"),
        ("2010M01", "2010-01-01", "2010-01-31"),
        ("2024-W01", "2024-01-01", "2024-01-07"),
        ("2020W53", "2020-12-28", "2021-01-03"),
        ("2024-D366", "2024-12-31", "2024-12-31"),
        ("2013-01-18T00:00:00Z", "2013-01-18", "2013-01-18"),
    ],
)
def test_a_period_has_a_first_and_a_last_day(period, first, last):
    assert period_bounds(period) == (first, last)


@pytest.mark.parametrize(
    "text",
    ["", "24", "2024-13", "2024-02-30", "2024-Q5", "2024-Q0", "2023-D366", "2021-W53", "x" * 9000],
)
def test_what_is_no_period_has_none(text):
    assert period_bounds(text) is None


@pytest.mark.parametrize(
    ("period", "since", "until", "fits"),
    [
        ("2015", "2015-06-01", None, True),
        ("2014", "2015-06-01", None, False),
        ("2015-05", "2015-06-01", None, False),
        ("2015-Q2", "2015-06-30", None, True),
        ("2015-Q2", None, "2015-04-01", True),
        ("2015-Q2", None, "2015-03-31", False),
        ("2015-07", "2014", "2015", True),
        ("2016-01", "2014", "2015", False),
        ("whenever", None, None, True),
    ],
)
def test_a_period_counts_if_a_day_of_it_is_within_the_dates(period, since, until, fits):
    assert is_within(period, since, until) is fits


def test_a_period_of_unknown_form_is_not_guessed_at():
    with pytest.raises(ValueError, match="unknown form"):
        is_within("school year 2015", "2015", None)


def test_periods_are_ordered_by_their_days_and_not_as_text():
    periods = ["2024-Q4", "2024-09", "2024", "2023-Q4", "2024-10", "2024W40"]

    assert sorted(periods, key=period_order) == [
        "2023-Q4",
        "2024-09",
        "2024W40",
        "2024-10",
        "2024",
        "2024-Q4",
    ]


def test_a_frequency_is_named_and_an_unknown_one_kept():
    assert [frequency_name(code) for code in ("M", "q", "P3M", None)] == [
        "Monthly",
        "Quarterly",
        "P3M",
        None,
    ]
