"""What our writers write is what our readers read, and no input makes them fail otherwise."""

import json
import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.errors import InvalidInput
from sourcewright.base.text.person_names import is_organisation_name
from sourcewright.base.text.plain import plain_text
from sourcewright.references.item_export import bibtex, csl_json, ris
from sourcewright.references.limits import MAX_ENTRIES, MAX_STRING, MAX_TEXT_LINES, MAX_VALUE
from sourcewright.references.model import Reference, UnreadableReference
from sourcewright.references.reader import read_references

FORMATS = (
    *("bibtex", "ris", "csl-json", "endnote-xml", "endnote", "mods", "nbib", "latex", "list"),
)
LETTERS = st.text(
    st.characters(whitelist_categories=("Lu", "Ll"), max_codepoint=0x24F), min_size=2, max_size=12
)
WORDS = st.text(
    st.characters(
        whitelist_categories=("Lu", "Ll", "Nd", "Po", "Sm", "Sc", "Pd"), max_codepoint=0x24F
    ),
    min_size=1,
    max_size=12,
)
PLAIN_WORDS = (
    st.lists(WORDS, min_size=1, max_size=8)
    .map(" ".join)
    .filter(
        # Words that are markup or entities to a reader of titles are not for this test.
        lambda text: plain_text(text) == text and any(map(str.isalnum, text))
    )
)
# A family name that is a word of organisations, such as NETWORK, is read as that of one.
FAMILIES = LETTERS.filter(lambda text: not is_organisation_name(text))
NAMES = st.fixed_dictionaries({"family": FAMILIES, "given": LETTERS})
ITEMS = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["article-journal", "chapter", "paper-conference"]),
        "title": PLAIN_WORDS,
        "author": st.lists(NAMES, min_size=1, max_size=4),
        "container-title": LETTERS,
        "issued": st.integers(1500, 2099).map(lambda year: {"date-parts": [[year]]}),
        "volume": st.integers(1, 999).map(str),
        "issue": st.integers(1, 99).map(str),
        "page": st.tuples(st.integers(1, 999), st.integers(1000, 9999)).map(
            "{0[0]}-{0[1]}".format
        ),
        "DOI": st.text(string.ascii_lowercase + string.digits + "._-()", min_size=1, max_size=20)
        .map("10.5555/{}".format)
        .filter(lambda doi: doi[-1].isalnum()),
    }
)
WRITERS = {
    "bibtex": lambda item: bibtex(item, "key1"),
    "ris": lambda item: ris(item, "key1"),
    "csl-json": lambda item: csl_json([(item, "key1")]),
}


@pytest.mark.parametrize("name", WRITERS)
@given(item=ITEMS)
def test_what_we_write_is_what_we_read(name, item):
    [reference] = read_references(WRITERS[name](item))

    assert isinstance(reference, Reference)
    assert [(author.family, author.given) for author in reference.authors] == [
        (author["family"], author["given"]) for author in item["author"]
    ]
    assert reference.title == item["title"]
    assert reference.venue in (item["container-title"], None)
    assert reference.year == item["issued"]["date-parts"][0][0]
    assert (reference.volume, reference.issue) == (item["volume"], item["issue"])
    assert (reference.pages, reference.doi) == (item["page"], item["DOI"])


@pytest.mark.parametrize("name", FORMATS)
@given(
    text=st.text(
        st.sampled_from('@{}(),="#\\%[]<>&;:-\n\r\t\x00\ud800 aA1.~TYERPMID'), max_size=300
    )
)
def test_any_text_is_read_or_refused(name, text):
    try:
        references = read_references(text, format=name)
    except InvalidInput:
        return
    assert all(one.reason for one in references if isinstance(one, UnreadableReference))


@pytest.mark.parametrize(
    ("entry", "usually", "most"),
    [
        ("@misc{a, title = {A}}\n", 5_000, MAX_ENTRIES),
        ("TY  - JOUR\nTI  - A\nER  - \n", 5_000, MAX_ENTRIES),
        ("TY  - JOUR\nER  - \n", MAX_ENTRIES, MAX_ENTRIES),
        ("PMID- 1\nTI  - A\n\n", 5_000, MAX_ENTRIES),
        ("\\bibitem{a} Ek, S. 2001.\n", 5_000, 5_000),
    ],
    ids=["bibtex", "ris", "ris without fields", "nbib", "latex"],
)
def test_as_many_entries_as_are_allowed_are_all_read(entry, usually, most, often):
    count = often(usually, most)

    assert len(read_references(entry * count)) == count


def test_a_long_numbered_list_is_read_to_its_end():
    entries = [f"[{n}] Ek, S. (2001). A title. J, 1, 2.\n" for n in range(1, 5_001)]

    assert len(read_references("".join(entries))) == 5_000


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ("PMID- 1\nTI  - A\n", "nbib"),
        ("%0 Book\n%T A\n", "endnote"),
        ("\\bibitem{a}\n", "latex"),
        ("- a\n", "list"),
    ],
)
def test_more_entries_are_refused(entry, name):
    with pytest.raises(InvalidInput, match="more than 50000"):
        read_references(entry * (MAX_ENTRIES + 1), format=name)


def test_a_text_with_too_many_lines_is_refused():
    with pytest.raises(InvalidInput, match="more than 500000 lines"):
        read_references("\n" * (MAX_TEXT_LINES + 1))


def test_a_field_without_end_is_cut():
    [reference] = read_references(f"@misc{{a, title = {{{'a ' * MAX_VALUE}}}, year = 2001}}")

    assert len(reference.title or "") <= MAX_VALUE
    assert reference.year == 2001


def test_an_abbreviation_cannot_expand_without_limit():
    bomb = '@string{a0 = "aaaaaaaaaa"}\n' + "".join(
        f"@string{{a{n + 1} = a{n} # a{n}}}\n" for n in range(60)
    )

    [reference] = read_references(f"{bomb}@misc{{k, title = a60, year = 2001}}")

    assert len(reference.title or "") <= MAX_STRING


def test_wrong_types_in_csl_json_are_no_fields():
    item = {
        "title": {"a": 1},
        "author": [None, 7, {"family": ["x"]}, {"family": "Ek"}, "Bear, Ann"],
        "issued": {"date-parts": [[{"a": []}]]},
        "volume": True,
        "DOI": ["10.5555/a", 3],
        "page": [],
    }

    [reference] = read_references(json.dumps([item]))

    assert [author.family for author in reference.authors] == ["Ek", "Bear"]
    assert (reference.title, reference.year, reference.volume) == (None, None, None)
    assert (reference.doi, reference.pages) == ("10.5555/a", None)
