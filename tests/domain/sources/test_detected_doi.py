"""The DOI that a page declares."""

import pytest

from sourcewright.domain.sources.detected_doi import detected_doi
from sourcewright.reading.readings import EmbeddedMetadata, Reading

JOURNAL = "https://www.nejm.org/toc"
ARTICLE = "https://www.nejm.org/doi/full/10.1056/NEJMoa1234567"


def page(content="", **tags):
    return Reading(
        content=content, kind="html", embedded=EmbeddedMetadata(citation=tags) if tags else None
    )


def test_the_head_of_a_page_counts_before_its_address_and_its_text():
    result = page("doi: 10.1000/text", citation_doi="https://doi.org/10.1000/HEAD")

    assert detected_doi(ARTICLE, result) == "10.1000/head"


@pytest.mark.parametrize("tags", [{}, {"citation_doi": "none"}, {"citation_title": "x"}])
def test_the_address_counts_before_the_text(tags):
    assert detected_doi(ARTICLE, page("doi: 10.1000/text", **tags)) == "10.1056/nejmoa1234567"


@pytest.mark.parametrize(
    ("text", "doi"),
    [
        ("# Fog\n\ndoi: 10.1000/Fog.7.", "10.1000/fog.7"),
        ("[10.1000/fog](https://doi.org/10.1000/fog)", "10.1000/fog"),
        ("(https://doi.org/10.1000/fog\\_7)", "10.1000/fog_7"),
        ("**10.1000/fog**", "10.1000/fog"),
        (
            "10.1002/(SICI)1097(199823)43:4<338::AID-JBM1>3.0.CO;2-B",
            "10.1002/(sici)1097(199823)43:4<338::aid-jbm1>3.0.co;2-b",
        ),
        ("no name", None),
        ("version 10.5/7", None),
    ],
)
def test_the_first_lines_of_the_text_are_read_last(text, doi):
    assert detected_doi(JOURNAL, page(text)) == doi


@pytest.mark.parametrize(
    "heading",
    [
        *("## References", "REFERENCES", "**References**", "7. References", "Works cited"),
        *("# Literatur", "## Cited by (12)", "### Related articles", "Bibliography:"),
    ],
)
def test_a_doi_of_another_work_is_not_the_pages_own(heading):
    assert detected_doi(JOURNAL, page(f"# Fog\n\n{heading}\n\n1. 10.1000/other")) is None


def test_a_doi_far_below_is_not_the_pages_own():
    assert detected_doi(JOURNAL, page("fog " * 2_000 + "10.1000/other")) is None


def test_a_doi_that_the_end_of_the_front_cuts_is_not_half_told():
    assert detected_doi(JOURNAL, page(" " * 4_080 + "10.1000/fogandmist.7")) is None


@pytest.mark.parametrize(
    "url",
    ["https://blog.harbour.example/10.1000/fog", "https://www.bbc.com/news", "https://x.example/"],
)
def test_a_page_that_is_not_scholarly_declares_none(url):
    assert detected_doi(url, page("doi: 10.1000/fog", citation_doi="10.1000/fog")) is None


def test_a_page_whose_tags_name_a_journal_is_scholarly():
    result = page(citation_doi="10.1000/fog", citation_journal_title="Fogs")

    assert detected_doi("https://fogs.example/7", result) == "10.1000/fog"


def test_a_preprint_declares_the_doi_in_its_address():
    url = "https://www.biorxiv.org/content/10.1101/2020.01.01.123456v2.full"

    assert detected_doi(url, page()) == "10.1101/2020.01.01.123456"
