"""Whatever an entry holds survives being written and being read by others."""

import json
from collections import Counter

from bibtexparser import parse_string as parse_with_bibtexparser
from bibtexparser.middlewares import SeparateCoAuthors, SplitNameParts
from citeproc.source.json import CiteProcJSON
from hypothesis import example, given
from hypothesis import strategies as st
from jsonschema import Draft7Validator
from pybtex.database import parse_string as parse_with_pybtex

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.text.plain import plain_text
from sourcewright.references.bibliography import IdentifiedEntry, read_bibliography
from sourcewright.references.bibtex_writer import write_bibtex
from sourcewright.references.csl import csl_item
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.references.latex import from_latex

KEY = "doi_10.5555_x"
DOI = "10.5555/x_(1)<2>"
TYPES = [
    *("journal-article", "proceedings-article", "book", "book-chapter", "dissertation", "report"),
    *("posted-content", "Software", "Dataset", "masters-thesis", "unheard-of", None),
]
NAMES = {"type": "array", "items": {"$ref": "#/definitions/name"}}
NUMBER = {"type": ["string", "number"]}
STRING = {"type": "string"}
# What the published schema of CSL data says about the fields that we write. Like there, no
# other field is allowed.
SCHEMA = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["type", "id"],
        "additionalProperties": False,
        "properties": {
            "type": {
                "enum": [
                    *("article", "article-journal", "book", "chapter", "dataset", "document"),
                    *("paper-conference", "report", "review", "software", "standard", "thesis"),
                ]
            },
            "id": NUMBER,
            "author": NAMES,
            "issued": {
                "type": "object",
                "additionalProperties": False,
                "properties": {
                    "date-parts": {
                        "type": "array",
                        "minItems": 1,
                        "maxItems": 2,
                        "items": {"type": "array", "minItems": 1, "maxItems": 3, "items": NUMBER},
                    }
                },
            },
            **dict.fromkeys(["volume", "issue", "page", "number"], NUMBER),
            **dict.fromkeys(["title", "container-title", "container-title-short"], STRING),
            **dict.fromkeys(["publisher", "abstract", "keyword", "note", "genre"], STRING),
            **dict.fromkeys(["DOI", "ISSN", "ISBN", "URL", "version"], STRING),
        },
    },
    "definitions": {
        "name": {
            "type": "object",
            "additionalProperties": False,
            "properties": dict.fromkeys(["family", "given", "suffix", "literal"], STRING),
        }
    },
}

anything = st.text(max_size=30) | st.text(alphabet="Ab and{}\\\"$%#&,~^_<>@'`-=é", max_size=30)
maybe = st.none() | anything
HOLDING = Acquisition(fetched_at="2025-03-04T05:06:07Z", source="crossref")
entries = st.builds(
    Entry,
    key=st.just(KEY),
    title=anything,
    authors=st.lists(anything, max_size=4).map(tuple),
    holding=st.just(HOLDING),
    year=st.none() | st.integers(1500, 2100),
    doi=st.sampled_from([None, DOI]),
    arxiv_id=st.sampled_from([None, "2401.00001v2", "hep-th/9901001"]),
    abstract=maybe,
    venue=maybe,
    volume=maybe,
    issue=maybe,
    pages=maybe,
    keywords=st.lists(anything, max_size=2).map(tuple),
    type=st.sampled_from(TYPES),
    publisher=maybe,
    issn=st.lists(anything, max_size=2).map(tuple),
    isbn=st.lists(anything, max_size=2).map(tuple),
    extras=st.dictionaries(st.just("version"), anything | st.integers(), max_size=1),
)
VENUES = ("journal", "booktitle", "series", "howpublished")
PUBLISHERS = ("publisher", "school", "institution")


def letters_of(text):
    """The letters and signs of a name, in whichever order its parts were put."""
    return Counter("".join(text.split()).replace(",", ""))


def field_text(fields, names):
    return next((from_latex(fields[name]) for name in names if name in fields), "")


