"""What holds for identifiers whatever the text."""

import string
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.errors import InvalidInput
from sourcewright.base.identifiers import (
    REFERENCE_MAX_LENGTH,
    REFERENCE_MIN_LENGTH,
    Doi,
    parse_doi,
    parse_reference,
)

PLAIN = string.ascii_lowercase + string.digits
SICI = PLAIN + "-._;()/<>:[]+#?&=!*'~@,"

registrants = st.from_regex(r"[0-9]{4,9}(\.[0-9]{1,4})?", fullmatch=True)
plain_dois = st.builds(
    "10.{}/{}{}".format,
    registrants,
    st.text(PLAIN + "-._/", max_size=40),
    st.text(PLAIN, min_size=1, max_size=5),
)
odd_texts = st.one_of(
    st.builds("10.{}/{}".format, registrants, st.text(SICI, min_size=1, max_size=60)),
    st.builds("10.{}/{}".format, registrants, st.text(min_size=1, max_size=60)),
    st.text(SICI + "%", max_size=60).map("10.1234/".__add__),
    st.text("\\_%2025aFfcC3&ltgmp;\u200b\u0301WwKk\u212a", max_size=30).map("10.1234/".__add__),
)
decorations = st.sampled_from(
    [
        "{}",
        "  {}\n",
        "doi:{}",
        "DOI: {}",
        "DOI {}",
        "urn:doi:{}",
        "info:doi/{}",
        "https://doi.org/{}",
        "http://dx.doi.org/{}",
        "doi.org/{}",
        "https://doi.org/{}?utm_source=feed",
        "https://doi.org/{}#abstract",
        "({})",
        "[{}].",
        "<{}>",
        '"{}",',
        "\u201c{}\u201d",
        "{}.",
        "{},",
        "\ufeff{}",
        "https://example.org/article/{}",
        "https://example.org/article?id={}&type=pdf",
    ]
)


def parsed(text):
    """The reference in a text, or None; any other error than InvalidInput gets through."""
    try:
        return parse_reference(text)
    except InvalidInput:
        return None


@given(doi=plain_dois, decoration=decorations)
def test_every_decoration_of_a_doi_leads_to_the_doi(doi, decoration):
    assert parse_reference(decoration.format(doi)) == Doi(doi)


@given(outer=decorations, inner=decorations, doi=plain_dois)
def test_decorations_of_what_was_read_change_nothing(outer, inner, doi):
    once = parse_reference(inner.format(doi))

    assert parse_reference(outer.format(once)) == once


@given(text=odd_texts)
def test_reading_what_was_read_changes_nothing(text):
    reference = parsed(text)

    if reference is not None:
        assert parse_reference(str(reference)) == reference
        assert parse_reference(reference.url) == reference


@given(suffix=st.text(SICI + string.ascii_uppercase, min_size=1), start=decorations)
def test_ascii_letter_case_never_matters(suffix, start):
    text = start.format(f"10.1234/{suffix}")

    assert parsed(text.upper()) == parsed(text.lower())


@given(text=st.one_of(st.text(), st.text(st.characters(categories=["Cs", "Cc", "Cf", "Zs"]))))
def test_arbitrary_text_is_read_or_refused_and_nothing_else(text):
    parsed(text)


@given(
    start=st.sampled_from(
        ["10.", "doi:", "https://", "https://doi.org/", "arxiv:", "https://arxiv.org/abs/", "pmc"]
    ),
    text=st.text(),
)
def test_arbitrary_text_after_a_promising_start_is_read_or_refused(start, text):
    reference = parsed(start + text)

    if reference is not None:
        assert REFERENCE_MIN_LENGTH <= len(start + text) <= REFERENCE_MAX_LENGTH
        assert any(c in string.digits for c in start + text)
        assert parse_reference(str(reference)) == reference


@given(text=odd_texts)
def test_a_read_doi_is_clean(text):
    reference = parsed(text)

    if isinstance(reference, Doi):
        value = reference.value
        assert value == unicodedata.normalize("NFC", value)
        assert not any(c.isspace() or c in string.ascii_uppercase for c in value)
        assert not {unicodedata.category(c) for c in value} & {"Cc", "Cf", "Cs"}
        assert value.encode("utf-8")
        assert reference.url.isascii()


@given(
    text=st.from_regex(r"\A[0-9]{4}\.[0-9]{4,5}\Z"),
    version=st.one_of(st.just(""), st.integers(1, 99).map("v{}".format)),
)
def test_every_arxiv_id_of_the_new_style_is_read(text, version):
    assert str(parse_reference(f"arXiv:{text}{version}")) == f"{text}{version}"


@given(doi=st.from_regex(r"\A10\.[0-9]{4,9}/[A-Za-z0-9._/()-]{1,40}\Z"))
def test_every_doi_that_the_published_pattern_allows_is_read_as_it_is_written(doi):
    assert parse_doi(doi).readings[0].value == doi.lower()


@given(doi=plain_dois)
def test_parse_doi_agrees_with_parse_reference(doi):
    assert parse_doi(doi) == parse_reference(doi)
