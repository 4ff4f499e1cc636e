"""CORE, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import NotFound
from sourcewright.providers.core import read_answer, read_work

pytestmark = pytest.mark.anyio

HOST = "api.core.ac.uk"
DOI = "10.5555/tide"


def record(**fields):
    return {"doi": DOI, "title": "T", "authors": [], "downloadUrl": None, **fields}


async def test_every_harvested_paper_is_read_as_it_was_written(provide, internet):
    core = await provide("core")
    written = [work for work in internet.corpus.works if work.locations]

    for paper in written:
        read = await core.describe_doi(paper.key)
        [copy] = await core.find_copies(paper.key)

        assert (read.doi, read.year) == (paper.key, paper.year)
        assert read.title == (paper.plain_title or None)
        assert [author.name for author in read.authors] == [a.full_name for a in paper.authors]
        assert read.publisher == paper.journal.publisher
        assert copy.url in {paper.locations[0].url, paper.locations[0].landing}
        assert copy.is_pdf is copy.url.endswith(".pdf")

    assert len(written) > 100


async def test_a_copy_that_nobody_else_knows_is_found(provide):
    [copy] = await (await provide("core")).find_copies("10.5555/only-in-core")

    assert copy.url == "https://core.ac.uk/download/999000001.pdf"
    assert copy.is_pdf


async def test_a_paper_that_nobody_offers_has_no_copies(provide):
    core = await provide("core")

    assert await core.find_copies("10.5555/closed-paper") == ()
    with pytest.raises(NotFound):
        await core.describe_doi("10.5555/closed-paper")


@pytest.mark.parametrize(
    ("changes", "sent"),
    [
        ({"DOIGET_CORE_API_KEY": "k3y"}, "Bearer k3y"),
        ({"CORE_API_KEY": "k3y"}, "Bearer k3y"),
        ({"DOIGET_CORE_API_KEY": "own", "CORE_API_KEY": "other"}, "Bearer own"),
    ],
)
async def test_a_key_goes_along_as_a_header_and_nowhere_else(provide, internet, changes, sent):
    await (await provide("core", **changes)).find_copies(DOI)

    [seen] = internet.requests_to(HOST)
    assert seen.headers.get("authorization") == sent
    assert "k3y" not in seen.query


@pytest.mark.parametrize(
    ("url", "copies"),
    [
        ("http://arxiv.org/abs/1904.10788", [("http://arxiv.org/abs/1904.10788", False)]),
        ("https://core.ac.uk/download/1.pdf", [("https://core.ac.uk/download/1.pdf", True)]),
        ("", []),
        (None, []),
        ("file:///etc/passwd", []),
    ],
)
def test_a_download_is_a_copy_where_it_is_an_address(url, copies):
    read = read_work(record(downloadUrl=url)).copies

    assert [(copy.url, copy.is_pdf) for copy in read] == copies


@pytest.mark.parametrize("field", ["doi", "title", "authors", "downloadUrl"])
def test_a_record_without_what_core_always_sends_is_not_read(field):
    shortened = {name: value for name, value in record().items() if name != field}

    with pytest.raises(KeyError):
        read_work(shortened)


def test_journals_and_quoted_publishers_are_read():
    journals = [{"title": "Tides", "identifiers": ["issn:2999-0012", "2999-0020"]}]

    work = read_work(record(journals=journals, publisher="'Meridian'"))

    assert (work.venue, work.publisher) == ("Tides", "Meridian")
    assert work.issn == ("2999-0012", "2999-0020")


def test_works_without_a_doi_are_about_something_else():
    answer = {"totalHits": 2, "results": [record(doi=None), record(doi="10.5555/tide.2")]}

    assert read_answer(answer, DOI) == ()
