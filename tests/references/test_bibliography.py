"""Bibliographies are read entry by entry, and every entry is answered for."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sourcewright.base.errors import InvalidInput
from sourcewright.references.bibliography import EntryProblem, IdentifiedEntry, read_bibliography
from sourcewright.references.limits import MAX_BYTES

ENDNOTE = (
    "<titles><title>On bears</title></titles>"
    "<electronic-resource-num>10.5555/abc</electronic-resource-num>"
)
MODS = (
    '<titleInfo><title>On bears</title></titleInfo><identifier type="doi">10.5555/abc</identifier>'
)


def read(text, name="refs.txt"):
    return read_bibliography(text.encode() if isinstance(text, str) else text, name=name)


def only(text, name="refs.txt"):
    (result,) = read(text, name)
    return result


def paper_in(fields, name="a.bib"):
    result = only(f"@article{{k,\n{fields}\n}}" if name.endswith("bib") else fields, name)
    return str(result.reference) if isinstance(result, IdentifiedEntry) else None


@pytest.mark.parametrize(
    ("fields", "paper"),
    [
        ("doi = {10.5555/ABC}", "10.5555/abc"),
        ('DOI = "https://doi.org/10.5555/abc"', "10.5555/abc"),
        (r"doi = {10.5555/a\_b}", "10.5555/a_b"),
        ("doi = {10.5555/abc}, eprint = {2401.00001}, archiveprefix = {arXiv}", "10.5555/abc"),
        ("eprint = {2401.00001v2}, archivePrefix = {arXiv}, pmid = {123}", "2401.00001v2"),
        ("eprint = {2401.00001}, eprinttype = {arxiv}", "2401.00001"),
        ("eprint = {hep-th/9901001}", "hep-th/9901001"),
        ("eprint = {123456}, eprinttype = {jstor}", None),
        ("eprint = {123456}", None),
        ("eprint = {123456}, eprinttype = {pubmed}", "pmid:123456"),
        ("pmid = {123}, pmcid = {PMC77}", "pmid:123"),
        ("pmcid = {77}", "PMC77"),
        (r"url = {\url{https://doi.org/10.5555/abc}}", "10.5555/abc"),
        ("url = {https://example.org/10.5555/}", None),
        ("journal = {arXiv preprint arXiv:2401.00001}", "2401.00001"),
        ("journal = {CoRR}, volume = {abs/2401.00001}", "2401.00001"),
        ("note = {PMID: 123; read twice}", "pmid:123"),
        ("note = {An answer to doi:10.5555/other}", None),
        ("note = {doi:10.5555/own}", "10.5555/own"),
        ("crossref = {other}, title = {No identifier}", None),
    ],
)
def test_the_strongest_identifier_of_a_bibtex_entry_counts(fields, paper):
    assert paper_in(fields) == paper


@pytest.mark.parametrize(
    ("item", "paper"),
    [
        ({"DOI": "10.5555/abc", "PMID": "1"}, "10.5555/abc"),
        ({"doi": "10.5555/abc"}, "10.5555/abc"),
        ({"archivePrefix": "arXiv", "eprint": "2401.00001"}, "2401.00001"),
        ({"note": "arXiv:2401.00001 [cs.LG]"}, "2401.00001"),
        ({"note": "PMCID: PMC77"}, "PMC77"),
        ({"number": "arXiv:2401.00001"}, "2401.00001"),
        ({"PMID": 123}, "pmid:123"),
        ({"PMCID": "PMC77"}, "PMC77"),
        ({"URL": "http://dx.doi.org/10.5555/abc"}, "10.5555/abc"),
        ({"title": "Nothing"}, None),
        ({"DOI": {"un": "expected"}}, None),
    ],
)
def test_the_strongest_identifier_of_a_csl_item_counts(item, paper):
    assert paper_in(json.dumps([{"id": "k", "type": "book", **item}]), "a.json") == paper


@pytest.mark.parametrize(
    ("lines", "paper"),
    [
        ("DO  - 10.5555/abc\nUR  - https://example.org", "10.5555/abc"),
        ("DO  - http://dx.doi.org/10.5555/abc", "10.5555/abc"),
        ("UR  - https://arxiv.org/abs/2401.00001", "2401.00001"),
        ("N1  - doi: 10.5555/abc", "10.5555/abc"),
        ("AN  - 123\nDB  - PubMed", "pmid:123"),
        ("AN  - 123\nDB  - Somewhere else", None),
        ("TI  - Nothing", None),
    ],
)
def test_the_strongest_identifier_of_a_ris_record_counts(lines, paper):
    assert paper_in(f"TY  - JOUR\n{lines}\nER  - \n", "a.ris") == paper


def test_pieces_are_joined_and_abbreviations_spelled_out():
    result = only(
        '@string{pre = "10.5555/"}\n@string{full = pre # {abc}}\n'
        '@article{k, title = "Part " # {t#wo}, doi = full # "-" # 7}',
        "a.bib",
    )

    assert (str(result.reference), result.title) == ("10.5555/abc-7", "Part t#wo")


def test_a_broken_entry_is_a_problem_and_the_next_one_is_read():
    broken, whole = read(
        "@article{lost,\n title = {never closed\n\n@article{fine,\n doi = {10.5555/abc}}\n",
        "a.bib",
    )

    assert isinstance(broken, EntryProblem)
    assert (broken.entry, broken.line) == ("lost", 1)
    assert "not well-formed" in broken.reason
    assert (whole.entry, str(whole.reference), whole.line) == ("fine", "10.5555/abc", 4)


def test_entries_with_the_same_key_are_both_read():
    first, second = read("@a{k, doi={10.5555/a}}\n@a{k, doi={10.5555/b}}", "a.bib")

    assert [str(one.reference) for one in (first, second)] == ["10.5555/a", "10.5555/b"]


def test_comments_preambles_and_strings_are_no_entries():
    assert read('% x\n@comment{10.5555/a}\n@preamble{"x"}\n@string{a = "b"}\nwords', "a.bib") == ()


@pytest.mark.parametrize(
    ("text", "name", "entry", "reason"),
    [
        ("@book{bears, title={On bears}}", "a.bib", "bears", "it has no DOI"),
        ("@book{, title={On bears}}", "a.bib", "On bears", "it has no DOI"),
        ("@book{bears, doi={soon}}", "a.bib", "bears", "it has no DOI"),
        ("@book{bears, doi={soon7}}", "a.bib", "bears", "'soon7' is not"),
        ('[{"id": 5, "title": "On bears"}]', "a.json", "5", "it has no DOI"),
        ('[{"id": 5}]', "a.json", "5", "item 1 has no fields"),
        ('[{"title": "On bears"}]', "a.json", "On bears", "it has no DOI"),
        ("[7]", "a.json", "entry 1", "item 1 is not a JSON object"),
        ("TY  - BOOK\nTI  - On bears\nER  - ", "a.ris", "On bears", "it has no DOI"),
        ("TY  - BOOK\nER  - ", "a.ris", "entry on line 1", "the record has no fields"),
        ("soon", "a.txt", "soon", "'soon' is not"),
    ],
)
def test_an_entry_without_an_identifier_is_a_problem_that_names_it(text, name, entry, reason):
    result = only(text, name)

    assert isinstance(result, EntryProblem)
    assert result.entry == entry
    assert result.reason.startswith(reason)


def test_a_plain_list_has_one_reference_in_each_line_and_comments():
    results = read(
        "# to read\n10.5555/abc\n\n  arXiv:2401.00001   # soon\nnonsense\n10.5555/a#b\n"
    )

    assert [(type(one).__name__, one.entry, one.line) for one in results] == [
        ("IdentifiedEntry", "10.5555/abc", 2),
        ("IdentifiedEntry", "arXiv:2401.00001", 4),
        ("EntryProblem", "nonsense", 5),
        ("IdentifiedEntry", "10.5555/a#b", 6),
    ]
    assert str(results[3].reference) == "10.5555/a#b"


@pytest.mark.parametrize("name", ["refs.txt", "refs", "-", "refs.list"])
@pytest.mark.parametrize(
    "text",
    [
        "% a header\n@article{k, doi = {10.5555/abc}}",
        '[{"id": "k", "DOI": "10.5555/abc"}]',
        '{"id": "k", "DOI": "10.5555/abc"}',
        '{"items": [{"id": "k", "DOI": "10.5555/abc"}]}',
        "Provider: X\nTY  - JOUR\nDO  - 10.5555/abc\nER  - \n",
        "10.5555/abc",
        "[10.5555/abc]",
    ],
)
def test_a_name_that_says_nothing_leaves_the_format_to_the_content(text, name):
    assert str(only(text, name).reference) == "10.5555/abc"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("pubmed.nbib", "PMID- 123\nTI  - On bears\nAID - 10.5555/abc [doi]\n"),
        ("endnote.enw", "%0 Journal Article\n%T On bears\n%R 10.5555/abc\n"),
        ("endnote.xml", f"<xml><records><record>{ENDNOTE}</record></records></xml>"),
        ("bibutils.mods", f"<modsCollection><mods>{MODS}</mods></modsCollection>"),
        ("paper.bbl", r"\begin{thebibliography}{9}\bibitem{k} A. Ek. Bears. doi:10.5555/abc"),
    ],
)
@pytest.mark.parametrize("is_named", [True, False])
def test_formats_of_other_programs_are_read(name, text, is_named):
    assert str(only(text, name if is_named else "refs").reference) == "10.5555/abc"


def test_the_doi_in_the_url_counts_if_the_field_for_it_has_a_short_one():
    item = {"id": "k", "DOI": "10/fqd6hj", "URL": "https://doi.org/10.5555/abc"}

    assert str(only(json.dumps([item]), "a.json").reference) == "10.5555/abc"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "latin-1"])
def test_the_encoding_of_a_file_does_not_hide_its_references(encoding):
    text = "@article{k, author = {Bär}, doi = {10.5555/abc}}".encode(encoding)

    assert str(only(text, "a.bib").reference) == "10.5555/abc"


@pytest.mark.parametrize(
    ("text", "name", "reason"),
    [
        (b"%PDF-1.7\0\0", "a.pdf", "not a text file"),
        (b"{", "a.json", "not valid JSON"),
        (b'"text"', "a.json", "neither a list"),
        (b"[" * 100_000, "a.json", "not valid JSON"),
        (b"[" + b"1" * 5000 + b"]", "a.json", "not valid JSON"),
        (b"[" + b"0," * 50_000 + b"0]", "a.json", "more than 50000"),
    ],
    ids=lambda value: value if isinstance(value, str) else "file",
)
def test_a_file_that_cannot_be_read_as_a_whole_is_refused_by_its_name(text, name, reason):
    with pytest.raises(InvalidInput, match=rf"{name}.*{reason}"):
        read(text, name)


@pytest.mark.parametrize(
    ("unit", "times", "name", "reason"),
    [
        (b"a", MAX_BYTES + 1, "a.txt", "larger than 16 MB"),
        (b"TY  - A\nER  -\n", 50_001, "a.ris", "more than 50000"),
        (b"@a{b}\n", 50_001, "a.bib", "more than 50000"),
        (b"a\n", 50_001, "a.txt", "more than 50000"),
    ],
)
def test_a_file_that_is_too_large_is_refused_by_its_name(unit, times, name, reason):
    with pytest.raises(InvalidInput, match=rf"{name}.*{reason}"):
        read(unit * times, name)


@pytest.mark.parametrize(
    "text",
    [
        "@a{k, title={" + "{" * 100_000 + "}" * 100_000 + "}, doi={10.5555/abc}}",
        "@a{k, title={" + r"\"" * 50_000 + "}, doi={10.5555/abc}}",
        "@a{k, doi={10.5555/abc}, " + "f=1," * 20_000 + "}",
        "@a{k, doi={10.5555/abc}, note={" + "pmid:x " * 20_000 + "}}",
        '@string{s = "' + "a" * 500 + '"}\n'
        + "".join(f"@string{{s{i} = s # s # s # s}}" for i in range(1000))
        + "@a{k, doi={10.5555/abc}, title = s999 # s999}",
    ],
    ids=["nested", "accents", "fields", "notes", "strings"],
)  # fmt: skip
def test_an_entry_that_was_made_to_hurt_is_read_like_any_other(text):
    assert str(only(text, "a.bib").reference) == "10.5555/abc"


def test_lines_that_go_on_for_ever_end_no_record():
    text = "TY  - JOUR\nN1  - x\n" + "y\n" * 200_000 + "DO  - 10.5555/abc\nER  - \n"

    assert str(only(text, "a.ris").reference) == "10.5555/abc"


@given(
    st.binary(max_size=200)
    | st.text(alphabet='@a{}(),="#\\\n 1TYERDO-[]:', max_size=200).map(str.encode),
    st.sampled_from(["a.bib", "a.json", "a.ris", "a.txt"]),
)
def test_no_content_makes_reading_fail_in_a_way_that_nobody_expects(text, name):
    with suppress(InvalidInput):
        assert all(one.entry for one in read_bibliography(text, name=name))
