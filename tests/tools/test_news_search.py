"""news_search, as its contract has it."""

import re
from urllib.parse import parse_qsl

import pytest

from sourcewright import tools

pytestmark = pytest.mark.anyio

GOOGLE, BRAVE = "www.googleapis.com", "api.search.brave.com"
ONE = {"SEARCH_PROVIDER": "brave"}
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
SCHEMA = tools.discover()["news_search"].listing()["inputSchema"]


def params_of(seen):
    return dict(parse_qsl(seen.query))


@pytest.fixture
async def ask(asking):
    return await asking(**ONE)


def test_the_arguments_are_those_of_the_contract_and_the_lens_of_all_searches():
    message = SCHEMA["properties"]

    assert SCHEMA["required"] == ["query"]
    assert message.keys() == {
        *("query", "num_results", "time_range", "sort_by", "news_source", "country"),
        *("language", "safe", "provider", "sessionId", "lens"),
    }
    assert (message["num_results"]["default"], message["time_range"]["default"]) == (5, "week")
    assert message["sort_by"]["default"] == "relevance"
    assert message["time_range"]["enum"] == ["hour", "day", "week", "month", "year"]
    assert message["sort_by"]["enum"] == ["relevance", "date"]
    assert message["safe"]["enum"] == ["off", "moderate", "strict", None]


async def test_an_answer_has_the_fields_of_the_contract_and_no_others(ask):
    answer = (await ask("news_search", query="sea otter rye bread", num_results=3)).structured

    assert answer.keys() == {"articles", "query", "resultCount", "trust"}
    assert answer["trust"] == "untrusted-external-content"
    assert answer["resultCount"] == len(answer["articles"]) == 3
    for article in answer["articles"]:
        assert article.keys() - {"sourceReputation"} == {
            *("title", "url", "source", "publishedAt", "snippet"),
        }
        assert UTC.fullmatch(article["publishedAt"])


@pytest.mark.parametrize(
    ("age", "published"),
    [
        ("2026-03-01T10:00:00+02:00", "2026-03-01T08:00:00Z"),
        ("March 1, 2026", "2026-03-01T00:00:00Z"),
        ("soon", None),
        ("", None),
        (None, None),
    ],
)
async def test_a_date_is_in_one_form_or_left_out(ask, internet, age, published):
    article = {"title": "Tides turn", "url": "https://a.example/", "age": age}
    listing = {"type": "news", "query": {"original": "x"}, "results": [article]}
    internet.says(BRAVE, listing)

    [found] = (await ask("news_search", query="tides")).structured["articles"]

    assert found.get("publishedAt") == published
    assert ("publishedAt" in found) is (published is not None)


async def test_a_week_is_searched_where_nothing_else_is_said(ask, internet):
    await ask("news_search", query="sea otter")

    [seen] = internet.requests_to(BRAVE)
    assert params_of(seen) == {
        "q": "sea otter",
        "count": "5",
        "safesearch": "moderate",
        "freshness": "pw",
    }


@pytest.mark.parametrize("safe", ["off", "moderate", "strict"])
async def test_safe_has_the_words_of_the_contract(ask, internet, safe):
    await ask("news_search", query="sea otter", safe=safe)

    [seen] = internet.requests_to(BRAVE)
    assert params_of(seen)["safesearch"] == safe


async def test_order_and_source_reach_an_engine_that_has_them(asking, internet):
    ask = await asking(SEARCH_PROVIDER="google")

    result = await ask(
        "news_search",
        query="sea otter",
        time_range="year",
        sort_by="date",
        news_source="reuters.com",
    )

    [seen] = internet.requests_to(GOOGLE)
    params = params_of(seen)
    assert (params["sort"], params["siteSearch"]) == ("date", "reuters.com")
    dates = [one["publishedAt"] for one in result.structured["articles"]]
    assert dates == sorted(dates, reverse=True)
    assert "filtersIgnored" not in result.structured


async def test_an_order_that_an_engine_lacks_is_named(ask):
    result = await ask("news_search", query="sea otter", sort_by="date")

    assert result.structured["filtersIgnored"] == ["sort_by"]
    assert result.meta["filtersIgnored"] == ["sort_by"]


async def test_a_source_holds_and_is_called_by_its_own_name(ask):
    arguments = {"query": "sea otter rye bread", "time_range": "year", "num_results": 50}

    found = await ask("news_search", **arguments, news_source="reuters.com")
    ignored = await ask("news_search", **arguments, news_source="reuters.com", lens="science")

    articles = found.structured["articles"]
    assert {one["url"].split("/")[2] for one in articles} == {"www.reuters.com"}
    assert ignored.structured["filtersIgnored"] == ["news_source"]


@pytest.mark.parametrize(("number", "count"), [(-1, "1"), (50, "50"), (51, "50")])
async def test_up_to_fifty_are_asked_for(ask, internet, number, count):
    answer = (await ask("news_search", query="sea otter", num_results=number)).structured

    [seen] = internet.requests_to(BRAVE)
    assert params_of(seen)["count"] == count
    assert answer.get("requestedNumResults") == (None if number == 50 else number)


async def test_nothing_found_names_a_time_that_the_engine_only_has_longer(ask):
    answer = (await ask("news_search", query="xyzzy plugh quux", time_range="hour")).structured

    assert answer["filtersIgnored"] == ["time_range"]
    assert answer["hints"]["reason"] == "filters_too_restrictive"
    assert answer["hints"]["filtersApplied"] == {"time_range": "hour"}


async def test_nothing_found_names_the_time_and_the_source(ask):
    answer = (
        await ask(
            "news_search", query="xyzzy plugh quux", news_source="reuters.com", sort_by="date"
        )
    ).structured

    assert answer["articles"] == []
    hints = answer["hints"]
    assert hints["reason"] == "filters_too_restrictive"
    assert hints["filtersApplied"] == {"news_source": "reuters.com", "time_range": "week"}
    removed = [one["parameter"] for one in hints["suggestedActions"] if "parameter" in one]
    assert removed[:2] == ["news_source", "time_range"]


async def test_an_unknown_session_fails_nothing_and_is_reported(ask):
    results = [await ask("news_search", query="sea otter", sessionId="nobodys") for _ in range(2)]

    assert [one.meta["session"] for one in results] == [{"id": "nobodys", "linked": False}] * 2
    assert [one.meta.get("cached") for one in results] == [None, True]


@pytest.mark.parametrize(
    ("language", "ignored"),
    [("zh-TW", None), ("pt_BR", None), ("de-AT", None), ("sr-Latn", ["language"])],
)
async def test_a_variety_that_is_another_text_is_asked_for_or_said_to_be_ignored(
    ask, internet, language, ignored
):
    found = await ask("news_search", query="sea otter", time_range="year", language=language)

    assert found.structured.get("filtersIgnored") == ignored
    [seen] = internet.requests_to(BRAVE)
    assert params_of(seen)["search_lang"].partition("-")[0] == language[:2]
