"""References from BibTeX, RIS and CSL-JSON, as their authors wrote them."""

import json

import pytest

from sourcewright.base.errors import InvalidInput
from sourcewright.references.limits import MAX_BYTES, MAX_ENTRIES
from sourcewright.references.model import Reference, UnreadableReference
from sourcewright.references.reader import read_references


def only(text, **arguments):
    [reference] = read_references(text, **arguments)
    assert isinstance(reference, Reference)
    return reference


def names(reference):
    return [(author.family, author.given) for author in reference.authors]


def test_an_article_in_bibtex_has_all_its_fields_and_its_text():
    text = (
        "@article{berg2019,\n"
        "  title = {On the habits of {Brown} bears},\n"
        '  author = {van der Berg, Jan and {\\AA}sa {\\"O}deg{\\aa}rd},\n'
        "  journal = {Journal of Bears \\& Bees}, year = 2019, volume = {12}, number = {3},\n"
        "  pages = {101--119}, doi = {https://doi.org/10.5555/bears_(2019)},\n"
        "}"
    )

    reference = only(f"% my bears\n{text}\n")

    assert reference == Reference(
        text=text,
        key="berg2019",
        line=2,
        kind="article",
        entry_type="article",
        authors=reference.authors,
        title="On the habits of Brown bears",
        venue="Journal of Bears & Bees",
        year=2019,
        volume="12",
        issue="3",
        pages="101-119",
        doi="10.5555/bears_(2019)",
    )
    assert names(reference) == [("van der Berg", "Jan"), ("Ödegård", "Åsa")]


@pytest.mark.parametrize(
    ("field", "family", "given", "suffix"),
    [
        ("Ludwig van Beethoven", "van Beethoven", "Ludwig", None),
        ("de la Vallée Poussin, Charles", "de la Vallée Poussin", "Charles", None),
        ("Ford, Jr., Henry", "Ford", "Henry", "Jr."),
        ("Brinch Hansen, Per", "Brinch Hansen", "Per", None),
        ("{\\O}stergaard, S{\\o}ren", "Østergaard", "Søren", None),
        ("Plato", "Plato", None, None),
        ("family=Berg, given=Jan, prefix=van der", "van der Berg", "Jan", None),
    ],
)
def test_names_in_bibtex_follow_its_rules(field, family, given, suffix):
    [author] = only(f"@misc{{k, author = {{{field}}}, title = {{T}}}}").authors

    assert (author.family, author.given, author.suffix) == (family, given, suffix)


def test_an_organisation_in_braces_is_not_split():
    reference = only("@misc{k, author = {{Barnes and Noble, Inc.} and Knuth, Donald}, title=A}")

    assert [author.name for author in reference.authors] == [
        "Barnes and Noble, Inc.",
        "Donald Knuth",
    ]
    assert [author.is_organisation for author in reference.authors] == [True, False]


@pytest.mark.parametrize("end", ["and others", "and et al.", "and {others}"])
def test_others_are_no_author(end):
    reference = only(f"@misc{{k, author = {{Knuth, Donald {end}}}, title = {{T}}}}")

    assert names(reference) == [("Knuth", "Donald")]
    assert reference.authors_truncated


def test_strings_are_expanded_and_joined():
    reference = only(
        '@string{jbb = "Journal of Bears"}\n@string(more = jbb # { and Bees})\n'
        '@article{k, title = "A" # " title", journal = more, year = "20" # {19}}'
    )

    assert (reference.title, reference.venue, reference.year) == (
        "A title",
        "Journal of Bears and Bees",
        2019,
    )


def test_a_string_keeps_the_space_at_its_ends():
    reference = only(
        '@string{more = " and others"}\n@article{k, title = {A}, author = {A. Bear} # more}'
    )

    assert names(reference) == [("Bear", "A.")]
    assert reference.authors_truncated


def test_crossref_gives_a_paper_the_fields_of_its_proceedings():
    paper, book = read_references(
        "@inproceedings{p, title = {A paper}, author = {A. Bear}, pages = {1-2}, crossref = {BOOK}}"
        "\n@proceedings{book, title = {Proceedings of Bears}, editor = {C. Ub}, year = 1999,"
        " publisher = {Den}, doi = {10.5555/book}}"
    )

    assert (paper.venue, paper.year, paper.publisher) == ("Proceedings of Bears", 1999, "Den")
    assert names(paper) == [("Bear", "A.")]
    assert paper.doi is None
    assert (book.kind, book.title, book.venue) == ("book", "Proceedings of Bears", None)


