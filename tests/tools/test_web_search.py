"""web_search, as its contract has it."""

import json
import re
from urllib.parse import parse_qsl

import pytest

from sourcewright import tools

pytestmark = pytest.mark.anyio

GOOGLE, BRAVE = "www.googleapis.com", "api.search.brave.com"
ONE = {"SEARCH_PROVIDER": "google"}
UTC = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
SCHEMA = tools.discover()["web_search"].listing()["inputSchema"]
ENUMS = {
    "time_range": ["day", "week", "month", "year"],
    "safe": ["off", "medium", "high"],
}


def params_of(seen):
    return dict(parse_qsl(seen.query))


@pytest.fixture
async def ask(asking):
    return await asking(**ONE)


def test_the_arguments_are_those_of_the_contract():
    assert SCHEMA["required"] == ["query"]
    assert SCHEMA["properties"].keys() == {
        *("query", "num_results", "time_range", "safe", "language", "site", "exact_terms"),
        *("exclude_terms", "country", "lens", "provider", "sessionId", "claim"),
    }
    assert SCHEMA["properties"]["num_results"]["default"] == 5
    assert SCHEMA["properties"]["safe"]["default"] == "medium"
    assert SCHEMA["properties"]["query"]["minLength"] == 1
    assert SCHEMA["properties"]["query"]["maxLength"] == 500


@pytest.mark.parametrize(("name", "words"), ENUMS.items())
def test_a_choice_is_published_with_its_words(name, words):
    published = SCHEMA["properties"][name]["enum"]

    assert [word for word in published if word is not None] == words


async def test_an_answer_has_the_fields_of_the_contract_and_no_others(ask):
    answer = (await ask("web_search", query="sea otter", num_results=3)).structured

    assert answer.keys() == {"urls", "query", "resultCount", "results", "trust"}
    assert answer["query"] == "sea otter"
    assert answer["trust"] == "untrusted-external-content"
    assert answer["resultCount"] == len(answer["results"]) == 3
    assert answer["urls"] == [one["url"] for one in answer["results"]]
    for page in answer["results"]:
        assert page.keys() - {"sourceReputation"} == {
            *("title", "url", "snippet", "displayLink", "publishedAt"),
        }
        assert page["url"].startswith(f"https://{page['displayLink']}/")
        assert UTC.fullmatch(page["publishedAt"])


async def test_what_is_not_known_is_left_out_rather_than_null(ask, finds):
    finds("google", "https://www.nobody.example/a")

    [page] = (await ask("web_search", query="tides")).structured["results"]

    assert page == {
        "title": "google https://www.nobody.example/a",
        "url": "https://www.nobody.example/a",
        "snippet": "Slow water turns a wheel.",
        "displayLink": "www.nobody.example",
    }


async def test_a_known_host_has_its_reputation_with_the_basis(ask, finds):
    finds("google", "https://www.nature.com/articles/1")

    [page] = (await ask("web_search", query="tides")).structured["results"]

    assert page["sourceReputation"]["tier"] == "high"
    assert page["sourceReputation"]["basis"]


async def test_the_text_is_the_structured_answer_again(ask):
    result = await ask("web_search", query="sea otter")

    assert json.loads(result.text) == result.structured


async def test_five_results_are_asked_for_where_no_number_is_given(ask, internet):
    await ask("web_search", query="sea otter")

    [seen] = internet.requests_to(GOOGLE)
    assert params_of(seen)["num"] == "5"


async def test_a_whole_number_may_be_written_with_a_point(ask, internet):
    answer = (await ask("web_search", query="sea otter", num_results=3.0)).structured

    [seen] = internet.requests_to(GOOGLE)
    assert params_of(seen)["num"] == "3"
    assert "requestedNumResults" not in answer


@pytest.mark.parametrize(("number", "limit"), [(0, 1), (-3, 1), (11, 10), (10**30, 10)])
async def test_a_number_out_of_range_is_moved_into_it_and_echoed(ask, internet, number, limit):
    answer = (await ask("web_search", query="sea otter", num_results=number)).structured

    [seen] = internet.requests_to(GOOGLE)
    assert params_of(seen)["num"] == str(limit)
    assert answer["requestedNumResults"] == number


