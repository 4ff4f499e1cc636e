"""Citation strings compared with records: what the string has word for word, and what it has not."""

import pytest

from sourcewright.base.errors import Unavailable
from sourcewright.base.works import WorkRecord
from sourcewright.references.checks import Evidence
from sourcewright.references.comparison.string_check import check_string
from sourcewright.references.field_values import author_from_text
from sourcewright.references.strings.reference import read_reference


def checked(text, **record):
    authors = (author_from_text("Paul Moreau"),)
    known = WorkRecord(source="crossref", **{"authors": authors, "year": 1994, **record})
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


POVERTY = {
    "title": "Effects of rural poverty on the health of farmworkers",
    "venue": "Public Health Reports",
    "volume": "83",
    "pages": "827-838",
    "year": 1968,
}


@pytest.mark.parametrize(
    "title",
    [
        "Robust effects of rural poverty on the health of farmworkers",
        "Effects of rural poverty on the health of farmworkers revisited",
        "Deep trouble: Effects of rural poverty on the health of farmworkers",
        "Large-scale effects of rural poverty on the health of farmworkers",
    ],
)
def test_a_title_with_further_words_is_not_the_title(title):
    check = checked(
        f"Moreau, P. (1968). {title}. Public Health Reports, 83, 827\u2013838.", **POVERTY
    )

    assert [one.field for one in check.differing] == ["title"]


@pytest.mark.parametrize(
    "text",
    [
        "P. Moreau, \u201c{title},\u201d Public Health Reports, vol. 83, pp. 827\u2013838, 1968.",
        "Moreau P. {title}. Public Health Reports. 1968;83:827-38.",
        "Moreau, P.: {title}. Public Health Reports 83, 827\u2013838 (1968)",
    ],
)
def test_a_title_is_recognised_in_each_style(text):
    check = checked(text.format(**POVERTY), **POVERTY)

    assert check.status == "verified", check.reason


def test_a_short_title_may_lack_its_subtitle_if_all_else_agrees():
    full = {**POVERTY, "title": "The game: Towards explanations by sparse communication"}
    text = "Moreau, P. (1968). The game. {}, 83, 827\u2013838."

    assert checked(text.format("Public Health Reports"), **full).status == "verified"
    assert checked(text.format("Annals of Botany"), **full).status != "verified"


SLOW = Unavailable("crossref", "slow", cause="timeout")


@pytest.mark.parametrize(
    ("failed", "status"), [(None, "verified"), ({"crossref": SLOW}, "unconfirmed")]
)
def test_an_identifier_that_could_not_be_checked_does_not_pass(failed, status):
    known = WorkRecord(source="openalex", authors=(author_from_text("Paul Moreau"),), **POVERTY)
    parsed = read_reference(
        f"Moreau, P. (1968). {POVERTY['title']}. Public Health Reports, 83, 827\u2013838."
        " https://doi.org/10.5555/unknown"
    )

    assert check_string(parsed, Evidence(records=(known,), failed=failed)).status == status


@pytest.mark.parametrize("text", ["Moreau", "Paul Moreau", "Moreau 1994", "Moreau et al., 1994"])
@pytest.mark.parametrize("place", [{}, {"venue": "Public Health Reports", "volume": "83"}])
def test_authors_and_year_alone_describe_no_work(text, place):
    check = checked(text, title="Mosses that hum", doi="10.5555/mosses", **place)

    assert (check.record, check.status) == (None, "unconfirmed")


def test_authors_and_place_describe_a_work_in_a_style_without_titles():
    text = "P. Moreau, Public Health Rep. 83, 827 (1994)."
    longer = {"venue": "Gesundheitsblatt 83 (June): no", "title": POVERTY["title"]}

    assert checked(text, **{**POVERTY, "year": 1994}).status == "verified"
    assert checked("P. Moreau, Gesundheitsblatt 83 (1994) no.", **longer).record is not None


def test_an_inverted_author_with_two_family_names_is_one_author():
    check = checked(
        "Ferreira de Almeida, Maria C\u00e2ndida, and Bo Lee. 2018. \u201cTides of the southern"
        " estuaries.\u201d Bibliographica 1 (1): 57\u201388.",
        authors=tuple(
            map(author_from_text, ("Ferreira de Almeida, Maria C\u00e2ndida", "Bo Lee"))
        ),
        title="Tides of the southern estuaries",
        venue="Bibliographica",
        year=2018,
    )

    assert check.status == "verified", check.reason


def test_a_journal_with_a_full_stop_in_its_name_is_not_part_of_the_title():
    check = checked(
        "Moreau, P. (1994). Tides of the southern estuaries. Problemas del Desarrollo. Revista"
        " Latina de Mareas, 3(10). https://doi.org/10.5555/tides",
        title="Tides of the southern estuaries",
        venue="Problemas del Desarrollo. Revista Latina de Mareas",
        doi="10.5555/tides",
    )

    assert check.status == "verified", check.reason


def test_a_publisher_in_the_place_of_the_journal_is_compared_with_the_publisher():
    text = "Moreau, P. (1994) 'Tides of the southern estuaries', {}."
    record = {
        "title": "Tides of the southern estuaries",
        "venue": "University of the Coast",
        "publisher": "Institute of Tides, Harbour",
    }

    right = checked(text.format("Institute of Tides, Harbour"), **record)
    wrong = checked(text.format("Institute of Winds, Harbour"), **record)

    assert (right.status, wrong.status) == ("verified", "mismatch")


def test_pages_from_one_are_not_compared_with_the_number_of_the_article():
    text = "Moreau, P. Tides of the southern estuaries. Lake Letters 12, {} (1994)."
    record = {"title": "Tides of the southern estuaries", "venue": "Lake Letters", "volume": "12"}

    local = checked(text.format("1-16"), **record, pages="e0173664")
    wrong = checked(text.format("101-116"), **record, pages="e0173664")
    other = checked(text.format("1-16"), **record, pages="201-216")

    assert (local.status, wrong.status, other.status) == ("verified", "mismatch", "mismatch")
