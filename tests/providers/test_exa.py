"""Exa, against the simulated site."""

import json
from datetime import UTC, datetime, timedelta

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited, Refused
from sourcewright.domain.web.hits import EngineResults, NewsHit, WebHit
from sourcewright.providers.exa import read_hits, search_body
from sourcewright.providers.exa.answers import read_structured
from sourcewright.world.sites.exa import SPENT_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "api.exa.ai"
NOW = datetime(2026, 3, 9, 12, tzinfo=UTC)
ALWAYS = {
    "query": "sea otter",
    "type": "auto",
    "numResults": 5,
    "moderation": True,
    "contents": {"highlights": True},
}


@pytest.fixture
async def exa(provide):
    return await provide("exa", EXA_API_KEY="s3cret")


@pytest.fixture
def sent(internet):
    def request():
        [seen] = internet.requests_to(HOST)
        assert (seen.method, seen.path, seen.query) == ("POST", "/search", "")
        assert seen.headers["x-api-key"] == "s3cret"
        return json.loads(seen.body)

    return request


async def test_a_page_is_told_with_the_sentences_that_fit(exa, query, item, sent):
    hits = (await exa.search_web(query())).hits

    source = item("web", hits[0].url)
    assert sent() == ALWAYS
    assert hits[0] == WebHit(
        title=source.title,
        url=source.url,
        snippet=source.text,
        published=f"{source.published:%Y-%m-%dT%H:%M:%SZ}",
    )


async def test_articles_are_a_category(exa, query, item, sent):
    hits = (await exa.search_news(query("news"))).hits

    source = item("news", hits[0].url)
    assert sent() == ALWAYS | {"category": "news"}
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
        ({"sites": ("arxiv.org", "a.b/c")}, {"includeDomains": ["arxiv.org", "a.b/c"]}, ()),
        ({"country": "gb"}, {"userLocation": "GB"}, ()),
        ({"safe": "off"}, {"moderation": False}, ()),
        ({"safe": "high"}, {}, ()),
        (
            {"exact_terms": "kelp forests"},
            {"query": 'sea otter "kelp forests"'},
            ("exact_terms",),
        ),
        ({"exclude_terms": "urchins"}, {}, ("exclude_terms",)),
        ({"language": "de", "sort_by": "date"}, {}, ("language", "sort_by")),
        ({"limit": 500}, {"numResults": 100}, ()),
    ],
)
async def test_a_filter_is_sent_or_named(exa, query, sent, filters, body, ignored):
    found = await exa.search_web(query(**filters))

    assert sent() == ALWAYS | body
    assert found.ignored == ignored


@pytest.mark.parametrize(
    ("time_range", "since"),
    [
        ("hour", "2026-03-09T11:00:00.000Z"),
        ("day", "2026-03-08T12:00:00.000Z"),
        ("week", "2026-03-02T12:00:00.000Z"),
        ("month", "2026-02-06T12:00:00.000Z"),
        ("year", "2025-03-08T12:00:00.000Z"),
        (None, None),
    ],
)
def test_an_age_becomes_a_date(time_range, query, since):
    outcome = search_body(query(time_range=time_range), NOW.timestamp())

    assert outcome.get("startPublishedDate") == since


async def test_filters_that_are_sent_work(exa, query, item):
    there = await exa.search_web(query(sites=("arxiv.org",), text="sea tidal rye bread"))
    fresh = await exa.search_web(query(time_range="hour", limit=50, text="sea tidal rye bread"))

    assert there.hits
    assert all(item("web", hit.url).host == "arxiv.org" for hit in there.hits)
    assert fresh.hits
    assert fresh.ignored == ()
    assert all(item("web", hit.url).age < timedelta(hours=1) for hit in fresh.hits)


@pytest.mark.parametrize(
    ("fields", "snippet"),
    [
        ({"highlights": ["One.", "Two."], "text": "T"}, ("One.", "Two.")),
        ({"highlights": [], "summary": "S", "text": "T"}, ("S",)),
        ({"text": "T"}, ("T",)),
        ({}, (None,)),
    ],
)
def test_the_snippet_is_the_closest_text_there_is(fields, snippet):
    [result] = read_hits({"results": [{"url": "https://a.example/", **fields}]})

    assert tuple(result.snippet) == snippet


async def test_nothing_found_is_an_answer(exa, query):
    assert await exa.search_web(query(text="xyzzy")) == EngineResults(hits=())


@pytest.mark.parametrize(("key", "error"), [(WRONG_KEY, Refused), (SPENT_KEY, RateLimited)])
async def test_a_key_that_does_not_do_is_named(provide, query, key, error):
    exa = await provide("exa", EXA_API_KEY=key)

    with pytest.raises(error) as caught:
        await exa.search_web(query())

    assert caught.value.source == "exa"


@pytest.mark.parametrize(
    ("status", "answer"),
    [
        (400, {"error": "Invalid request body", "tag": "INVALID_REQUEST_BODY"}),
        (402, {"error": "who knows"}),
        (200, {"error": "maintenance", "tag": "X"}),
        (200, {"results": None}),
        (200, {"results": [{"title": "no address"}]}),
    ],
)
async def test_what_cannot_be_read_is_no_empty_result(exa, query, internet, status, answer):
    internet.says(HOST, answer, status=status)

    with pytest.raises(BadAnswer):
        await exa.search_web(query())


@pytest.mark.parametrize(
    ("sent", "read"),
    [
        ('{"a": 1.5, "b": 12345678901234567890}', {"a": 1.5, "b": 12345678901234567890}),
        ('{"a": 0.12345678901234567891}', {"a": "0.12345678901234567891"}),
        ('{"a": 1e999}', {"a": "1e999"}),
        ('{"a": NaN, "b": -Infinity}', {"a": None, "b": None}),
    ],
)
def test_a_figure_in_a_summary_keeps_its_value(sent, read):
    answer = {"results": [{"url": "https://a.example/", "summary": sent}]}

    [item] = read_structured(answer, with_schema=True).items

    assert json.loads(item.summary, parse_constant=pytest.fail) == read
