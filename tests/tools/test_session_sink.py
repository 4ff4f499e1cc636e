"""Every tool that takes sessionId records its sources and its outcome in that session."""

import pytest
from jsonschema import validate

from sourcewright import tools

pytestmark = pytest.mark.anyio

KEY = {
    "BRAVE_API_KEY": "an-invented-key",
    "EXA_API_KEY": "an-invented-key",
    "SEARCH_PROVIDER": "brave",
}
ARTICLE = "https://en.wikipedia.org/wiki/Estuary"
NOT_FOUND = "Session not found or expired. Sessions last 4 hours from last activity."
LINKING = sorted(name for name, spec in tools.discover().items() if spec.ask.takes_session())


@pytest.fixture
async def app(application):
    return await application(**KEY)


@pytest.fixture
async def session(app):
    arguments = {"searchStep": "First", "stepNumber": 1, "nextStepNeeded": True}
    return (await app.call("sequential_search", arguments)).structured["sessionId"]


@pytest.fixture
def view(app, session):
    async def recover():
        return (await app.call("get_research_session", {"sessionId": session})).structured

    return recover


async def test_the_tools_that_record_are_those_with_a_session_argument():
    taking = {
        name
        for name, spec in tools.discover().items()
        if "sessionId" in spec.listing()["inputSchema"]["properties"]
    }

    assert set(LINKING) >= {"image_search", "news_search", "scrape_page", "search_and_scrape"}
    assert taking - set(LINKING) >= {"get_research_session", "sequential_search"}


@pytest.mark.parametrize("name", LINKING)
async def test_an_unknown_session_is_said_in_the_answer_and_fails_nothing(app, name):
    spec = tools.discover()[name]

    result = await app.call(name, {**spec.example, "sessionId": "nobody's"})

    validate(result.structured, spec.listing()["outputSchema"])
    assert result.meta["session"] == {"id": "nobody's", "linked": False}
    if not result.is_error:
        assert result.structured["sessionNote"] == NOT_FOUND


@pytest.mark.parametrize("name", LINKING)
async def test_a_known_session_counts_an_outcome_of_every_tool(app, session, view, name):
    result = await app.call(name, {**tools.discover()[name].example, "sessionId": session})

    assert result.meta["session"] == {"id": session, "linked": True}
    assert "sessionNote" not in result.structured
    assert (await view())["providerStats"]


async def test_results_are_recorded_with_the_step_that_was_current_also_from_the_cache(
    app, session, view
):
    arguments = {"query": "sea otter", "num_results": 3}
    await app.call("web_search", arguments)

    result = await app.call("web_search", {**arguments, "sessionId": session})
    second = {"searchStep": "Second", "stepNumber": 2, "nextStepNeeded": True}
    await app.call("sequential_search", {**second, "sessionId": session})
    await app.call("web_search", {**arguments, "num_results": 4, "sessionId": session})

    assert result.meta["cached"] is True
    sources = (await view())["sources"]
    assert [one["url"] for one in sources[:3]] == result.structured["urls"]
    assert [one["foundInStep"] for one in sources] == [1, 1, 1, 2]
    assert all(one["title"] for one in sources)


async def test_a_page_that_was_found_and_read_is_one_source(app, session, view, internet):
    page = "https://a.example/tides"
    found = [{"url": page, "title": "Tides", "description": ""}]
    listing = {"type": "search", "query": {"original": "x"}, "web": {"results": found}}
    internet.says("api.search.brave.com", listing)
    text = f"# All about tides\n\n{'The sea rises and falls twice a day. ' * 30}"
    internet.says("a.example", text.encode(), content_type="text/markdown")

    await app.call("web_search", {"query": "tides", "sessionId": session})
    read = await app.call("scrape_page", {"url": f"{page}?utm_source=x", "sessionId": session})

    assert not read.is_error
    [source] = (await view())["sources"]
    assert (source["url"], source["title"], source["relevance"]) == (page, "Tides", "scraped")


async def test_a_failure_is_recorded_with_its_kind_and_the_session_goes_on(
    app, session, view, internet
):
    internet.breaks("gone.example", status=404)
    page = {"url": "https://gone.example/x", "sessionId": session}

    results = [await app.call("scrape_page", page) for _ in range(3)]

    assert all(one.is_error for one in results)
    assert all(one.meta["session"]["linked"] for one in results)
    answer = await view()
    [pattern] = answer["errorPatterns"]
    assert (pattern["kind"], pattern["affectedUrls"]) == ("not_found", ["https://gone.example/x"])
    assert answer["sources"] == []


async def test_an_engine_that_fails_counts_as_attempted(app, session, view, internet):
    internet.breaks("api.search.brave.com", status=403)

    result = await app.call("web_search", {"query": "sea otter", "sessionId": session})

    assert result.is_error
    assert (await view())["providerStats"] == {"brave": {"attempts": 1, "successes": 0}}


async def test_a_session_that_cannot_be_written_fails_no_search(application):
    app = await application(**KEY, CACHE_ENCRYPTION_KEY="0f" * 32)
    arguments = {"searchStep": "First", "stepNumber": 1, "nextStepNeeded": True}
    session = (await app.call("sequential_search", arguments)).structured["sessionId"]
    other = await application(**KEY, CACHE_ENCRYPTION_KEY="1e" * 32)

    result = await other.call("web_search", {"query": "sea otter", "sessionId": session})

    assert not result.is_error
    assert result.structured["sessionNote"].startswith("The result was not recorded")


async def test_papers_count_by_publisher_and_a_preprint_is_not_called_reviewed(app, session):
    arguments = {"query": "tidal", "sessionId": session}
    await app.call("academic_search", {**arguments, "provider": "arxiv"})
    preprints = (await app.call("get_research_session", {"sessionId": session})).structured
    await app.call("academic_search", {**arguments, "provider": "crossref", "num_results": 10})
    step = {"searchStep": "Weigh", "stepNumber": 2, "nextStepNeeded": True, "depth": "standard"}

    weighed = (await app.call("sequential_search", {**step, "sessionId": session})).structured

    assert preprints["sources"]
    assert all("sourceType" not in one for one in preprints["sources"])
    assert weighed["coverage"]["sourceTypes"].keys() == {"academic", "peer_reviewed"}
    assert weighed["coverage"]["uniqueDomains"] > 1
    assert "dominantDomain" not in weighed["coverage"]
    assert not any("site:" in query for query in weighed["refinementQueries"])


async def test_a_dataset_and_a_notice_are_not_called_reviewed(app, session, view):
    arguments = {"query": "harbour bells cure insomnia", "num_results": 10}
    await app.call("academic_search", {**arguments, "sessionId": session})

    types = {one["doi"]: one.get("sourceType") for one in (await view())["sources"]}

    assert types["10.5555/retracted-paper"] == "peer_reviewed"
    assert types["10.5555/retraction-notice"] is None
    assert types["10.99101/harbour.dataset"] is None
