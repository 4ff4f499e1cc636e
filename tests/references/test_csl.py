"""What an entry of the library looks like in CSL-JSON."""

import pytest

from sourcewright.references.csl import csl_item
from sourcewright.references.entries import Acquisition, Entry

HOLDING = Acquisition(fetched_at="2025-03-04T05:06:07Z", source="crossref", short_venue="J. Bears")


def item(**fields):
    made = {"key": "doi_10.5555_x", "title": "A title", "authors": (), "holding": HOLDING}
    return csl_item(Entry(**{**made, **fields}), "k")


def test_an_article_has_the_fields_that_styles_use():
    assert item(
        type="journal-article",
        authors=("Ödegård, Åsa", "King, Jr., Martin", "World Health Organization"),
        year=2019,
        doi="10.5555/bears",
        venue="Journal of Bears",
        volume="12",
        issue="3",
        pages="101\u2013119",
        publisher="Invented Press",
        issn=("1234-5678", "8765-4321"),
        url="https://example.org/bears",
        abstract="Bears <i>sleep</i>.",
        arxiv_id="1901.00001",
    ) == {
        "id": "k",
        "type": "article-journal",
        "title": "A title",
        "author": [
            {"family": "Ödegård", "given": "Åsa"},
            {"family": "King", "given": "Martin", "suffix": "Jr."},
            {"literal": "World Health Organization"},
        ],
        "issued": {"date-parts": [[2019]]},
        "DOI": "10.5555/bears",
        "container-title": "Journal of Bears",
        "container-title-short": "J. Bears",
        "volume": "12",
        "issue": "3",
        "page": "101-119",
        "publisher": "Invented Press",
        "ISSN": "1234-5678, 8765-4321",
        "abstract": "Bears sleep.",
        "URL": "https://example.org/bears",
        "note": "arXiv:1901.00001",
    }


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("journal-article", "article-journal"),
        ("proceedings-article", "paper-conference"),
        ("book", "book"),
        ("book-chapter", "chapter"),
        ("dissertation", "thesis"),
        ("masters-thesis", "thesis"),
        ("report", "report"),
        ("posted-content", "article"),
        ("standard", "standard"),
        ("peer-review", "review"),
        ("Software", "software"),
        ("Dataset", "dataset"),
        (None, "document"),
    ],
)
def test_each_type_of_work_has_its_type(type_, kind):
    assert item(type=type_)["type"] == kind


def test_an_organisation_that_reads_like_a_person_is_not_taken_apart():
    written = item(authors=("Ledger House", "Ada House"), organisations=("Ledger House",))

    assert written["author"] == [{"literal": "Ledger House"}, {"family": "House", "given": "Ada"}]


def test_a_preprint_is_numbered_by_arxiv():
    preprint = item(type="preprint", arxiv_id="2401.00001v1")

    assert preprint["number"] == "arXiv:2401.00001v1"
    assert preprint["publisher"] == "arXiv"
    assert preprint["URL"] == "https://arxiv.org/abs/2401.00001v1"


def test_fields_that_nobody_knows_are_absent():
    assert set(item()) == {"id", "type", "title", "container-title-short"}
