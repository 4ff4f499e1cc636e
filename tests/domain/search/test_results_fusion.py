"""Fusion of several result lists into one, with the engines that found each hit."""

from hypothesis import given
from hypothesis import strategies as st

from sourcewright.domain.search.results import fuse_rankings, interleave

LISTS = st.dictionaries(
    st.sampled_from("abcd"), st.lists(st.sampled_from("stuvwxyz"), max_size=8), max_size=4
)


def test_what_several_found_comes_before_what_one_found_first():
    hits, finders = fuse_rankings({"a": ["x", "both"], "b": ["y", "both"]}, str)

    assert hits == ["both", "x", "y"]
    assert finders == {"x": ("a",), "both": ("a", "b"), "y": ("b",)}


def test_hits_with_one_key_are_one_and_shown_as_the_first_list_has_them():
    hits, finders = fuse_rankings({"a": ["X"], "b": ["x", "x"]}, str.lower)

    assert hits == ["X"]
    assert finders == {"x": ("a", "b")}


def test_one_list_keeps_its_order():
    assert fuse_rankings({"a": ["3", "1", "2", "1"]}, str)[0] == ["3", "1", "2"]


@given(LISTS)
def test_nothing_is_lost_and_nothing_is_listed_twice(lists):
    hits, finders = fuse_rankings(lists, str)

    assert sorted(hits) == sorted({hit for found in lists.values() for hit in found})
    assert all(
        who == tuple(name for name in lists if hit in lists[name]) for hit, who in finders.items()
    )


def test_parts_of_one_answer_take_turns():
    assert interleave([["a1", "a2", "a3"], [], ["b1"]]) == ["a1", "b1", "a2", "a3"]