async def test_every_filter_reaches_the_engine(ask, internet):
    await ask(
        "web_search",
        query="  sea otter ",
        num_results=2,
        time_range="month",
        safe="off",
        language="de-AT",
        country="UK",
        site="https://Nature.com/",
        exact_terms="kelp forests",
        exclude_terms="zoo",
    )

    [seen] = internet.requests_to(GOOGLE)
    assert params_of(seen) == {
        "cx": "an-engine",
        "q": "sea otter",
        "num": "2",
        "safe": "off",
        "dateRestrict": "m1",
        "lr": "lang_de",
        "cr": "countryUK",
        "siteSearch": "nature.com",
        "siteSearchFilter": "i",
        "exactTerms": "kelp forests",
        "excludeTerms": "zoo",
    }


@pytest.mark.parametrize(
    ("spelling", "host"),
    [
        (" Nature.COM ", "nature.com"),
        ("https://www.nature.com/", "www.nature.com"),
        ("http://nature.com:8080/articles/?page=2#top", "nature.com/articles"),
        ("*.nature.com", "nature.com"),
        (".gov", "gov"),
        ("ac.uk", "ac.uk"),
        ("bücher.example", "xn--bcher-kva.example"),
        ("github.com/topics/", "github.com/topics"),
    ],
)
async def test_a_site_may_be_spelled_as_people_do(ask, internet, spelling, host):
    await ask("web_search", query="sea otter", site=spelling)

    [seen] = internet.requests_to(GOOGLE)
    assert params_of(seen)["siteSearch"] == host


async def test_what_a_client_sends_empty_counts_as_not_sent(ask, internet):
    blanks = dict.fromkeys(["time_range", "safe", "site", "lens", "provider", "sessionId"], "")
    nulls = dict.fromkeys(["num_results", "language", "country", "claim"])

    result = await ask("web_search", query="sea otter", **blanks, **nulls)

    [seen] = internet.requests_to(GOOGLE)
    assert params_of(seen).keys() == {"cx", "q", "num", "safe"}
    assert not result.is_error
    assert "session" not in result.meta


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": ""},
        {"query": "   "},
        {"query": "\x00\x1b\u200b\u202e"},
        {"query": None},
        {"query": "x" * 501},
        {"query": "x", "num_results": "seven"},
        {"query": "x", "num_results": True},
        {"query": "x", "time_range": "hour"},
        {"query": "x", "safe": "moderate"},
        {"query": "x", "language": "deutsch!"},
        {"query": "x", "country": "germany"},
        {"query": "x", "site": "not a host"},
        {"query": "x", "site": "a.example OR site:b.example"},
        {"query": "x", "site": "a.example/x)OR(y"},
        {"query": "x", "site": "http://"},
        {"query": "x", "provider": "y" * 1000},
        {"query": "x", "mood": None},
    ],
)
async def test_arguments_that_cannot_be_meant_are_explained_and_ask_nobody(
    ask, internet, arguments
):
    result = await ask("web_search", **arguments)

    error = result.structured["error"]
    assert result.is_error
    assert (error["kind"], error["retryable"]) == ("validation", False)
    assert list(arguments)[-1] in error["detail"]
    assert len(result.text) < 2000
    assert internet.seen == []


async def test_with_a_claim_every_result_has_a_signal(ask, finds):
    finds("google", "https://a.example/", text="Nobody rows. A wheel turns water into light.")

    answer = await ask("web_search", query="tides", claim="water turns into light")
    unsaid = await ask("web_search", query="tides")

    [page] = answer.structured["results"]
    assert page["claimSignal"] == "A wheel turns water into light."
    assert "claimSignal" not in unsaid.structured["results"][0]


async def test_a_signal_is_empty_where_nothing_is_close_to_the_claim(ask, finds):
    finds("google", "https://a.example/", "https://b.example/", text="")

    result = await ask("web_search", query="tides", claim="water turns into light")

    assert [page["claimSignal"] for page in result.structured["results"]] == ["", ""]


