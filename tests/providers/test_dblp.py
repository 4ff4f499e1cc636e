"""dblp, against the simulated site and with unusual answers."""

import re

import pytest

from sourcewright.base.errors import Refused
from sourcewright.base.formats.parsers import parse_xml
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.providers.dblp import read_list, read_record

pytestmark = pytest.mark.anyio

INFORMAL = "Informal and Other Publications"
STATUS = '<status code="200">OK</status>'


@pytest.fixture
async def source(provide):
    return await provide("dblp")


def record(inside):
    return read_record(parse_xml(f"<info><key>k/1</key>{inside}</info>".encode()))


async def test_numbers_after_names_are_not_part_of_them(source):
    results = await source.search_works(WorkQuery(text="the", limit=50))

    assert results.records
    assert not any(re.search(r"\d", one.name) for r in results.records for one in r.authors)
    assert any(record.arxiv_id for record in results.records if record.venue == "CoRR")


async def test_a_search_asks_for_words_and_nothing_else(source, internet):
    await source.search_works(WorkQuery(text="Fog: a (short) study?", limit=7))

    [seen] = internet.seen
    assert seen.query == "q=Fog+a+short+study&format=xml&h=7&c=0"


def test_markup_and_the_last_full_stop_are_not_part_of_a_title():
    read = record("<title>On <i>k</i>-means &amp; H<sub>2</sub>O.</title>")

    assert read.title == "On k-means & H2O"


@pytest.mark.parametrize(
    ("inside", "arxiv_id", "kind"),
    [
        (
            f"<venue>CoRR</venue><volume>abs/1706.03762</volume><type>{INFORMAL}</type>",
            "1706.03762",
            "informal",
        ),
        (
            "<venue>NIPS</venue><type>Conference and Workshop Papers</type>",
            None,
            "proceedings-article",
        ),
        (
            "<doi>10.48550/ARXIV.2401.00001</doi><type>Something New</type>",
            "2401.00001",
            "Something New",
        ),
    ],
)
def test_a_preprint_is_known_by_its_volume_or_doi(inside, arxiv_id, kind):
    read = record(f"<title>T.</title>{inside}")

    assert (read.arxiv_id, read.type) == (arxiv_id, kind)


def test_a_doi_may_stand_in_a_link_and_fields_may_be_repeated():
    read = record(
        "<title>T.</title><ee>https://example.org/x</ee><ee>https://doi.org/10.1234/Y</ee>"
        "<venue>A</venue><venue>B</venue>"
    )

    assert (read.doi, read.url, read.venue) == ("10.1234/y", "https://example.org/x", "A")


@pytest.mark.parametrize(
    "answer",
    [
        "<result/>",
        f"<result>{STATUS}</result>",
        '<result><status code="500">Error</status><hits total="0"/></result>',
        f'<result>{STATUS}<hits total="3"/></result>',
        f'<result>{STATUS}<hits total="x"/></result>',
        f'<result>{STATUS}<hits total="1"><hit><info><key>k</key></info></hit></hits></result>',
        f"<html>{STATUS}</html>",
    ],
)
def test_what_is_no_result_is_not_an_empty_one(answer):
    with pytest.raises(ValueError, match=r"."):
        read_list(parse_xml(answer.encode()))


def test_no_hits_are_an_answer():
    assert read_list(parse_xml(f'<result>{STATUS}<hits total="0"/></result>'.encode())) == ((), 0)


@pytest.mark.parametrize("status", [200, 500])
async def test_a_page_that_checks_for_bots_is_named_and_not_asked_again(source, internet, status):
    page = (
        b'<!doctype html><html lang="en"><head><title>Making sure you&#39;re not a bot!</title>'
        b'<link rel="stylesheet" href="/.within.website/x/xess/xess.min.css"></head></html>'
    )
    internet.says("dblp.org", page, status=status, content_type="text/html; charset=utf-8")

    with pytest.raises(Refused, match=f"bot challenge, HTTP {status}"):
        await source.search_works(WorkQuery(text="fog", limit=3))

    assert len(internet.seen) == 1
