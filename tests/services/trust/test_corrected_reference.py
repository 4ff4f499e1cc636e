"""Corrected references: what they say of works with very many authors."""

from sourcewright.base.works import WorkRecord
from sourcewright.references.checks import Evidence
from sourcewright.references.comparison.check import check_citation
from sourcewright.references.field_values import author_from_text
from sourcewright.references.model import Reference
from sourcewright.services.trust.corrected_reference import suggested_bibtex

LETTERS = "abcdefghijklmnop"
AUTHORS = tuple(author_from_text(f"Ann Lee{one}{other}") for one in LETTERS for other in LETTERS)


def suggested(count):
    title = "Observation of waves from a merger of two lakes"
    record = WorkRecord(
        source="crossref", title=title, authors=AUTHORS, year=2016, doi="10.5555/w"
    )
    reference = Reference(
        text="", title=title, authors=AUTHORS[:count], authors_truncated=True, year=2011
    )
    return suggested_bibtex(reference, check_citation(reference, Evidence(records=(record,))))


def test_of_hundreds_of_authors_the_first_are_suggested():
    assert suggested(1).count(" and ") == 20
    assert " and others}" in suggested(1)


def test_as_many_authors_are_suggested_as_were_given():
    assert suggested(40).count(" and ") == 40
