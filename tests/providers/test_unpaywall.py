"""Unpaywall, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import BadAnswer, Refused
from sourcewright.base.text.plain import plain_text
from sourcewright.providers.unpaywall import read_answer, read_work

pytestmark = pytest.mark.anyio

DOI = "10.5555/tides"
PDF, PAGE = "https://a.example/x.pdf", "https://a.example/x"


def record(**fields):
    return {"doi": DOI, "is_oa": True, "oa_status": "gold", **fields}


async def test_every_work_of_the_corpus_is_read_as_it_was_written(provide, internet):
    unpaywall = await provide("unpaywall", UNPAYWALL_EMAIL="reader@uni.edu")

    for written in internet.corpus.of_agency("crossref"):
        read = await unpaywall.describe_doi(written.key)

        assert (read.doi, read.year) == (written.key, written.year)
        assert read.title == (plain_text(written.title) or None)
        assert {copy.url for copy in read.copies} == {
            place.landing if place.serves == "landing" else place.url
            for place in written.locations
        }
        assert (read.oa_status == "closed") == (not read.copies)


@pytest.mark.parametrize(
    ("locations", "copies"),
    [
        ([{"url": PAGE, "url_for_pdf": PDF}], [(PDF, True)]),
        ([{"url": PAGE, "url_for_pdf": None}], [(PAGE, False)]),
        ([{"url": PAGE}, {"url": PAGE}, {"url_for_pdf": PDF}], [(PAGE, False), (PDF, True)]),
        ([{"url": None}, {"url": "javascript:alert(1)"}], []),
        (None, []),
    ],
)
def test_each_address_is_a_copy_once(locations, copies):
    work = read_work(record(oa_locations=locations))

    assert [(copy.url, copy.is_pdf) for copy in work.copies] == copies


def test_the_best_copy_comes_first_and_gives_the_licence():
    best = {"url": PAGE, "license": "cc-by"}
    others = [{"url": "https://b.example/y", "license": "cc0"}, {"url": PAGE}]

    work = read_work(record(best_oa_location=best, oa_locations=others))

    assert [copy.url for copy in work.copies] == [PAGE, "https://b.example/y"]
    assert work.licence == work.copies[0].licence == "cc-by"


def test_a_closed_work_has_no_copies_whatever_else_is_said():
    work = read_work(record(is_oa=False, oa_status=None, oa_locations=[{"url": PAGE}]))

    assert (work.oa_status, work.copies) == ("closed", ())


@pytest.mark.parametrize(
    ("authors", "names"),
    [
        ([{"raw_author_name": "Ada Byron", "author_position": "first"}], ["Ada Byron"]),
        ([{"given": "Ada", "family": "Byron", "sequence": "first"}], ["Ada Byron"]),
        ([{"raw_author_name": None}, None, {"raw_author_name": "B"}], ["B"]),
        (None, []),
    ],
)
def test_authors_are_read_in_both_forms(authors, names):
    assert [author.name for author in read_work(record(z_authors=authors)).authors] == names


@pytest.mark.parametrize("claim", [None, "true", 1, []])
def test_whether_a_work_is_open_is_not_guessed(claim):
    with pytest.raises(TypeError):
        read_work(record(is_oa=claim))


def test_an_answer_about_another_doi_is_not_the_answer():
    with pytest.raises(ValueError):
        read_answer(record(), "10.5555/other")


async def test_a_refused_address_is_named_with_the_setting_that_changes_it(provide):
    unpaywall = await provide("unpaywall")
    unpaywall.options = {"email": "reader@example.com"}

    with pytest.raises(Refused, match="CONTACT_EMAIL") as refusal:
        await unpaywall.describe_doi("10.5555/fine-paper")

    assert refusal.value.status == 422


async def test_a_422_about_something_else_is_not_put_down_to_the_address(provide, internet):
    internet.breaks("api.unpaywall.org", status=422)
    unpaywall = await provide("unpaywall")

    with pytest.raises(BadAnswer, match="422"):
        await unpaywall.describe_doi("10.5555/fine-paper")
