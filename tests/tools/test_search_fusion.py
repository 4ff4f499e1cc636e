"""Several engines queried at once, and their results fused into one list."""

from functools import partial

import anyio
import pytest
from anyio import to_thread

pytestmark = pytest.mark.anyio

GOOGLE, BRAVE, SERPER = "www.googleapis.com", "api.search.brave.com", "google.serper.dev"
HOSTS = (GOOGLE, BRAVE)
FUSED = {"SEARCH_ROUTING": "google,brave", "SEARCH_FUSION": "2"}
A, B, C, D = (f"https://{name}.example/" for name in "abcd")


async def test_answers_are_merged_by_reciprocal_rank(asking, finds):
    ask = await asking(**FUSED)
    finds("google", A, B, C)
    finds("brave", D, C)

    answer = (await ask("web_search", query="tides")).structured

    # Third and second weigh more than one first; equal ranks keep the order of the engines.
    assert answer["urls"] == [C, A, D, B]


async def test_articles_are_merged_in_the_order_that_was_asked_for(asking):
    ask = await asking(**{**FUSED, "SERPER_API_KEY": "k", "SEARCH_ROUTING": "google,serper"})
    newest = {"sort_by": "date", "time_range": "year", "num_results": 8}

    result = await ask("news_search", query="sea otter", **newest)

    dates = [one["publishedAt"] for one in result.structured["articles"]]
    assert len(set(map(tuple, result.meta["fusion"].values()))) > 1
    assert dates == sorted(dates, reverse=True)


async def test_one_page_under_two_addresses_is_one_and_both_are_its_finders(asking, finds):
    ask = await asking(**FUSED)
    finds("google", A)
    finds("brave", "http://www.a.example?utm_source=feed#top", B)

    result = await ask("web_search", query="tides")

    assert result.structured["urls"] == [A, B]
    assert result.meta["fusion"] == {A: ["google", "brave"], B: ["brave"]}
    assert "fusion" not in result.text


async def test_finders_are_told_of_what_is_shown_alone(asking, finds):
    ask = await asking(**FUSED)
    finds("google", A, B)
    finds("brave", C, D)

    result = await ask("web_search", query="tides", num_results=2)

    assert result.structured["urls"] == [A, C]
    assert result.meta["fusion"].keys() == {A, C}


@pytest.mark.parametrize("down", [GOOGLE, BRAVE])
async def test_one_that_fails_does_not_spoil_the_others_answer(asking, internet, down):
    ask = await asking(**FUSED)
    internet.breaks(down, status=503)

    result = await ask("web_search", query="sea otter")

    [left] = {"google", "brave"} - {{GOOGLE: "google", BRAVE: "brave"}[down]}
    assert result.structured["resultCount"] == 5
    assert result.meta["routing"]["provider_used"] == left
    assert result.meta["routing"]["providers_attempted"] == ["google", "brave"]
    assert set(map(tuple, result.meta["fusion"].values())) == {(left,)}


async def test_when_all_of_them_fail_the_others_are_asked_in_turn(asking, internet):
    more = {"SERPER_API_KEY": "k", "SEARCH_ROUTING": "google,brave,serper"}
    ask = await asking(**{**FUSED, **more})
    internet.breaks(GOOGLE, status=403)
    internet.breaks(BRAVE, status=403)

    result = await ask("web_search", query="sea otter")

    assert result.meta["routing"]["provider_used"] == "serper"
    assert result.meta["routing"]["providers_attempted"] == ["google", "brave", "serper"]
    assert "fusion" not in result.meta


@pytest.mark.promise("wire.cancelling-stops-the-work")
async def test_they_are_asked_at_once_and_left_with_the_caller(asking, internet):
    ask = await asking(**FUSED)
    for host in HOSTS:
        internet.delays(host, 60)

    async with anyio.create_task_group() as calls:
        calls.start_soon(partial(ask, "web_search", query="sea otter"))
        queries = [await to_thread.run_sync(internet.waits_for_request, one) for one in HOSTS]
        calls.cancel_scope.cancel()

    assert queries == [True, True]
    assert [internet.waits_for_hang_up(one) for one in HOSTS] == [True, True]


async def test_an_engine_that_is_asked_for_is_asked_alone(asking, internet):
    ask = await asking(**FUSED)

    result = await ask("web_search", query="sea otter", provider="brave")

    assert [seen.host for seen in internet.seen] == [BRAVE]
    assert "fusion" not in result.meta


async def test_a_filter_that_one_of_them_ignored_was_not_honoured(asking):
    ask = await asking(**FUSED)

    result = await ask("image_search", query="sea otter", size="large")

    assert result.structured["filtersIgnored"] == ["size"]


async def test_an_answer_of_which_a_part_was_kept_is_as_old_as_that_part(asking, internet):
    ask = await asking(**FUSED)
    await ask("web_search", query="sea otter", provider="google")
    internet.forget()

    result = await ask("web_search", query="sea otter")

    assert [seen.host for seen in internet.seen] == [BRAVE]
    assert result.meta["cached"] is True


async def test_one_that_finds_nothing_leaves_the_answer_to_the_other(asking, internet):
    ask = await asking(**{**FUSED, "SEARCH_ROUTING": "brave,google"})
    internet.says(BRAVE, {"type": "images", "results": []})

    result = await ask("image_search", query="sea otter", size="large")

    assert result.structured["resultCount"] == 5
    assert "filtersIgnored" not in result.structured  # which Brave alone would have ignored
    assert result.meta["routing"]["provider_used"] == "google"
    assert result.meta["routing"]["fallback"] is True