async def test_nothing_found_says_what_was_applied_and_what_to_try(asking):
    ask = await asking(SEARCH_ROUTING="google")

    result = await ask(
        "web_search", query="xyzzy plugh quux", site="nature.com", time_range="day", country="de"
    )

    answer, hints = result.structured, result.structured["hints"]
    assert not result.is_error
    assert (answer["urls"], answer["results"], answer["resultCount"]) == ([], [], 0)
    assert hints["reason"] == "filters_too_restrictive"
    assert hints["filtersApplied"] == {"site": "nature.com", "time_range": "day", "country": "de"}
    assert hints["providersAttempted"] == ["google"]
    assert hints["providersFailed"] == {}
    steps = [(one["action"], one.get("parameter")) for one in hints["suggestedActions"]]
    assert steps[0] == ("remove_filter", "site")
    assert ("try_different_provider", "provider") in steps
    assert hints["epistemicWarning"]


@pytest.mark.promise("absence.needs-every-source")
async def test_nothing_found_names_the_engines_that_were_not_asked_and_what_they_need(asking):
    ask = await asking(SEARCH_ROUTING="google")

    hints = (await ask("web_search", query="xyzzy plugh quux")).structured["hints"]

    warning = hints["epistemicWarning"]
    assert "does not prove that nothing exists" in warning
    assert "brave (available)" in warning
    assert "serper (set SERPER_API_KEY)" in warning
    assert "google" not in warning


async def test_nothing_found_without_filters_is_no_match(ask):
    hints = (await ask("web_search", query="xyzzy plugh quux")).structured["hints"]

    assert (hints["reason"], hints["filtersApplied"]) == ("no_match", {})


async def test_engines_are_suggested_in_the_order_in_which_they_are_asked(asking):
    ask = await asking(SEARCH_ROUTING="google")

    hints = (await ask("web_search", query="xyzzy plugh quux")).structured["hints"]

    assert hints["suggestedActions"][0]["value"] == "brave"


async def test_an_engine_that_is_down_is_not_suggested(asking, internet):
    ask = await asking(SEARCH_ROUTING="google")
    internet.breaks(BRAVE, status=429)
    await ask("web_search", query="sea otter", provider="brave")

    hints = (await ask("web_search", query="xyzzy plugh quux")).structured["hints"]

    suggested = {one.get("value") for one in hints["suggestedActions"]}
    assert "brave" not in suggested


async def test_a_lens_wins_over_a_site_which_is_then_said_to_be_ignored(ask, internet):
    result = await ask("web_search", query="sea otter", lens="news", site="nature.com")

    assert result.structured["filtersIgnored"] == ["site"]
    assert result.meta["filtersIgnored"] == ["site"]
    assert all("nature.com" not in seen.query for seen in internet.requests_to(GOOGLE))


async def test_a_site_holds_whatever_the_engine_lists(ask, finds):
    elsewhere = ["https://nature.com.evil.example/", "https://notnature.com/x"]
    finds("google", *elsewhere, "https://www.nature.com/a", "https://nature.com/b")

    answer = (await ask("web_search", query="tides", site="nature.com")).structured

    assert answer["urls"] == ["https://www.nature.com/a", "https://nature.com/b"]
    assert "filtersIgnored" not in answer


async def test_one_page_found_twice_is_told_once(ask, finds):
    page = "https://a.example/x"
    finds("google", page, f"{page}?utm_source=feed", f"{page}#part", "https://a.example/y")

    answer = (await ask("web_search", query="tides")).structured

    assert answer["urls"] == [page, "https://a.example/y"]


@pytest.mark.parametrize("state", ["fresh", "cached"])
async def test_an_unknown_session_fails_nothing_and_is_reported(ask, state):
    if state == "cached":
        await ask("web_search", query="sea otter")

    result = await ask("web_search", query="sea otter", sessionId="nobody-knows-it")

    assert result.meta["cached"] is (state == "cached")
    assert result.meta["session"] == {"id": "nobody-knows-it", "linked": False}
    assert result.structured["sessionNote"] == (
        "Session not found or expired. Sessions last 4 hours from last activity."
    )
    assert json.loads(result.text) == result.structured
    assert result.structured["resultCount"] == 5


async def test_without_a_session_nothing_is_said_of_one(ask):
    assert "session" not in (await ask("web_search", query="sea otter")).meta
