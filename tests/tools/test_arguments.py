"""Arguments that a model sent as text are converted if they have exactly one meaning."""

import json
import re

import pytest

from sourcewright import tools
from sourcewright.tools._arguments import SYNONYMS
from sourcewright.tools._base import ResearchArguments

pytestmark = pytest.mark.anyio

REF = "10.5555/fine-paper"
KEYS = {"BRAVE_API_KEY": "an-invented-key-of-brave"}


@pytest.fixture
def called(application):
    async def call(name, **arguments):
        return (await (await application(**KEYS)).call(name, arguments)).structured

    return call


@pytest.mark.parametrize("limit", ["2", " 2 ", 2.0, 2])
async def test_a_whole_number_is_taken_as_text_and_as_a_fraction_of_nothing(called, shelve, limit):
    for key in ("doi_10.1_a", "doi_10.1_b", "doi_10.1_c"):
        shelve(key)

    found = await called("doiget_list_recent", limit=limit)

    assert len(found["entries"]) == 2


@pytest.mark.parametrize("limit", ["2.5", 2.5, "two", True, [2], "1e1", "0x2"])
async def test_what_is_no_whole_number_is_refused(called, limit):
    refused = await called("doiget_list_recent", limit=limit)

    assert refused["error"]["message"].startswith("limit: ")


@pytest.mark.parametrize("truth", ["true", "True", " TRUE", True])
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


@pytest.mark.parametrize("direction", ["cited by", "Cited-By", "citedby"])
async def test_a_choice_is_taken_with_other_separators(called, direction):
    answer = await called("citation_graph", paper=REF, direction=direction)

    assert answer["direction"] == "cited_by"


def test_no_two_choices_differ_only_in_case_or_separators():
    specs = [one for one in tools.discover().values() if issubclass(one.ask, ResearchArguments)]
    for spec in specs:
        for name, schema in spec.listing()["inputSchema"]["properties"].items():
            choices = [one for one in schema.get("enum", []) if one]
            folded = {re.sub(r"[\s_-]", "", one).lower() for one in choices}
            assert len(folded) == len(choices), (spec.name, name)


async def test_zero_counts_as_not_given_where_a_number_must_be_higher(called):
    unused = dict.fromkeys(("revisesStep", "branchFromStep", "totalStepsEstimate"), 0)
    step = {"searchStep": "a", "nextStepNeeded": True}

    assert "error" not in await called("sequential_search", stepNumber=1, **step, **unused)
    assert "error" not in await called("academic_search", query="tides", year_from=0, year_to="0")
    assert "error" in await called("sequential_search", stepNumber=0, **step)


@pytest.mark.parametrize(
    ("name", "arguments", "counted"),
    [
        ("audit_bibliography", {"entries": [REF, "10.5555/retracted-paper"]}, {"entryCount": 2}),
        ("audit_bibliography", {"entries": {"DOI": REF}}, {"entryCount": 1}),
        ("audit_bibliography", {"bibliography": [{"DOI": REF}]}, {"entryCount": 1}),
        (
            "format_bibliography",
            {"sources": [f"doi:{REF}", "http://a.example"]},
            {"entryCount": 2},
        ),
        ("format_bibliography", {"sources": {"URL": "http://a.example"}}, {"entryCount": 1}),
        ("verify_recommendation", {"recommendations": ["Kettles", "Lamps"]}, {"itemCount": 2}),
    ],
)
async def test_sources_are_taken_as_texts_and_under_names_in_any_case(
    called, name, arguments, counted
):
    answer = await called(name, **arguments)

    assert answer.items() >= counted.items()
    assert all(one["exists"] for one in answer.get("entries", []))


async def test_a_choice_is_reported_as_the_contract_spells_it(called):
    answer = await called("citation_graph", paper=REF, direction=" REFERENCES ")

    assert answer["direction"] == "references"
    assert "citedBy" not in answer


async def test_what_is_no_choice_in_any_case_is_refused(called):
    refused = await called("web_search", query="tidal energy", time_range="decade")

    assert refused["error"]["detail"].startswith("time_range: input should be 'day', 'week'")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("web_search", {"query": "tidal energy", "numResults": 2, "timeRange": "month"}),
        ("academic_search", {"query": "tidal mixing", "yearFrom": 2010, "openAccess": "true"}),
        ("scrape_page", {"url": "https://en.wikipedia.org/wiki/Estuary", "max-length": 2000}),
        ("sequential_search", {"search_step": "a", "StepNumber": 1, "next_step_needed": True}),
        ("doiget_fetch_paper", {"ref": REF, "dryRun": "true"}),
        ("news_search", {"query": "tidal energy", "freshness": "month"}),
        ("web_search", {"q": "tidal energy", "maxResults": 2}),
        ("academic_search", {"query": "tidal mixing", "limit": "2", "min_year": 2010}),
        ("citation_graph", {"doi": REF, "count": 2}),
        ("doiget_resolve_paper", {"doi": REF}),
        ("verify_citation", {"doi": REF}),
        ("audit_bibliography", {"bibtex": f"@article{{a, doi={{{REF}}}}}"}),
        ("doiget_batch_fetch", {"dois": [REF], "dry_run": True}),
        ("scrape_page", {"link": "https://en.wikipedia.org/wiki/Estuary"}),
    ],
)
async def test_a_name_is_taken_in_the_other_case_and_as_the_earlier_contract_has_it(
    called, name, arguments
):
    assert "error" not in await called(name, **arguments)


