"""Citation strings compared with records: what the string has word for word, and what it has not."""

from sourcewright.domain.papers.citations import Evidence
from sourcewright.domain.papers.scholar import WorkRecord
from sourcewright.logic.citations.string_check import check_string
from sourcewright.logic.references.field_values import author_from_text
from sourcewright.logic.references.strings.reference import read_reference


def checked(text, **record):
    known = WorkRecord(
        source="crossref", authors=(author_from_text("Paul Moreau"),), year=1994, **record
    )
    return check_string(read_reference(text), Evidence(records=(known,)))


def test_the_doi_of_a_preprint_does_not_name_its_server_as_the_venue():
    check = checked(
        "Paul Moreau. Benchmarking reasoning for spoken dialogue models. ICLR, 1994."
        " https://doi.org/10.48550/arXiv.9402.12135",
        title="Benchmarking reasoning for spoken dialogue models",
        venue="arXiv",
        doi="10.48550/arxiv.9402.12135",
        arxiv_id="9402.12135",
    )

    assert "venue" in [one.field for one in check.fields if one.status != "match"]


def test_a_title_of_one_word_is_no_part_of_the_name_or_the_journal():
    for text in (
        "Moreau P. Tides. Annu Rev Fluid Mech. 1994;26:1-22. doi:10.5555/tides",
        "Moreau, P. Tides. Annu. Rev. Fluid Mech. 26, 1\u201322 (1994). doi:10.5555/tides",
        "P. Moreau, Tides, Annu. Rev. Fluid Mech. 26 (1994) 1\u201322. doi:10.5555/tides",
    ):
        check = checked(
            text,
            title="Tides",
            venue="Annual Review of Fluid Mechanics",
            volume="26",
            pages="1-22",
            doi="10.5555/tides",
        )

        assert check.status == "verified", check.reason
