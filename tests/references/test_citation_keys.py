"""Citation keys: readable, and never the same one twice."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.errors import InvalidInput
from sourcewright.references.citation_keys import citation_keys
from sourcewright.references.entries import Acquisition, Entry

HOLDING = Acquisition(fetched_at="2025-03-04T05:06:07Z", source="crossref")


def entry(key="doi_10.5555_x", title="The habits of bears", authors=("Bear, Brown",), year=2019):
    return Entry(key=key, title=title, authors=authors, year=year, holding=HOLDING)


def key_of(template, **fields):
    return citation_keys([entry(**fields)], template)[0]


def test_without_a_template_the_key_is_the_library_s_own():
    assert citation_keys([entry(), entry(key="arxiv_2401.00001")]) == (
        "doi_10.5555_x",
        "arxiv_2401.00001",
    )


@pytest.mark.parametrize(
    ("template", "key"),
    [
        ("{author}{year}", "bear2019"),
        ("{author}{year}{title_word}", "bear2019habits"),
        ("{author}:{title_word}_{year}", "bear:habits_2019"),
        ("{safekey}", "doi_10.5555_x"),
        ("p-{year}", "p-2019"),
    ],
)
def test_a_template_says_what_a_key_is_made_of(template, key):
    assert key_of(template) == key


@pytest.mark.parametrize(
    ("authors", "folded"),
    [
        (("Ødegård, Åsa",), "odegard"),
        (("Strauß, Æ.",), "strauss"),
        (("Łukasiewicz, Jan",), "lukasiewicz"),
        (("O'Neill, Ann",), "oneill"),
        (("van der Berg, Jan",), "vanderberg"),
        (("World Health Organization",), "worldhealthorganization"),
        (("José García",), "garcia"),
    ],
)
def test_letters_are_folded_to_what_every_program_reads(authors, folded):
    assert key_of("{author}", authors=authors) == folded


@pytest.mark.parametrize(
    ("title", "word"),
    [
        ("The bears", "bears"),
        ("Der Bär und die Biene", "bar"),
        ("L'ours et la mer", "ours"),
        ("Über Bären", "baren"),
        ("熊の bear", "bear"),
    ],
)
def test_the_title_s_word_is_the_first_that_says_something(title, word):
    assert key_of("{title_word}", title=title) == word


def test_a_key_that_would_be_empty_is_the_library_s_own():
    assert key_of("{author}", authors=()) == "doi_10.5555_x"


def test_keys_that_would_be_the_same_get_letters():
    keys = citation_keys([entry() for _ in range(29)], "{author}{year}")

    assert keys[:3] == ("bear2019", "bear2019a", "bear2019b")
    assert keys[26:] == ("bear2019z", "bear2019aa", "bear2019ab")


def test_a_letter_that_is_taken_is_not_given_again():
    entries = [entry(key="k"), entry(key="ka"), entry(key="K"), entry(key="k")]

    assert citation_keys(entries) == ("k", "ka", "Kb", "kc")


@given(
    st.lists(
        st.builds(
            entry,
            key=st.sampled_from(["a", "A", "b", "aa", "ab"]),
            title=st.text(max_size=8),
            authors=st.lists(st.text(max_size=8), max_size=2).map(tuple),
            year=st.sampled_from([None, 1999, 2019]),
        ),
        max_size=12,
    ),
    st.sampled_from([None, "{author}", "{author}{year}", "{title_word}", "{safekey}"]),
)
def test_whatever_the_entries_no_key_is_given_twice(entries, template):
    keys = citation_keys(entries, template)

    assert len({key.casefold() for key in keys}) == len(entries)
    assert all(key and not set(key) & set(" ,{}()=\"#%'\\~") for key in keys)


@pytest.mark.parametrize(
    "template", ["{nobody}", "", "fixed", "{author} {year}", "{author", "x" * 201]
)
def test_a_template_that_cannot_be_used_is_refused_with_what_is_known(template):
    with pytest.raises(InvalidInput, match="key template"):
        citation_keys([], template)