@pytest.mark.parametrize("other", ["numresults", "numResults", "limit"])
async def test_two_spellings_of_one_argument_are_refused(called, other):
    refused = await called("web_search", query="tidal", num_results=1, **{other: 2})

    assert f"{other}: no such argument" in refused["error"]["detail"]


def test_no_tool_has_two_arguments_that_are_confused():
    for spec in tools.discover().values():
        names = {*spec.listing()["inputSchema"]["properties"]}
        for line in SYNONYMS:
            assert len(names & {*line.split()}) <= 1, (spec.name, line)


@pytest.mark.parametrize("refs", [[], [REF], [REF, REF], [7], [[REF]]])
async def test_no_text_is_taken_from_a_list(called, refs):
    refused = await called("doiget_resolve_paper", ref=refs)

    assert refused["error"]["message"].startswith("ref: must be text")


async def test_a_dry_run_in_another_case_is_not_taken_where_there_is_none(called):
    refused = await called("doiget_info", ref=REF, dryRun=True)

    assert refused["error"]["code"] == "INVALID_REF"


async def test_a_number_is_taken_for_the_year_or_the_phase_that_it_is(called):
    observed = await called(
        "econ_search", series_id="TI.GDP.MKTP.CD", provider="worldbank", date_from=2010
    )
    found = await called("clinical_search", condition="tidal asthma", phase=3)
    refused = await called("doiget_resolve_paper", ref=2401.1)

    assert "error" not in observed
    assert "error" not in found
    assert refused["error"]["message"].startswith("ref: must be text, in quotes")


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("academic_search", {"query": "tidal mixing", "provider": "Semantic Scholar"}),
        ("academic_search", {"query": "tidal mixing", "provider": "Europe PMC"}),
        ("econ_search", {"query": "gdp", "provider": "World Bank"}),
        ("academic_search", {"query": "tidal mixing", "sources": ["Semantic Scholar"]}),
        ("academic_search", {"query": "tidal mixing", "sources": "Crossref, Europe PMC"}),
        ("academic_search", {"query": "tidal mixing", "sources": '["crossref"]'}),
        ("academic_search", {"query": "tidal mixing", "sources": "All"}),
    ],
)
async def test_a_source_is_taken_by_its_own_spelling(called, name, arguments):
    assert "error" not in await called(name, **arguments)


@pytest.mark.parametrize(
    ("name", "arguments", "words"),
    [
        (
            "memory_save",
            {"note": "n", "tags": "a,b"},
            'tags: must be a list, such as ["one", "two"]',
        ),
        ("audit_bibliography", {"entries": [3]}, "entries.0: must be an object, such as {"),
        ("academic_search", {"query": "x", "year_from": 2020, "year_to": 2010}, "year_from 2020"),
        ("econ_search", {"series_id": "X", "frequency": "every year"}, "frequency: must be d, w"),
        ("econ_search", {"series_id": "X", "units": "percent"}, "units: must be lin, chg, ch1"),
        ("news_search", {"query": "x", "news_source": "Reuters"}, "news_source: must be a host"),
        ("academic_search", {"query": "x", "pdf_only": "yes"}, "pdf_only: must be true or false"),
        (
            "academic_search",
            {"query": "x", "year_from": "May"},
            "year_from: must be a whole number",
        ),
        ("web_search", {"words": "tides"}, "query: is required; words: no such argument"),
    ],
)
async def test_a_refusal_says_what_is_wanted_in_plain_words(application, name, arguments, words):
    calls = await application(MEMORY_ENABLED="true", STDIO_USER_ID="ann")

    assert words in (await calls.call(name, arguments)).text


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("clinical_search", {"query": "x", "phase": "3" * 101}, "at most 100 characters"),
        ("verify_recommendation", {"recommendations": []}, "at least 1 item, not 0"),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
async def test_a_limit_is_stated_in_the_unit_of_the_argument(called, tool, arguments, words):
    refused = await called(tool, **arguments)

    assert words in refused["error"]["detail"]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("web_search", {f"key {at}": at for at in range(100_000)}),
        ("doiget_batch_fetch", {"refs": list(range(200_000))}),
        ("doiget_batch_fetch", {"refs": json.dumps(list(range(200_000)))}),
    ],
)
async def test_countless_wrong_arguments_are_counted_and_not_listed(called, name, arguments):
    refused = await called(name, **arguments)

    message = str(refused["error"])
    assert re.search(r"arguments: \d{5,6} values are not valid \(accepted arguments: ", message)
    assert len(message) < 1_000


async def test_a_text_with_more_values_than_a_message_may_have_is_no_list(called):
    refused = await called("doiget_batch_fetch", refs=json.dumps([0] * 300_000))

    assert refused["error"]["message"].startswith("refs: must be a list")


async def test_each_entry_of_a_long_list_is_converted(called):
    entries = [{"title": f"A title {at}", "year": f"{2000 + at % 20}"} for at in range(1_000)]

    refused = await called("audit_bibliography", entries=[*entries, {"title": 7}])

    assert "1000.title" in str(refused)
    assert "999" not in str(refused["error"])
