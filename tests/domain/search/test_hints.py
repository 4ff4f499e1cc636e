"""Hints for an empty search: the filters in use, and what to try next."""

from dataclasses import fields

from sourcewright.domain.search import hints as hinting
from sourcewright.domain.search.hints import search_hints
from sourcewright.domain.web.queries import Query

NO_FILTERS = {"kind", "text", "limit", "engine", "sites", "sort_by", "goggle", "language_variant"}


def steps(hints):
    return [(one.action, one.parameter, one.value) for one in hints.suggested_actions]


def test_the_narrowest_filters_are_named_first_whatever_their_order():
    filters = {"language": "de", "time_range": "day", "site": "a.example"}
    result = search_hints(filters, attempted=["brave"], failed={}, alternatives=["exa"])
    turned = dict(reversed(filters.items()))

    assert list(result.filters_applied) == ["site", "time_range", "language"]
    assert steps(result) == [
        ("remove_filter", "site", "a.example"),
        ("remove_filter", "time_range", "day"),
        ("try_different_provider", "provider", "exa"),
    ]
    assert result == search_hints(turned, attempted=["brave"], failed={}, alternatives=["exa"])
    assert result.reason == "filters_too_restrictive"


def test_without_filters_nothing_matched():
    result = search_hints({}, attempted=["brave"], failed={}, alternatives=[])

    assert result.reason == "no_match"
    assert steps(result) == [("rephrase_query", None, None)]


def test_a_filter_that_leaves_nothing_out_is_not_to_blame():
    result = search_hints({"safe": "off"}, attempted=["brave"], failed={}, alternatives=[])

    assert result.reason == "no_match"
    assert result.filters_applied == {"safe": "off"}


def test_who_was_asked_already_is_no_alternative():
    result = search_hints({}, attempted=["brave"], failed={}, alternatives=["brave", "exa"])

    assert steps(result)[0] == ("try_different_provider", "provider", "exa")


def test_who_failed_is_named_beside_who_was_asked():
    result = search_hints({}, attempted=["a", "b"], failed={"a": "timeout"}, alternatives=[])

    assert result.providers_attempted == ("a", "b")
    assert result.providers_failed == {"a": "timeout"}
    assert "does not prove" in result.epistemic_warning


def test_a_filter_that_is_new_is_told_too():
    result = search_hints({"shape": "round"}, attempted=[], failed={}, alternatives=[])

    assert result.filters_applied == {"shape": "round"}
    assert steps(result)[0] == ("remove_filter", "shape", "round")


def test_every_filter_of_a_query_has_its_place_in_the_order():
    names = {one.name for one in fields(Query)} - NO_FILTERS

    assert names <= set(hinting._NARROWEST_FIRST)