@given(entries)
def test_any_entry_survives_the_parser_of_pybtex(entry):
    read = parse_with_pybtex(write_bibtex(entry, KEY), "bibtex").entries[KEY]

    assert field_text(read.fields, ["title"]) == plain_text(entry.title)
    assert field_text(read.fields, VENUES) == plain_text(entry.venue or "")
    assert field_text(read.fields, PUBLISHERS) == plain_text(entry.publisher or "")
    assert field_text(read.fields, ["volume"]) == plain_text(entry.volume or "")
    assert field_text(read.fields, ["year"]) == str(entry.year or "")
    assert read.fields.get("doi") == entry.doi
    authors = [plain_text(author) for author in entry.authors if plain_text(author)]
    people = [letters_of(from_latex(str(p))) for p in read.persons.get("author", [])]
    assert people == [letters_of(author) for author in authors]


@given(entries)
@example(Entry(key=KEY, title="", authors=("Ek _", "0"), holding=HOLDING))
@example(Entry(key=KEY, title="", authors=(": _ :", "0"), holding=HOLDING))
def test_any_entry_survives_the_parser_of_bibtexparser(entry):
    library = parse_with_bibtexparser(
        write_bibtex(entry, KEY), append_middleware=[SeparateCoAuthors(), SplitNameParts()]
    )

    assert library.failed_blocks == []
    (read,) = library.entries
    fields = {field.key: field.value for field in read.fields}
    authors = [plain_text(author) for author in entry.authors if plain_text(author)]
    parts = [[*n.first, *n.von, *n.last, *n.jr] for n in fields.pop("author", [])]
    assert read.key == KEY
    assert from_latex(fields.get("title", "")) == plain_text(entry.title)
    assert field_text(fields, ["number"]) == plain_text(entry.issue or "")
    assert fields.get("doi") == entry.doi
    assert [letters_of(from_latex(" ".join(part))) for part in parts] == [
        letters_of(author) for author in authors
    ]


@given(entries)
def test_any_entry_is_valid_csl_and_its_texts_survive(entry):
    (item,) = json.loads(json.dumps([csl_item(entry, KEY)]))

    assert [error.message for error in Draft7Validator(SCHEMA).iter_errors([item])] == []
    assert item.get("title", "") == plain_text(entry.title)
    assert item.get("container-title", "") == plain_text(entry.venue or "")
    assert item.get("abstract", "") == plain_text(entry.abstract or "")
    assert [letters_of(" ".join(name.values())) for name in item.get("author", [])] == [
        letters_of(plain_text(author)) for author in entry.authors if plain_text(author)
    ]


@given(entries)
def test_any_entry_survives_the_reader_of_citeproc(entry):
    """It warns of every field that CSL does not have, and a warning fails a test."""
    item = json.loads(json.dumps(csl_item(entry, KEY)))

    [read] = CiteProcJSON([item]).values()

    assert (read.key, read.type) == (KEY, item["type"])
    assert str(read.get("title", "")) == plain_text(entry.title)
    assert str(read.get("container_title", "")) == plain_text(entry.venue or "")
    assert str(read.get("volume", "")) == plain_text(entry.volume or "")
    assert str(read.get("issue", "")) == plain_text(entry.issue or "")
    assert str(read.get("DOI", "")) == (entry.doi or "")
    assert (read["issued"].year if "issued" in read else None) == entry.year
    assert [dict(name) for name in read.get("author", [])] == item.get("author", [])


@given(entries)
def test_what_we_write_we_read_as_the_same_paper(entry):
    written = {
        "library.bib": write_bibtex(entry, KEY),
        "library.json": json.dumps([csl_item(entry, KEY)]),
    }

    for name, text in written.items():
        (result,) = read_bibliography(text.encode(), name=name)

        assert result.entry == KEY
        if entry.doi:
            assert isinstance(result, IdentifiedEntry)
            assert result.reference == Doi(DOI)
        elif entry.arxiv_id:
            assert isinstance(result, IdentifiedEntry)
            assert isinstance(result.reference, ArxivId)
            assert str(result.reference) == entry.arxiv_id