def test_a_missing_comma_costs_no_field():
    reference = only(
        '@article{k,\n title = {A = B}\n author = "Bear, Ann"\n year = 2001\n journal = {J}\n}'
    )

    assert (reference.title, reference.year, reference.venue) == ("A = B", 2001, "J")
    assert names(reference) == [("Bear", "Ann")]


def test_duplicate_keys_are_two_references():
    first, second = read_references("@misc{k, title = {One}}\n@misc{k, title = {Two}}")

    assert (first.title, second.title) == ("One", "Two")


def test_a_broken_entry_has_a_reason_and_costs_no_other():
    before, broken, after = read_references(
        "@misc{a, title = {One}}\n@misc{b, title = {Unclosed\n@misc{c, title = {Three}}"
    )

    assert (before.title, after.title) == ("One", "Three")
    assert isinstance(broken, UnreadableReference)
    assert (broken.key, broken.line) == ("b", 2)
    assert "not well-formed BibTeX" in broken.reason
    assert "Unclosed" in broken.text


@pytest.mark.parametrize(
    "text", ["@in-proceedings{k, title = {A}}", "@article\n{k, title = {A}}", "@misc{k}"]
)
def test_an_entry_that_cannot_be_read_is_not_dropped(text):
    [unreadable, _] = read_references(f"{text}\n\n@misc{{l, title = {{B}}}}", format="bibtex")

    assert isinstance(unreadable, UnreadableReference)
    assert unreadable.reason


@pytest.mark.parametrize(
    ("fields", "kind"),
    [
        ("@online{k, title={T}, url={https://a.example}}", "webpage"),
        ("@misc{k, title={T}, howpublished={\\url{https://a.example}}}", "webpage"),
        ("@misc{k, title={T}, eprint={2401.12345}, archivePrefix={arXiv}}", "preprint"),
        ("@article{k, title={T}, journal={arXiv preprint arXiv:2401.12345}}", "preprint"),
        ("@article{k, title={T}, journal={Nature}}", "article"),
        ("@phdthesis{k, title={T}, school={S}}", "thesis"),
        ("@jurisdiction{k, title={T}}", "case"),
        ("@legislation{k, title={T}}", "law"),
        ("@software{k, title={T}}", "software"),
        ("@dataset{k, title={T}}", "dataset"),
        ("@techreport{k, title={T}}", "report"),
        ("@incollection{k, title={T}}", "chapter"),
        ("@mvbook{k, title={T}}", "book"),
        ("@inproceedings{k, title={T}}", "article"),
        ("@misc{k, title={T}}", "other"),
    ],
)
def test_the_kind_follows_from_type_and_fields(fields, kind):
    assert only(fields).kind == kind


@pytest.mark.parametrize(
    ("fields", "name", "value"),
    [
        ("doi = {doi:10.5555/A.b}", "doi", "10.5555/A.b"),
        ("doi = {10.5555/a\\_b}", "doi", "10.5555/a_b"),
        ("url = {https://doi.org/10.5555/ab}", "doi", "10.5555/ab"),
        ("note = {DOI: 10.5555/ab.}", "doi", "10.5555/ab"),
        ("note = {A reply to doi:10.5555/other}", "doi", None),
        ("journal = {J. Bears, doi:10.5555/ab}", "doi", "10.5555/ab"),
        ("doi = {1O.5555/misspelled1}", "doi", "1O.5555/misspelled1"),
        ("doi = {n/a}", "doi", None),
        ("journal = {arXiv preprint arXiv:2401.12345v2}", "arxiv_id", "2401.12345v2"),
        ("journal = {CoRR}, volume = {abs/1706.03762}", "arxiv_id", "1706.03762"),
        ("eprint = {hep-th/9901001}, eprinttype = {arxiv}", "arxiv_id", "hep-th/9901001"),
        ("url = {https://arxiv.org/pdf/2401.12345}", "arxiv_id", "2401.12345"),
        ("pmid = {12345}", "pmid", "12345"),
        ("eprint = {12345}, eprinttype = {pubmed}", "pmid", "12345"),
        ("pmcid = {PMC12345}", "pmcid", "PMC12345"),
        ("pmcid = {12345}", "pmcid", "PMC12345"),
        ("isbn = {978-0-306-40615-7 (paperback)}", "isbn", "9780306406157"),
        ("isbn = {0022-3263}", "isbn", None),
    ],
)
def test_identifiers_are_read_from_any_field(fields, name, value):
    assert getattr(only(f"@article{{k, title = {{T}}, {fields}}}"), name) == value


