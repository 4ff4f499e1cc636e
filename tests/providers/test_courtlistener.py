"""CourtListener: its requests, and every recorded answer."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited
from sourcewright.domain.records.case_citations import bluebook
from sourcewright.domain.records.cases import CaseQuery
from sourcewright.providers.courtlistener import CourtListener, read_case

pytestmark = pytest.mark.anyio

HOST = "www.courtlistener.com"
QUERY = CaseQuery(text="x", limit=20)


async def test_recorded_opinions_are_read_with_their_citations(provide, internet, recorded):
    [file] = [one for one in recorded("courtlistener") if one.name == "useli-search.json"]
    internet.says(HOST, file.read_bytes())

    found = await (await provide("courtlistener")).search_cases(QUERY)

    first, second = found.cases
    assert found.total == 779
    assert (first.name, first.court, first.court_id, first.date_filed, first.docket_number) == (
        "People v. Miranda-Guerrero",
        "California Supreme Court",
        "cal",
        "2022-11-17",
        "S118147",
    )
    assert first.citations == ("519 P.3d 1004", "301 Cal. Rptr. 3d 15", "14 Cal. 5th 1")
    assert (first.cite_count, second.cite_count) == (35, 19)
    assert first.url == "https://www.courtlistener.com/opinion/8512159/people-v-miranda-guerrero/"
    assert second.citations[0] == "182 P.3d 513"
    assert second.citations[-1] == "2008 Cal. LEXIS 4819"
    assert bluebook(second) == "In Re Miranda, 182 P.3d 513 (Cal. 2008)"


async def test_recorded_dockets_are_read_without_what_only_opinions_have(
    provide, internet, recorded
):
    [file] = [one for one in recorded("courtlistener") if one.name == "monumentwatch-search.json"]
    internet.says(HOST, file.read_bytes())

    found = await (await provide("courtlistener")).search_cases(QUERY)

    first = found.cases[0]
    assert (found.total, len(found.cases)) == (83, len(json.loads(file.read_bytes())["results"]))
    assert (first.name, first.docket_number, first.date_filed) == (
        "Joslin v. U.S. Department of the Interior",
        "1:26-cv-02029",
        "2026-03-13",
    )
    assert first.court_abbreviation == "E.D. Cal."
    assert (first.citations, first.cite_count, bluebook(first)) == ((), None, None)


async def test_a_recorded_alert_holds_a_case_of_the_same_shape(recorded):
    [file] = [one for one in recorded("courtlistener") if one.suffix == ".txt"]
    text = file.read_text(encoding="utf-8").replace("{{ webhook_version }}", "2")
    [item] = json.loads(text)["payload"]["results"]

    case = read_case(item)

    assert bluebook(case) == "Obergefell v. Hodges, 576 U.S. 644 (2015)"
    assert case.cite_count == 432


@pytest.mark.parametrize(
    "name",
    [
        "citation-api-docs-vlatest-l77.json",
        "pacer-api-docs-vlatest-l379.json",
        "recap-api-docs-vlatest-l514.json",
        "search-api-docs-v3-l208.json",
    ],
)
async def test_a_recorded_answer_of_another_endpoint_is_named_as_unreadable(
    provide, internet, recorded, name
):
    [file] = [one for one in recorded("courtlistener") if one.name == name]
    internet.says(HOST, file.read_bytes())

    with pytest.raises(BadAnswer, match="unexpected structure"):
        await (await provide("courtlistener")).search_cases(QUERY)


async def test_a_path_that_leads_elsewhere_is_not_made_an_address(provide, internet):
    case = {"caseName": "x", "court": "x", "court_id": "x", "dateFiled": None, "docketNumber": ""}
    internet.says(
        HOST, {"count": 1, "results": [case | {"absolute_url": "@elsewhere.example/opinion"}]}
    )

    with pytest.raises(BadAnswer):
        await (await provide("courtlistener")).search_cases(QUERY)


def test_a_token_has_the_limit_of_a_minute_that_every_account_has():
    keyless, keyed = CourtListener.rate({}), CourtListener.rate({"token": "x"})

    assert (keyless.starts, keyless.per_seconds) == (100, 86400.0)
    assert (keyed.starts, keyed.per_seconds) == (5, 60.0)


async def test_the_quota_of_an_account_is_told_with_the_time_to_wait(provide, internet):
    message = {"detail": "Request was throttled. Expected available in 85774 seconds."}
    internet.breaks(HOST, path="/api/*", status=429, retry_after=85_774, body=json.dumps(message))
    courts = await provide("courtlistener", COURTLISTENER_API_TOKEN="t-1234567890")

    with pytest.raises(RateLimited, match="Request was throttled") as refused:
        await courts.search_cases(QUERY)

    assert refused.value.retry_after == 85_774
