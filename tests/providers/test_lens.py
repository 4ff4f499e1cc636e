"""The Lens, against the simulated site and every recorded answer."""

import json

import pytest

from sourcewright.base.errors import Refused
from sourcewright.domain.records.patents import PatentQuery
from sourcewright.providers.lens import read_list, request_body
from sourcewright.world.sites.lens import WRONG_KEY

pytestmark = pytest.mark.anyio


@pytest.fixture
async def lens(provide):
    return await provide("lens", LENS_API_TOKEN="an-invented-token")


def query(**fields):
    return PatentQuery(**({"text": "tidal turbine", "limit": 10} | fields))


async def test_dates_of_filing_publication_and_grant_are_told_apart(lens):
    found = await lens.search_patents(query())

    first = found.patents[0]
    assert (first.number, first.filed) == ("US20160142694A1", "2014-11-20")
    assert (first.published, first.granted) == ("2016-05-26", "2018-12-25")
    assert (first.family_id, first.title) == ("51000001", "Tidal turbine with folding blades")
    assert found.total == 4


@pytest.mark.parametrize(
    ("fields", "numbers"),
    [
        ({"office": "EP"}, ["EP3020964A1", "EP2400812B1"]),
        ({"assignee": "Driftwood Moorings"}, ["EP2400812B1"]),
        ({"inventor": "Bela Anker"}, ["EP2400812B1"]),
        ({"cpc": "B63B"}, ["EP2400812B1"]),
        ({"year_from": 2015}, ["EP3020964A1"]),
        ({"year_to": 2012}, ["EP2400812B1"]),
        ({"text": None, "number": "US20160142694A1"}, ["US20160142694A1"]),
        ({"text": "unicorns"}, []),
    ],
)
async def test_every_filter_is_honoured(lens, fields, numbers):
    assert [one.number for one in (await lens.search_patents(query(**fields))).patents] == numbers


async def test_a_wrong_token_is_refused(provide):
    with pytest.raises(Refused):
        await (await provide("lens", LENS_API_TOKEN=WRONG_KEY)).search_patents(query())


def test_words_are_no_query_language():
    [condition] = request_body(query(text='a OR (b:c) "d"'))["query"]["bool"]["must"]

    assert condition["query_string"]["query"] == "a or b c d"


def test_the_recorded_patent_has_its_dates(recorded):
    [file] = [one for one in recorded("lens") if one.name == "response-patent-l512.json"]

    [patent], total = read_list(json.loads(file.read_text(encoding="utf-8")))

    assert (patent.number, total) == ("EP2471949A1", 1)
    assert (patent.filed, patent.published, patent.granted) == (
        *("2010-12-31", "2012-07-04", "2013-12-25"),
    )
    assert (patent.assignee, patent.inventor) == ("PROGENIKA BIOPHARMA SA", "OCHOA JORGE")
    assert patent.title.startswith("Method for the identification by molecular techniques")
    assert (patent.family_id, patent.status) == ("212482337", "ACTIVE")
    assert patent.cpc[0] == "C12Q1/6881"


@pytest.mark.parametrize(
    "name",
    ["patent-response-l174.json", "response-scholar-l224.json", "patent-api-doc-l1144.json"],
)
def test_recorded_answers_of_other_shapes_are_not_read(recorded, name):
    [file] = [one for one in recorded("lens") if one.name == name]

    with pytest.raises((LookupError, TypeError, ValueError)):
        read_list(json.loads(file.read_text(encoding="utf-8")))
