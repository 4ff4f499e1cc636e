"""Arguments that a model sent as text are converted if they have exactly one meaning."""

import json

import pytest

pytestmark = pytest.mark.anyio

REF = "10.5555/fine-paper"
KEYS = {"BRAVE_API_KEY": "an-invented-key-of-brave"}


@pytest.fixture
def called(application):
    async def call(name, **arguments):
        return (await (await application(**KEYS)).call(name, arguments)).structured

    return call


@pytest.mark.parametrize("limit", ["2", 2.0, 2])
async def test_a_whole_number_is_taken_as_text_and_as_a_fraction_of_nothing(called, shelve, limit):
    for key in ("doi_10.1_a", "doi_10.1_b", "doi_10.1_c"):
        shelve(key)

    found = await called("doiget_list_recent", limit=limit)

    assert len(found["entries"]) == 2


@pytest.mark.parametrize("limit", ["2.5", 2.5, "two", True, [2], "1e1", "0x2"])
async def test_what_is_no_whole_number_is_refused(called, limit):
    refused = await called("doiget_list_recent", limit=limit)

    assert refused["error"]["message"].startswith("limit: ")


@pytest.mark.parametrize("truth", ["true", True])
async def test_a_truth_is_taken_as_text(called, kept, truth):
    planned = await called("doiget_fetch_paper", ref=REF, dry_run=truth)

    assert (planned["ok"], planned["dry_run"]) == (True, True)
    assert kept() == []


@pytest.mark.parametrize("truth", ["yes", "1", 1, "TRUE!", ""])
async def test_what_is_no_truth_is_refused(called, truth):
    refused = await called("doiget_fetch_paper", ref=REF, dry_run=truth)

    assert refused["error"]["message"].startswith("dry_run: ")


@pytest.mark.parametrize("refs", [[REF], json.dumps([REF])])
async def test_a_list_is_taken_as_a_text_that_is_its_json(called, refs):
    planned = await called("doiget_batch_fetch", refs=refs, dry_run="true")

    assert len(planned["plans"]) == 1
    assert planned["plans"][0]["ref"] == {"doi": REF}


@pytest.mark.parametrize("refs", [REF, f"{REF},{REF}", json.dumps({"ref": REF}), "[", "[" * 9999])
async def test_what_is_no_list_is_refused(called, refs):
    refused = await called("doiget_batch_fetch", refs=refs)

    assert refused["error"]["message"].startswith("refs: ")


async def test_a_text_stays_a_text_whatever_it_looks_like(called):
    searched = await called("web_search", query="3", num_results="1")
    refused = await called("doiget_resolve_paper", ref=7)

    assert (searched["query"], searched["resultCount"]) == ("3", 1)
    assert refused["error"]["code"] == "INVALID_REF"


async def test_every_family_takes_them_and_refuses_in_its_own_envelope(called):
    found = await called("search_and_scrape", query="tidal", num_results="1", deduplicate="false")
    refused = await called("search_and_scrape", query="tidal", deduplicate="maybe")
    listed = await called("paper_batch_download", identifiers="no list")

    assert found["query"] == "tidal"
    assert refused["error"]["kind"] == "validation"
    assert listed["code"] == "INVALID_REF"


@pytest.mark.parametrize("blank", [None, ""])
async def test_a_client_that_sends_every_argument_reads_the_whole_page(called, blank):
    url = "https://en.wikipedia.org/wiki/Estuary"
    unused = dict.fromkeys(("mode", "max_length", "offset", "section", "sessionId"), blank)

    page = await called("scrape_page", url=url, **unused)

    assert page["content"] == (await called("scrape_page", url=url))["content"]


@pytest.mark.parametrize(
    ("tool", "arguments", "name"),
    [
        ("brand_research", {"url": "caf\udce9.example"}, "url"),
        ("web_search", {"query": "caf\udce9"}, "query"),
        ("format_bibliography", {"sources": [{"url": "x", "title": "\ud800"}]}, "sources"),
        ("doiget_resolve_paper", {"ref": "10.1234/\ud800"}, "ref"),
        ("paper_metadata", {"identifier": "10.1234/\ud800"}, "identifier"),
        ("web_search", {"query": "tides", "\ud800": 1}, "arguments"),
    ],
)
async def test_text_that_no_encoding_can_write_is_refused(
    application, internet, tool, arguments, name
):
    result = await (await application(**KEYS)).call(tool, arguments)

    assert f"{name}: must be valid Unicode text" in result.text
    assert internet.seen == []


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("web_search", {"query": "tidal energy", "time_range": "Month", "safe": "OFF"}),
        ("academic_search", {"query": "tidal mixing", "source": "arXiv", "sort_by": "Date"}),
        ("patent_search", {"query": "tidal", "patent_office": "us", "search_type": "Landscape"}),
        ("citation_graph", {"paper": REF, "direction": "Cited_By"}),
        (
            "scrape_page",
            {"url": "https://en.wikipedia.org/web/tidal-energy-0.html", "mode": "FULL"},
        ),
    ],
)
async def test_a_choice_is_taken_in_upper_and_in_lower_case(called, name, arguments):
    answer = await called(name, **arguments)

    assert "error" not in answer


async def test_a_choice_is_reported_as_the_contract_spells_it(called):
    answer = await called("citation_graph", paper=REF, direction=" REFERENCES ")

    assert answer["direction"] == "references"
    assert "citedBy" not in answer


async def test_what_is_no_choice_in_any_case_is_refused(called):
    refused = await called("web_search", query="tidal energy", time_range="decade")

    assert refused["error"]["detail"].startswith("time_range: input should be 'day', 'week'")
