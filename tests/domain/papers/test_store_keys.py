"""Store keys of papers: doiget's spelling where it is unambiguous, a hash elsewhere."""

import hashlib
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import ArxivId, Doi, parse_reference
from sourcewright.domain.papers.file_names import (
    MAX_KEY_LENGTH,
    is_store_key,
    legacy_key,
    store_key,
)

LONG = "doi_10.1234_" + "a" * 180
TELLING = {
    "doi:10.1234/example": "doi_10.1234_example",
    "10.1234/A_b-C.d": "doi_10.1234_a_b-c.d",
    "10.1234/a..b": "doi_10.1234_a..b",
    "arxiv:2401.12345v2": "arxiv_2401.12345v2",
    "2401.12345": "arxiv_2401.12345",
    "arxiv:cond-mat/9501001": "arxiv_cond-mat_9501001",
    "math.GT/0309136": "arxiv_math.GT_0309136",
    "10.1234/" + "a" * 180: LONG,
    "10.1234/" + "a" * 181: LONG + "_0fb3255a",
    "10.1234/" + "a" * 220: LONG + "_01fe6dd1",
}
AMBIGUOUS = {
    "10.1016/S0370-1573(98)00122-3": "doi_10.1016_s0370-1573_98_00122-3",
    "10.1023/A:1019601218492": "doi_10.1023_a_1019601218492",
    "10.1234/_leading": "doi_10.1234_leading",
    "10.1234/trailing_": "doi_10.1234_trailing",
    "10.1234/a/b": "doi_10.1234_a_b",
    "10.1234/a__b": "doi_10.1234_a_b",
    "10.1234/é": "doi_10.1234",
    "10.1234/a_b_0123cdef": "doi_10.1234_a_b_0123cdef",
}
LEGACY = {
    "doi:10.1234/example": "doi_10.1234_example",
    "10.1016/S0370-1573(98)00122-3": "doi_10.1016_S0370-1573_98_00122-3",
    "10.1234/_leading": "doi_10.1234_leading",
    "10.1234/trailing_": "doi_10.1234_trailing",
    "DOI:10.1023/A:1019601218492": "doi_10.1023_A_1019601218492",
    "arxiv:2401.12345v2": "arxiv_2401.12345v2",
    "arXiv:cond-mat/9501001": "arxiv_cond-mat_9501001",
    "10.1234/" + "a" * 181: LONG + "_0fb3255a",
}


@pytest.mark.parametrize("text", TELLING)
def test_a_key_that_tells_the_paper_is_the_published_one(text):
    assert store_key(parse_reference(text)) == TELLING[text]


@pytest.mark.parametrize("text", AMBIGUOUS)
def test_a_key_that_could_mean_another_paper_carries_a_hash_of_the_id(text):
    reference = parse_reference(text)

    digest = hashlib.sha256(str(reference).encode()).hexdigest()[:8]
    assert store_key(reference) == f"{AMBIGUOUS[text]}_{digest}"


@pytest.mark.parametrize("text", LEGACY)
def test_names_of_doigets_keep_the_letter_case(text):
    assert legacy_key(text) == LEGACY[text]


def test_no_id_can_be_made_up_to_share_the_key_of_another():
    """Whoever sees a hashed key could register the DOI that spells it."""
    hashed = store_key(Doi("10.1234/a/b"))

    twin = Doi("10.1234/" + hashed.removeprefix("doi_10.1234_"))

    assert store_key(twin) != hashed


# Few characters, so that ids which differ only in what a key cannot hold are common.
SUFFIXES = st.text("a1_/:.-(é", min_size=1, max_size=6) | st.text(
    "a_/", min_size=180, max_size=250
)
DOIS = st.builds(lambda suffix: Doi(f"10.1234/{suffix}"), SUFFIXES)


@given(st.lists(DOIS, unique=True, min_size=2, max_size=30))
def test_different_papers_have_different_keys_even_where_case_does_not_count(references):
    keys = {store_key(reference).lower() for reference in references}

    assert len(keys) == len(references)


@given(st.text(min_size=1, max_size=300))
def test_keys_are_short_safe_and_never_hidden(text):
    key = store_key(Doi(f"10.1234/{text.lower()}"))

    assert re.fullmatch(r"doi_10\.1234[A-Za-z0-9._-]*", key)
    assert len(key) <= MAX_KEY_LENGTH
    assert not key.endswith("_")
    assert is_store_key(key)


@given(DOIS)
def test_a_key_without_a_hash_is_turned_back_into_its_id(reference):
    key = store_key(reference)

    if not re.search(r"_[0-9a-f]{8}\Z", key):
        assert key.removeprefix("doi_").replace("_", "/", 1) == reference.value


@given(st.from_regex(r"[a-z-]{1,9}(\.[A-Z]{2})?/[0-9]{7}(v[1-9])?|[0-9]{4}\.[0-9]{5}(v[1-9])?"))
def test_arxiv_ids_keep_the_keys_that_doiget_gives_them(text):
    try:
        reference = parse_reference(text)
    except InvalidInput:
        return
    if isinstance(reference, ArxivId):
        assert store_key(reference) == legacy_key(f"arxiv:{reference}")


@pytest.mark.parametrize(
    "name", ["", ".", "..", ".x", "a/b", "a\\b", "a\0", "a b", "é", "x" * 202]
)
def test_what_could_lead_elsewhere_is_no_key(name):
    assert not is_store_key(name)
