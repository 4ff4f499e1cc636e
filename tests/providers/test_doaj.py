"""DOAJ, against the simulated site and with unusual answers."""

import pytest

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.providers.doaj import read_answer, read_work

pytestmark = pytest.mark.anyio

HOST = "doaj.org"
DOI = "10.5555/tide"
PAGE, PDF = "https://a.example/x", "https://a.example/x.pdf"


def record(doi=DOI, **fields):
    return {"bibjson": {"identifier": [{"type": "doi", "id": doi}], "title": "T", **fields}}


def listed(work):
    return work.agency == "crossref" and work.journal.oa == "gold" and not work.update_to


async def test_every_listed_article_is_read_as_it_was_written(provide, internet):
    doaj = await provide("doaj")
    written = [work for work in internet.corpus.works if listed(work)]

    for article in written:
        read = await doaj.describe_doi(article.key)

        assert (read.doi, read.year) == (article.key, article.year)
        assert read.title == (article.plain_title or None)
        assert [author.name for author in read.authors] == [a.full_name for a in article.authors]
        assert (read.volume, read.pages) == (article.volume, article.pages)
        assert (await doaj.find_copies(article.key)) == read.copies
        assert len(read.copies) == len(article.locations)

    assert len(written) > 30


async def test_a_journal_that_is_not_open_throughout_is_not_listed(provide):
    doaj = await provide("doaj")

    with pytest.raises(NotFound):
        await doaj.describe_doi("10.5555/closed-paper")

    assert await doaj.find_copies("10.5555/closed-paper") == ()


async def test_the_question_arrives_as_one_part_of_the_path(provide, internet):
    doi = '10.5555/a?b*c~d"e\\f:g(h)[i]/../j'

    copies = await (await provide("doaj")).find_copies(doi)

    [seen] = internet.requests_to(HOST)
    assert copies == ()
    assert seen.path.count("/") == 4
    assert seen.query == "pageSize=100"


async def test_a_hit_with_a_longer_doi_is_no_answer(provide, internet):
    internet.says(HOST, {"total": 1, "results": [record("10.5555/tide.2", link=[])]})
    doaj = await provide("doaj")

    with pytest.raises(NotFound):
        await doaj.describe_doi(DOI)

    assert await doaj.find_copies(DOI) == ()


async def test_hits_that_were_left_out_may_be_about_it(provide, internet):
    internet.says(HOST, {"total": 101, "results": [record("10.5555/tide.2")]})

    with pytest.raises(BadAnswer):
        await (await provide("doaj")).find_copies(DOI)


@pytest.mark.parametrize(
    ("link", "is_pdf"),
    [
        ({"type": "fulltext", "url": PAGE, "content_type": "PDF"}, True),
        ({"type": "fulltext", "url": PAGE, "content_type": "application/pdf"}, True),
        ({"type": "fulltext", "url": PDF}, True),
        ({"type": "fulltext", "url": PAGE, "content_type": "HTML"}, False),
        ({"type": "fulltext", "url": PAGE}, False),
    ],
)
def test_a_link_is_a_pdf_only_where_something_says_so(link, is_pdf):
    [copy] = read_work(record(link=[link])).copies

    assert (copy.url, copy.is_pdf) == (link["url"], is_pdf)


@pytest.mark.parametrize(
    "link", [{"type": "homepage", "url": PAGE}, {"type": "fulltext", "url": "ftp://a.example/x"}]
)
def test_a_link_to_something_else_is_no_copy(link):
    assert read_work(record(link=[link])).copies == ()


@pytest.mark.parametrize(
    ("dates", "published"),
    [
        ({"year": "2020", "month": "7"}, "2020-07"),
        ({"year": "2020", "month": "07"}, "2020-07"),
        ({"year": "2020", "month": "March"}, "2020"),
        ({"year": "2020", "month": "0"}, "2020"),
        ({"month": "7"}, None),
    ],
)
def test_a_date_is_read_as_far_as_it_makes_sense(dates, published):
    assert read_work(record(**dates)).published == published


def test_pages_that_are_not_there_are_not_shown():
    assert read_work(record(start_page="n/a", end_page="n/a")).pages is None
    assert read_work(record(start_page="e17")).pages == "e17"


def test_an_article_in_another_case_is_the_same_article():
    [work] = read_answer({"total": 1, "results": [record("10.5555/TIDE")]}, DOI)

    assert work.doi == DOI
