"""Notes are found by their words, the rarest words first, in any script."""

import pytest

from sourcewright.services.teams.findings import best_matches, searched_text, topic_key

NOTES = [
    "Spring tides are highest at new moon and at full moon.",
    "Neap tides are lowest at the quarter moons.",
    "Silt fills the harbour after every storm.",
    "The harbour master keeps the tide tables.",
]


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("neap tide", [1, 0, 3]),
        ("harbours", [2, 3]),
        ("HARBOUR storms", [2, 3]),
        ("glaciers", []),
        ("the of and", [0, 1, 2, 3]),
        ("", []),
        ("!!! ???", []),
    ],
)
def test_notes_with_the_rarest_words_come_first(query, found):
    result = best_matches(query, NOTES)

    assert sorted(result) == sorted(found)
    assert result[:1] == found[:1]


def test_equal_matches_stay_in_their_order():
    assert best_matches("tide", ["tide a", "x", "tide b", "tide c"]) == [0, 2, 3]


def test_no_notes_have_no_match():
    assert best_matches("tide", []) == []


def test_everything_that_its_author_wrote_is_searched():
    assert searched_text("note", "topic", None, "url", tags=["a", "b"]) == "note\ntopic\nurl\na\nb"


@pytest.mark.parametrize("topic", ["Tidal Energy", " tidal\tenergy ", "TIDAL  ENERGY"])
def test_topics_differ_by_more_than_case_and_spaces(topic):
    assert topic_key(topic) == topic_key("tidal energy") != topic_key("tidalenergy")


@pytest.mark.parametrize(
    ("query", "found"),
    [("R", [0]), ("C++", [1]), ("c", [1]), ("x", []), ("犬", [2]), ("я", [])],
)
def test_a_single_letter_or_ideograph_is_found_where_it_is_a_word(query, found):
    notes = [
        "R is a language for statistics",
        "The C compiler, not Cobol",
        "この犬は好き",
        "a tree",
    ]

    assert best_matches(query, notes) == found


def test_a_letter_beside_a_word_does_not_change_what_is_found():
    assert best_matches("vitamin C", ["grade C", "vitamins"]) == [1]
