"""Tavily, against the simulated site."""

import json

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited, Refused
from sourcewright.domain.web.hits import EngineResults, NewsHit, WebHit
from sourcewright.world.sites.tavily import SPENT_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "api.tavily.com"
ALWAYS = {
    "query": "sea otter",
    "topic": "general",
    "search_depth": "basic",
    "max_results": 5,
}


@pytest.fixture
async def tavily(provide):
    return await provide("tavily", TAVILY_API_KEY="s3cret")


@pytest.fixture
def sent(internet):
    def request():
        [seen] = internet.requests_to(HOST)
        assert (seen.method, seen.path, seen.query) == ("POST", "/search", "")
        assert seen.headers["authorization"] == "Bearer s3cret"
        assert b"s3cret" not in seen.body
        return json.loads(seen.body)

    return request


async def test_a_page_is_told_as_tavily_has_it(tavily, query, item, sent):
    hits = (await tavily.search_web(query())).hits

    source = item("web", hits[0].url)
    assert sent() == ALWAYS
    assert hits[0] == WebHit(title=source.title, url=source.url, snippet=source.text)


async def test_an_article_has_a_date(tavily, query, item, sent):
    hits = (await tavily.search_news(query("news"))).hits

    source = item("news", hits[0].url)
    assert sent() == ALWAYS | {"topic": "news"}
    assert hits[0] == NewsHit(
        title=source.title,
        url=source.url,
        source=source.host,
        snippet=source.text,
        published=f"{source.published:%Y-%m-%dT%H:%M:%SZ}",
    )


@pytest.mark.parametrize(
    ("filters", "body", "ignored"),
    [
        ({"time_range": "hour"}, {"time_range": "day"}, ("time_range",)),
        ({"time_range": "month"}, {"time_range": "month"}, ()),
        ({"sites": ("arxiv.org", "a.b/c")}, {"include_domains": ["arxiv.org", "a.b/c"]}, ()),
        (
            {"exact_terms": "kelp forests"},
            {"query": 'sea otter "kelp forests"', "exact_match": True},
            (),
        ),
        ({"country": "gb"}, {"country": "united kingdom"}, ()),
        ({"country": "tv"}, {}, ("country",)),
        ({"kind": "news", "country": "gb"}, {"topic": "news"}, ("country",)),
        ({"safe": "off"}, {}, ()),
        ({"safe": "high"}, {}, ("safe",)),
        ({"exclude_terms": "urchins"}, {}, ("exclude_terms",)),
        ({"language": "de", "sort_by": "date"}, {}, ("language", "sort_by")),
        ({"limit": 50}, {"max_results": 20}, ()),
    ],
)
async def test_a_filter_is_sent_or_named(tavily, query, sent, filters, body, ignored):
    outcome = query(**filters)
    search = tavily.search_news if outcome.kind == "news" else tavily.search_web

    found = await search(outcome)

    assert sent() == ALWAYS | body
    assert found.ignored == ignored


async def test_filters_that_are_sent_work(tavily, query, item):
    there = await tavily.search_web(query(sites=("arxiv.org",), text="sea tidal rye bread"))
    fresh = await tavily.search_web(query(time_range="day", limit=20))
    exact = await tavily.search_web(query(text="sea", exact_terms="kelp forests", limit=20))

    assert there.hits
    assert all(item("web", hit.url).host == "arxiv.org" for hit in there.hits)
    assert fresh.hits
    assert all(item("web", hit.url).age.days == 0 for hit in fresh.hits)
    assert exact.hits
    assert all("kelp forests" in hit.snippet for hit in exact.hits)


async def test_a_long_question_loses_words_and_keeps_its_phrase(tavily, query, sent):
    text = "sea otter " * 60

    await tavily.search_web(query(text=text, exact_terms="kelp forests"))

    outcome = sent()["query"]
    assert len(outcome) <= 400
    assert outcome.endswith(' "kelp forests"')
    assert set(outcome.removesuffix(' "kelp forests"').split()) == {"sea", "otter"}


async def test_nothing_found_is_an_answer(tavily, query):
    assert await tavily.search_web(query(text="xyzzy")) == EngineResults(hits=())


async def test_a_wrong_key_is_refused(provide, query):
    tavily = await provide("tavily", TAVILY_API_KEY=WRONG_KEY)

    with pytest.raises(Refused) as caught:
        await tavily.search_web(query())

    assert caught.value.status == 401


@pytest.mark.parametrize("message", ["exceeds your plan's set usage limit", "pay-as-you-go limit"])
@pytest.mark.parametrize("status", [432, 433])
async def test_spent_credit_is_a_limit(tavily, query, internet, status, message):
    internet.says(HOST, {"detail": {"error": f"This request {message}."}}, status=status)

    with pytest.raises(RateLimited):
        await tavily.search_web(query())


async def test_a_spent_key_is_limited(provide, query):
    tavily = await provide("tavily", TAVILY_API_KEY=SPENT_KEY)

    with pytest.raises(RateLimited):
        await tavily.search_web(query())


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (400, {"detail": {"error": "Query is too short."}}),
        (422, {"detail": [{"msg": "Field required"}]}),
        (200, {"detail": {"error": "maintenance"}}),
        (200, {"results": None}),
        (200, {"results": [{"title": "no address"}]}),
    ],
)
async def test_what_cannot_be_read_is_no_empty_result(tavily, query, internet, status, answer):
    internet.says(HOST, answer, status=status)

    with pytest.raises(BadAnswer):
        await tavily.search_web(query())


async def test_there_are_no_pictures(tavily):
    assert not hasattr(tavily, "search_images")
