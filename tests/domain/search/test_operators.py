"""Queries as engines with search operators read them."""

import pytest

from sourcewright.domain.search.operators import filters_beyond, with_operators
from sourcewright.domain.web.queries import Query


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({}, "tides"),
        ({"exact_terms": "spring tide"}, 'tides "spring tide"'),
        ({"exact_terms": 'a" OR "b'}, 'tides "a OR b"'),
        ({"exact_terms": '""'}, "tides"),
        ({"exclude_terms": "red blue"}, "tides -red -blue"),
        ({"exclude_terms": '"red tide" -blue - ""'}, 'tides -"red tide" -blue'),
        ({"sites": ("a.example",)}, "tides site:a.example"),
        ({"sites": ("a.example", "b.example/x")}, "tides (site:a.example OR site:b.example/x)"),
    ],
)
def test_filters_become_operators(filters, expected):
    assert with_operators(Query(kind="web", text="tides", limit=5, **filters)) == expected


def test_a_filter_that_goes_another_way_is_no_operator():
    query = Query(kind="web", text="tides", limit=5, exact_terms="a", exclude_terms="b")

    assert with_operators(query, without=["exact_terms"]) == "tides -b"


def test_filters_that_are_set_and_not_honoured_are_named():
    query = Query(kind="web", text="tides", limit=5, language="de", time_range="day", safe="high")

    assert filters_beyond(query, {"safe"}) == ("time_range", "language")
    assert filters_beyond(query, {"safe", "language", "time_range"}) == ()
