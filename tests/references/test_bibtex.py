"""What an entry of the library looks like in BibTeX."""

import pytest
from pybtex.database import parse_string

from sourcewright.references.bibtex_writer import write_bibtex
from sourcewright.references.entries import Acquisition, Entry

HOLDING = Acquisition(fetched_at="2025-03-04T05:06:07Z", source="crossref")


def entry(**fields):
    return Entry(
        **{"key": "doi_10.5555_x", "title": "A title", "authors": (), "holding": HOLDING, **fields}
    )


def written(**fields):
    """The entry as another program reads it."""
    return parse_string(write_bibtex(entry(**fields), "k"), "bibtex").entries["k"]


def test_an_article_has_its_fields_in_order_and_in_a_column():
    text = write_bibtex(
        entry(
            type="journal-article",
            title="On the habits of brown bears",
            authors=("Ödegård, Åsa", "van der Berg, Jan"),
            year=2019,
            doi="10.5555/bears_(2019)",
            venue="Journal of Bears & Bees",
            volume="12",
            issue="3",
            pages="101-119",
            publisher="Invented Press",
            issn=("1234-5678",),
            url="https://example.org/bears",
            arxiv_id="1901.00001v2",
            arxiv_categories=("q-bio.PE", "stat.AP"),
        ),
        "bears2019",
    )

    assert text == (
        "@article{bears2019,\n"
        "  title      = {On the habits of brown bears},\n"
        "  author     = {Ödegård, Åsa and van der Berg, Jan},\n"
        "  year       = {2019},\n"
        "  doi        = {10.5555/bears_(2019)},\n"
        "  journal    = {Journal of Bears \\& Bees},\n"
        "  volume     = {12},\n"
        "  number     = {3},\n"
        "  pages      = {101--119},\n"
        "  publisher  = {Invented Press},\n"
        "  issn       = {1234-5678},\n"
        "  eprint     = {1901.00001v2},\n"
        "  archivePrefix = {arXiv},\n"
        "  primaryClass = {q-bio.PE},\n"
        "}\n"
    )


@pytest.mark.parametrize(
    ("type_", "kind"),
    [
        ("journal-article", "article"),
        ("JournalArticle", "article"),
        ("proceedings-article", "inproceedings"),
        ("ConferencePaper", "inproceedings"),
        ("proceedings", "proceedings"),
        ("book", "book"),
        ("monograph", "book"),
        ("edited-book", "book"),
        ("book-chapter", "incollection"),
        ("reference-entry", "incollection"),
        ("dissertation", "phdthesis"),
        ("masters-thesis", "mastersthesis"),
        ("report", "techreport"),
        ("posted-content", "misc"),
        ("preprint", "misc"),
        ("peer-review", "misc"),
        ("Software", "software"),
        ("Dataset", "dataset"),
        ("a word that nobody uses", "misc"),
        (None, "misc"),
    ],
)
def test_each_type_of_work_has_its_own_kind_of_entry(type_, kind):
    assert written(type=type_).type == kind


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ({"venue": "Journal of Bears", "issn": ("1234-5678",)}, "article"),
        ({"isbn": ("978-3-16-148410-0",)}, "book"),
        ({"isbn": ("978-3-16-148410-0",), "venue": "Handbook of Bears"}, "incollection"),
        ({"arxiv_id": "2401.00001"}, "misc"),
    ],
)
def test_where_no_source_gave_a_type_the_other_fields_give_it_away(fields, kind):
    assert written(**fields).type == kind


@pytest.mark.parametrize(
    ("type_", "name"),
    [
        ("journal-article", "journal"),
        ("proceedings-article", "booktitle"),
        ("book-chapter", "booktitle"),
        ("book", "series"),
        ("posted-content", "howpublished"),
    ],
)
def test_the_venue_is_called_what_its_kind_of_entry_calls_it(type_, name):
    assert written(type=type_, venue="Somewhere").fields[name] == "Somewhere"


@pytest.mark.parametrize(
    ("type_", "name"),
    [("dissertation", "school"), ("report", "institution"), ("book", "publisher")],
)
def test_the_publisher_is_called_what_its_kind_of_entry_calls_it(type_, name):
    assert written(type=type_, publisher="Invented House").fields[name] == "Invented House"


def test_fields_that_nobody_knows_are_absent():
    assert list(written().fields) == ["title"]


@pytest.mark.parametrize(
    ("pages", "shown"),
    [
        ("12-19", "12--19"),
        ("12\u201319", "12--19"),
        ("S12 - S19", "S12--S19"),
        ("e0815", "e0815"),
        ("1-2-3", "1-2-3"),
        ("12--19", "12--19"),
    ],
)
def test_a_range_of_pages_has_a_long_dash(pages, shown):
    assert written(pages=pages).fields["pages"] == shown


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("Sequencing of mRNA from Norway", "Sequencing of {mRNA} from {Norway}"),
        ("The Structure of DNA in Living Cells", "The Structure of {DNA} in Living Cells"),
        ("X-ray pictures of bears", "{X-ray} pictures of bears"),
        ("A study of a café", "A study of a café"),
        ("Open-Source Tools for Everybody", "Open-Source Tools for Everybody"),
        ("EVERYTHING IS LOUD", "EVERYTHING IS LOUD"),
        ("Costs of $X and more", "Costs of {{\\$X}} and more"),
    ],
)
def test_capitals_that_carry_meaning_are_protected(title, shown):
    assert written(title=title).fields["title"] == shown


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("Bear, Brown", "Bear, Brown"),
        ("World Health Organization", "{World Health Organization}"),
        ("The ATLAS Collaboration", "{The ATLAS Collaboration}"),
        ("Institute of Bears, University of Woods", "{Institute of Bears, University of Woods}"),
        ("Jane Q. Public", "Public, Jane Q."),
        ("Ludwig van Beethoven", "van Beethoven, Ludwig"),
        ("Plato", "{Plato}"),
        ("King, Jr., Martin Luther", "King, Jr., Martin Luther"),
        ("King, Martin Luther, III", "King, III, Martin Luther"),
        ("Martin Luther King Jr.", "King, Jr., Martin Luther"),
        ("Costa e Silva, Ana", "{Costa e Silva}, Ana"),
        ("de la Cruz, Ana", "de la Cruz, Ana"),
        ("Chi On Wong", "Wong, Chi On"),
        ("Smith and Sons", "{Smith and Sons}"),
        ("Bear, B. and C.", "Bear, {B. and C.}"),
        ("Müller & Co", "{Müller \\& Co}"),
    ],
)
def test_names_keep_their_parts_and_groups_stay_whole(name, shown):
    text = write_bibtex(entry(authors=(name,)), "k")

    assert f"  author     = {{{shown}}},\n" in text


def test_an_old_arxiv_id_carries_its_class():
    fields = written(arxiv_id="hep-th/9901001").fields

    assert (fields["eprint"], fields["primaryClass"]) == ("hep-th/9901001", "hep-th")


def test_software_carries_its_version_and_its_address():
    fields = written(
        type="Software", doi="10.5555/s", url="https://example.org/s_1", extras={"version": "2.1"}
    ).fields

    assert (fields["version"], fields["url"]) == ("2.1", "https://example.org/s_1")


def test_markup_becomes_plain_text():
    assert written(title="Rates of H<sub>2</sub>O &amp; more").fields["title"] == (
        "Rates of {H2O} \\& more"
    )


def test_addresses_are_not_typeset_but_can_not_unbalance_the_entry():
    fields = written(doi="10.5555/a_b%c{d", url="https://example.org/~x_y").fields

    assert fields["doi"] == "10.5555/a_b%c%7Bd"
