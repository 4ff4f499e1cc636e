"""Dates and times of every layout that sources use, in one format."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.text.dates import timestamp_of

NOW = 1773043200.0
"""2026-03-09 08:00:00 in UTC."""
SHAPE = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z")


@pytest.mark.parametrize(
    "value",
    [
        *("2026-03-09T08:00:00Z", "2026-03-09T08:00:00.123456789Z", "2026-03-09T09:00:00+01:00"),
        *("2026-03-09T08:00", "2026-03-09 08:00:00", "2026-03-09 08:00:00 UTC"),
        *("2026-03-09 09:00:00 +0100", "2026-03-09 08:00:00 +0000 UTC", "20260309T080000Z"),
        *("Mon, 09 Mar 2026 08:00:00 GMT", "Mon, 09 Mar 2026 09:00:00 +0100"),
        *("9 Mar 2026 08:00 UTC", "Mon, 09 Mar 2026 03:00:00 EST", "Mon Mar  9 08:00:00 2026"),
        "Mon Mar 09 08:00:00 +0000 2026",
        *("20260309080000", "03/09/2026, 08:00 AM, +0000 UTC", "Mar 9, 2026, 8:00 AM"),
        *("1773043200", "1773043200000", 1773043200, 1773043200.4, 1773043200000),
        *(1773043200000000, "just now", "today", " 2026-03-09T08:00:00Z\n"),
    ],
)
def test_a_moment_is_told_in_utc(value):
    assert timestamp_of(value, now=NOW) == "2026-03-09T08:00:00Z"


@pytest.mark.parametrize(
    "value",
    [
        *("2026-03-09", "20260309", "2026/03/09", "Mar 9, 2026", "Mar. 9, 2026", "March 9, 2026"),
        *("09 Mar 2026", "9 March 2026", "03/09/2026"),
    ],
)
def test_a_day_is_told_as_its_first_moment(value):
    assert timestamp_of(value, now=NOW) == "2026-03-09T00:00:00Z"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3 hours ago", "2026-03-09T05:00:00Z"),
        ("an hour ago", "2026-03-09T07:00:00Z"),
        ("About 2 Hours Ago", "2026-03-09T06:00:00Z"),
        ("5 mins ago", "2026-03-09T07:55:00Z"),
        ("yesterday", "2026-03-08T08:00:00Z"),
        ("3h", "2026-03-09T05:00:00Z"),
        ("2d", "2026-03-07T08:00:00Z"),
        ("1w", "2026-03-02T08:00:00Z"),
        ("5mo", "2025-10-08T03:34:30Z"),
        ("1y", "2025-03-09T02:10:48Z"),
        ("Sept. 5, 2024", "2024-09-05T00:00:00Z"),
        ("14 May 1805", "1805-05-14T00:00:00Z"),
    ],
)
def test_an_age_counts_back_from_now(value, expected):
    assert timestamp_of(value, now=NOW) == expected


@pytest.mark.parametrize(
    "value",
    [
        *(None, "", True, [], {}, "soon", "2024", "12", "13/13/2026", "2026-02-30", "2026-W10"),
        *("2016-12-31T23:59:60Z", "2026-03-09T25:00:00Z", "Mon, 09 Mar 2026 08:00:00 CET"),
        *("0001-01-01T00:00:00Z", "9999-12-31", "2031-01-01", "9999y", "3 parsecs ago"),
        *(
            0,
            0.5,
            2024,
            20260309,
            -1773043200,
            "0000002024",
            "1970-01-01T00:00:00Z",
            10**400,
            -(10**18),
            float("nan"),
            float("inf"),
            "x" * 100,
        ),
    ],
)
def test_what_is_no_moment_is_left_out(value):
    assert timestamp_of(value, now=NOW) is None


@given(st.text(max_size=40) | st.integers() | st.floats() | st.datetimes().map(str))
def test_anything_is_a_moment_in_one_shape_or_none(value):
    moment = timestamp_of(value, now=NOW)

    assert moment is None or SHAPE.fullmatch(moment)
    assert moment is None or timestamp_of(moment, now=NOW) == moment
