"""A search result counts as an answer only if it matches the requested work."""

import pytest

from sourcewright.base.works import Copy, Work
from sourcewright.domain.papers.records import copies_in, is_pdf_url, records_about_doi

DOI = "10.5555/tide"


def work(doi, *urls):
    copies = tuple(Copy(url=url, source="x", is_pdf=False) for url in urls)
    return Work(source="x", doi=doi, copies=copies)


def test_only_hits_with_the_doi_are_about_it():
    hits = [work("10.5555/tide-2"), work(DOI), work(None), work("10.5555/TIDE")]

    assert records_about_doi(hits, DOI, total=4) == (hits[1], hits[3])


def test_a_whole_list_without_the_doi_holds_nothing_about_it():
    assert records_about_doi([], DOI, total=0) == ()
    assert records_about_doi([work("10.5555/tide-2")], DOI, total=1) == ()


@pytest.mark.parametrize(
    ("hits", "total"),
    [
        ([], 1),
        ([work("10.5555/tide-2")], 2),
        ([work(DOI)], 0),
        ([], None),
        ([], "0"),
        ([], True),
        ([], 0.0),
    ],
)
def test_a_list_that_was_cut_short_or_miscounted_is_no_absence(hits, total):
    with pytest.raises((ValueError, TypeError)):
        records_about_doi(hits, DOI, total=total)


def test_each_address_is_a_copy_once():
    a, b = "https://a.example/1", "https://b.example/2"

    assert [copy.url for copy in copies_in([work(DOI, a, b), work(DOI, b)])] == [a, b]


@pytest.mark.parametrize(
    ("url", "named"),
    [
        ("https://a.example/x.pdf", True),
        ("https://a.example/x.PDF?download=1", True),
        ("https://a.example/x", False),
        ("https://a.example/?file=x.pdf", False),
        ("https://[oops/x.pdf", False),
    ],
)
def test_a_pdf_is_named_by_the_end_of_the_path(url, named):
    assert is_pdf_url(url) is named
