"""Query text for scholarly indexes: words stay, syntax goes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.errors import InvalidInput
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.domain.scholar.queries import (
    filters_ignored,
    offset_of,
    plain_words,
    words_and_phrases,
    years_of,
)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("attention is all you need", "attention is all you need"),
        ("PaperQA: Retrieval-Augmented (Agent)", "PaperQA Retrieval-Augmented Agent"),
        ("TO BE OR NOT TO BE AND MORE", "TO BE or not TO BE and MORE"),
        ("ti:fog AND [x TO *] NOT y~2", "ti fog and x TO not y 2"),
        ("-minus - dash-ed .dot. 3.5 o'clock", "minus dash-ed dot 3.5 o'clock"),
        ("Élan vital, naïve", "Élan vital naïve"),
        ("量子コンピュータ の研究", "量子コンピュータ の研究"),
        ("हिन्दी भाषा", "हिन्दी भाषा"),
        ('an "exact phrase" here', "an exact phrase here"),
    ],
)
def test_words_stay_and_syntax_goes(text, words):
    assert plain_words(text) == words


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ('an "exact: phrase" (here)', 'an "exact phrase" here'),
        ('one "odd quote', "one odd quote"),
        ('"" empty', "empty"),
        ('"a" "b c"', '"a" "b c"'),
    ],
)
def test_phrases_stay_where_both_quotes_are_there(text, kept):
    assert words_and_phrases(text) == kept


@pytest.mark.parametrize("text", ["", "  ", "???", '""', "-", "(*)"])
def test_a_query_without_words_is_refused(text):
    for cleaned in (plain_words, words_and_phrases):
        with pytest.raises(InvalidInput):
            cleaned(text)


@given(st.text(max_size=60))
def test_whatever_is_asked_no_syntax_is_left(text):
    try:
        words = plain_words(text).split()
    except InvalidInput:
        return
    assert not set('!#$%&()*+,/:;<=>?@[\\]^_`{|}~"') & set("".join(words))
    assert not {"AND", "OR", "NOT", "ANDNOT"} & set(words)
    assert not any(word.startswith("-") for word in words)


@pytest.mark.parametrize("cursor", ["-1", "x", "1.5", "٣", "9" * 30, " 1"])
def test_a_cursor_that_is_no_offset_is_refused(cursor):
    with pytest.raises(InvalidInput):
        offset_of(cursor)


def test_an_offset_is_a_number_and_no_cursor_is_the_start():
    assert (offset_of(None), offset_of(""), offset_of("25")) == (0, 0, 25)


def test_an_open_range_of_years_is_wide_and_none_is_none():
    assert years_of(WorkQuery(text="x", limit=1)) is None
    assert years_of(WorkQuery(text="x", limit=1, year_from=2000)) == (2000, 2999)
    assert years_of(WorkQuery(text="x", limit=1, year_to=2000)) == (1000, 2000)


def test_only_filters_that_are_set_are_ignored():
    query = WorkQuery(text="x", limit=1, year_from=2000, open_access=True)

    assert filters_ignored(query, {"open_access", "sort_by"}) == ("year_from",)
