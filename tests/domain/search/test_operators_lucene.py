"""A name in a query stays a name, whatever it is made of."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.domain.search.operators import quoted_phrase
from sourcewright.providers import core, doaj, hal, openaire
from sourcewright.world.lucene import any_of

SPECIAL = '"\\+-=&|><!(){}[]^~*?:/ .;#%'
SUFFIXES = st.text(st.sampled_from(SPECIAL + "abAB01") | st.characters(codec="utf-8"), min_size=1)


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("10.5555/a", '"10.5555/a"'),
        ('10.5555/a" OR doi:"*', '"10.5555/a\\" OR doi:\\"*"'),
        ("10.5555/a\\", '"10.5555/a\\\\"'),
        ('10.5555/a\\" OR x:"', '"10.5555/a\\\\\\" OR x:\\""'),
    ],
)
def test_quotes_and_backslashes_cannot_end_a_phrase(text, written):
    assert quoted_phrase(text) == written


@given(SUFFIXES)
def test_no_doi_changes_the_question(suffix):
    doi = f"10.5555/{suffix}"

    assert any_of(core.doi_query(doi)) == [("doi", doi)]
    assert any_of(doaj.doi_query(doi)) == [("bibjson.identifier.id", doi)]
    assert any_of(hal.doi_query(doi)) == [("doiId_s", doi), ("doiId_id", doi)]


@given(SUFFIXES)
def test_no_doi_speaks_the_language_of_openaires_filters(suffix):
    doi = f"10.5555/{suffix}"
    outcome = openaire.doi_filter(doi)

    assert (
        any_of(f"pid:{outcome}") == [("pid", doi)]
        if outcome != doi
        else not set(outcome) & set('"()\\ ')
    )


@given(SUFFIXES)
def test_doaj_is_never_asked_with_what_it_refuses(suffix):
    outcome = doaj.doi_query(f"10.5555/{suffix}").partition(":")[2]

    for at, char in enumerate(outcome):
        assert char not in "?*~:/" or outcome[at - 1] == "\\"
