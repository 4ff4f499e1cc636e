"""Hacker News, against the simulated site."""

from datetime import timedelta
from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer
from sourcewright.domain.web.hits import EngineResults, NewsHit, WebHit
from sourcewright.providers.hackernews.stories import params_of, read_hits

pytestmark = pytest.mark.anyio

HOST = "hn.algolia.com"
ALWAYS = {"query": "sea otter", "tags": "story", "hitsPerPage": "5"}
BROAD = "sea otter tidal rye urban glacier"


@pytest.fixture
async def hackernews(provide):
    return await provide("hackernews")


@pytest.fixture
def sent(internet):
    def request():
        [seen] = internet.requests_to(HOST)
        return seen.path, dict(parse_qsl(seen.query))

    return request


async def test_a_story_is_told_as_its_readers_received_it(hackernews, query, item, sent):
    hits = (await hackernews.search_web(query())).hits

    source = item("news", hits[1].url)
    assert sent() == ("/api/v1/search", ALWAYS)
    assert hits[1] == WebHit(
        title=source.title,
        url=source.url,
        snippet="17 points and 3 comments on Hacker News.",
        published=f"{source.published:%Y-%m-%dT%H:%M:%SZ}",
    )


async def test_a_story_is_an_article_of_its_host(hackernews, query, item):
    hits = (await hackernews.search_news(query("news"))).hits

    source = item("news", hits[1].url)
    assert isinstance(hits[1], NewsHit)
    assert (hits[1].title, hits[1].source) == (source.title, source.host)


async def test_a_text_of_its_own_leads_to_its_discussion(hackernews, query):
    hits = (await hackernews.search_web(query(text=BROAD, limit=100))).hits

    own = [hit for hit in hits if "news.ycombinator.com" in hit.url]
    assert own
    assert all(hit.url.startswith("https://news.ycombinator.com/item?id=4") for hit in own)
    assert all("says so." in hit.snippet and "<p>" not in hit.snippet for hit in own)


@pytest.mark.parametrize(
    ("filters", "params", "ignored"),
    [
        ({"exact_terms": "kelp forests"}, {"query": 'sea otter "kelp forests"'}, ()),
        ({"exclude_terms": "urchins storms"}, {"query": "sea otter -urchins -storms"}, ()),
        ({"sites": ("arxiv.org",)}, {}, ("sites",)),
        (
            {"language": "de", "country": "de", "safe": "high"},
            {},
            ("safe", "language", "country"),
        ),
        ({"limit": 500}, {"hitsPerPage": "100"}, ()),
    ],
)
async def test_a_filter_is_sent_or_named(hackernews, query, sent, filters, params, ignored):
    found = await hackernews.search_web(query(**filters))

    assert sent() == ("/api/v1/search", ALWAYS | params)
    assert found.ignored == ignored


async def test_the_newest_come_first_where_that_is_asked_for(hackernews, query, sent):
    found = await hackernews.search_web(query(sort_by="date", text=BROAD, limit=30))

    dates = [hit.published for hit in found.hits]
    assert sent()[0] == "/api/v1/search_by_date"
    assert found.ignored == ()
    assert dates == sorted(dates, reverse=True)
    assert len(set(dates)) > 1


@pytest.mark.parametrize(
    ("time_range", "hours"), [("hour", 1), ("day", 24), ("week", 168), ("month", 744)]
)
async def test_an_age_is_a_filter_of_numbers(hackernews, query, item, time_range, hours):
    outcome = params_of(query(time_range=time_range), 1_800_000_000.5)

    found = await hackernews.search_web(query(time_range=time_range, text=BROAD, limit=100))

    placed = [hit for hit in found.hits if "ycombinator" not in hit.url]
    assert outcome["numericFilters"] == f"created_at_i>{1_800_000_000 - 3600 * hours}"
    assert placed
    assert all(item("news", hit.url).age <= timedelta(hours=hours) for hit in placed)


async def test_nothing_found_is_an_answer(hackernews, query):
    assert await hackernews.search_web(query(text="xyzzy")) == EngineResults(hits=())


@pytest.mark.parametrize(
    "answer",
    [
        {"message": "maintenance", "status": 400},
        {"hits": None},
        {"hits": [{"title": "no number"}]},
        {"hits": [{"objectID": "1"}]},
    ],
)
async def test_another_shape_is_no_empty_result(hackernews, query, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await hackernews.search_web(query())


def test_counts_that_are_missing_are_none():
    [result] = read_hits({"hits": [{"objectID": "1", "title": "T", "points": None}]})

    assert result.snippet == ("0 points and 0 comments on Hacker News.",)