def test_ris_has_all_its_fields_and_its_text():
    text = (
        "TY  - JOUR\nID  - b1\nTI  - On bears\nAU  - van der Berg, Jan\nAU  - World Health "
        "Organization\nPY  - 2019/03/02\nJO  - J. Bears\nVL  - 12\nIS  - 3\nSP  - 101\nEP  - 119\n"
        "DO  - 10.5555/b\nUR  - https://a.example/b\nER  -"
    )

    reference = only(f"\ufeff\r\n{text}\n\n")

    assert reference.text == text
    assert (reference.key, reference.line, reference.kind) == ("b1", 2, "article")
    assert [author.name for author in reference.authors] == [
        "Jan van der Berg",
        "World Health Organization",
    ]
    assert (reference.title, reference.venue, reference.year) == ("On bears", "J. Bears", 2019)
    assert (reference.volume, reference.issue, reference.pages) == ("12", "3", "101-119")
    assert (reference.doi, reference.url) == ("10.5555/b", "https://a.example/b")


def test_a_suffix_before_the_comma_is_no_part_of_the_family_name():
    (read,) = read_references("TY  - JOUR\nTI  - On bears\nAU  - Hall Jr., Sam\nER  - ")

    (author,) = read.authors
    assert (author.family, author.given, author.suffix) == ("Hall", "Sam", "Jr.")


def test_a_ris_record_without_fields_has_a_reason():
    first, second = read_references("TY  - JOUR\nER  - \nTY  - BOOK\nBT  - Bears\nER  - ")

    assert isinstance(first, UnreadableReference)
    assert (second.kind, second.title) == ("book", "Bears")


def test_csl_json_has_all_its_fields():
    item = {
        "id": "b1",
        "type": "article-journal",
        "title": "On <i>Ursus</i>",
        "author": [
            {"family": "Berg", "non-dropping-particle": "van der", "given": "Jan"},
            {"literal": "The Bear Group"},
        ],
        "container-title": ["Journal of Bears"],
        "issued": {"date-parts": [["2019", 3]]},
        "volume": 12,
        "page": "101\u2013119",
        "DOI": "10.5555/b",
        "PMID": "12345",
    }

    reference = only(json.dumps([item]))

    assert (reference.key, reference.kind, reference.title) == ("b1", "article", "On Ursus")
    assert [author.name for author in reference.authors] == ["Jan van der Berg", "The Bear Group"]
    assert (reference.venue, reference.year, reference.volume) == ("Journal of Bears", 2019, "12")
    assert (reference.pages, reference.doi, reference.pmid) == ("101-119", "10.5555/b", "12345")
    assert json.loads(reference.text) == item


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"raw": "March 2019"}, 2019),
        ({"literal": "in press"}, None),
        ({"date-parts": [[]]}, None),
        ({"date-parts": [2019]}, 2019),
        ("2019-03-01", 2019),
        (None, None),
    ],
)
def test_dates_in_csl_json_come_in_many_forms(issued, year):
    assert only(json.dumps({"title": "T", "issued": issued})).year == year


def test_an_item_that_is_no_object_has_a_reason():
    good, bad, empty = read_references('[{"title": "T"}, 7, {"id": "x", "type": "book"}]')

    assert good.title == "T"
    assert isinstance(bad, UnreadableReference)
    assert (bad.text, bad.reason) == ("7", "item 2 is not a JSON object")
    assert (empty.key, empty.reason) == ("x", "item 3 has no fields of a reference")


@pytest.mark.parametrize(
    ("unit", "times", "format_name", "reason"),
    [
        ("[{", 1, "csl-json", "not valid JSON"),
        ("[", 100_000, "csl-json", "not valid JSON"),
        ("7", 1, "csl-json", "neither a list of CSL items nor a single item"),
        ("@misc{a}\n", MAX_ENTRIES + 1, "bibtex", "more than 50000 entries"),
        ("TY  - JOUR\nER  - \n", MAX_ENTRIES + 1, "ris", "more than 50000 records"),
        (" ", MAX_BYTES + 1, None, "longer than 16 million characters"),
    ],
)
def test_a_bibliography_that_is_invalid_as_a_whole_is_refused(unit, times, format_name, reason):
    with pytest.raises(InvalidInput, match=reason):
        read_references(unit * times, format=format_name)


def test_more_items_than_are_allowed_are_refused():
    with pytest.raises(InvalidInput, match="more than 50000 items"):
        read_references("[" + "{}," * MAX_ENTRIES + "{}]", format="csl-json")
