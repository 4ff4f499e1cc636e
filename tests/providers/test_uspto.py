"""The USPTO, against the simulated site and every recorded answer."""

import json

import pytest

from sourcewright.base.errors import NotFound, Refused
from sourcewright.domain.records.patents import PatentQuery
from sourcewright.providers.uspto.applications import read_file, read_list
from sourcewright.providers.uspto.queries import search_params
from sourcewright.world.sites.uspto import WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "api.uspto.gov"


@pytest.fixture
async def uspto(provide):
    return await provide("uspto", USPTO_API_KEY="an-invented-key")


def query(**fields):
    return PatentQuery(**({"text": "tidal turbine", "limit": 10} | fields))


async def test_a_granted_application_has_all_three_dates(uspto, internet):
    [patent] = (await uspto.search_patents(query())).patents

    assert (patent.number, patent.status) == ("US10165245", "Patented Case")
    assert (patent.filed, patent.granted, patent.published) == (
        *("2014-11-20", "2018-12-25", "2018-12-25"),
    )
    assert (patent.assignee, patent.inventor) == ("Meridian Tidal Power, Inc.", "Ada Harbour")
    assert internet.requests_to(HOST)[0].headers["x-api-key"] == "an-invented-key"


@pytest.mark.parametrize(
    ("fields", "found"),
    [
        ({"assignee": "Meridian Tidal Power"}, 1),
        ({"inventor": "Ada Harbour", "cpc": "F03B"}, 1),
        ({"text": None, "number": "US10165245B2"}, 1),
        ({"text": None, "number": "US20160142694A1"}, 1),
        ({"year_from": 2014, "year_to": 2014}, 1),
    ],
)
async def test_every_filter_is_sent(uspto, fields, found):
    assert len((await uspto.search_patents(query(**fields))).patents) == found


@pytest.mark.parametrize(
    "fields", [{"text": "unicorns"}, {"year_from": 2015}, {"cpc": "G06F"}, {"assignee": "Other"}]
)
async def test_nothing_that_matches_is_an_absence(uspto, fields):
    with pytest.raises(NotFound):
        await uspto.search_patents(query(**fields))


@pytest.mark.parametrize(
    ("symbol", "found"), [("F03B13/26", 1), ("F03B13", 1), ("F03B13/10", 0), ("F03B3", 0)]
)
async def test_a_group_is_looked_for_in_the_records_of_its_subclass(
    uspto, internet, symbol, found
):
    result = await uspto.search_patents(query(cpc=symbol, limit=3))

    [seen] = internet.requests_to(HOST)
    assert "cpcClassificationBag%3AF03B%2A" in seen.query
    assert "limit=100" in seen.query
    assert len(result.patents) == found


async def test_other_offices_are_not_asked_about(uspto, internet):
    assert (await uspto.search_patents(query(office="EP"))).patents == ()
    assert not internet.seen


async def test_a_wrong_key_is_refused(provide):
    with pytest.raises(Refused):
        await (await provide("uspto", USPTO_API_KEY=WRONG_KEY)).search_patents(query())


def test_a_range_of_years_is_one_of_filing():
    params = search_params(query(year_to=2010))

    assert params["rangeFilters"] == "applicationMetaData.filingDate 1790-01-01:2010-12-31"


RECORDED = {
    "patentdev-demo-examples-search-patents-response.json": (
        *("US20240362478A1", "2024-03-06", None, "2024-10-31"),
        *("Docketed New Case - Ready for Examination", "Nanyang YE"),
    ),
    "patentdev-testdata-strictdecode-search-patents.json": (
        *("US11646472", "2021-01-05", "2023-05-09", "2023-05-09"),
        *("Patented Case", "Steven J. Visco"),
    ),
    "riemann-search-applications-post.json": (
        *("US10765880", "2015-01-05", "2020-09-08", "2020-09-08"),
        *("Patented Case", "Tobias Sokolowski"),
    ),
    "riemann-app-14412875-metadata.json": (
        *("US10765880", "2015-01-05", "2020-09-08", "2020-09-08"),
        *("Patented Case", "Tobias Sokolowski"),
    ),
}


@pytest.mark.parametrize("name", RECORDED)
def test_recorded_applications_have_their_dates_and_their_status(recorded, name):
    [file] = [one for one in recorded("uspto_odp") if one.name == name]

    record = json.loads(file.read_text(encoding="utf-8"))["patentFileWrapperDataBag"][0]
    one = read_file(record)

    result = (one.number, one.filed, one.granted, one.published, one.status, one.inventor)
    assert result == RECORDED[name]


def test_recorded_answers_of_other_endpoints_and_of_the_beta_are_not_read(recorded):
    refused = 0
    for file in (*recorded("uspto_odp"), *recorded("uspto_other")):
        answer = json.loads(file.read_text(encoding="utf-8")) if file.suffix == ".json" else {}
        is_search = isinstance(answer, dict) and any(
            "applicationMetaData" in one for one in answer.get("patentFileWrapperDataBag") or ()
        )
        if not is_search:
            with pytest.raises((LookupError, TypeError, ValueError)):
                read_list(answer)
            refused += 1

    assert refused > 50


def test_a_lender_is_no_assignee():
    loan = {
        "conveyanceText": "SECURITY INTEREST",
        "assignmentRecordedDate": "2024-01-01",
        "assigneeBag": [{"assigneeNameText": "A BANK"}],
    }
    sale = {
        "conveyanceText": "ASSIGNMENT OF ASSIGNORS INTEREST",
        "assignmentRecordedDate": "2018-09-07",
        "assigneeBag": [{"assigneeNameText": "FUJIFILM CORPORATION"}],
    }
    facts = {"inventionTitle": "T", "filingDate": "2015-01-01"}
    record = {"applicationNumberText": "1", "applicationMetaData": facts}

    assert read_file(record | {"assignmentBag": [loan, sale]}).assignee == "FUJIFILM CORPORATION"
    assert read_file(record | {"assignmentBag": [loan]}).assignee is None
