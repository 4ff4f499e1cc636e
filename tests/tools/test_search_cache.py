"""The cache of searches: what is stored, for how long, and what is requested again."""

import asyncio
import time

import pytest

from sourcewright import tools
from sourcewright.world.internet import World

pytestmark = pytest.mark.anyio

GOOGLE, BRAVE, SERPER = "www.googleapis.com", "api.search.brave.com", "google.serper.dev"
ONE = {"SEARCH_PROVIDER": "google"}
LIFE = {"web_search": 1800, "image_search": 1800, "news_search": 900}
FRESHNESS = {"cached", "ageSeconds", "maxAgeSeconds", "freshness"}
COMMON = {
    "query": "rye bread",
    "num_results": 3,
    "language": "de",
    "country": "gb",
    "lens": "science",
    "provider": "brave",
    "safe": "off",
}
OTHERS = {
    "web_search": {
        "time_range": "year",
        "site": "nature.com",
        "exact_terms": "kelp",
        "exclude_terms": "zoo",
    },
    "image_search": {
        "size": "large",
        "type": "photo",
        "color_type": "gray",
        "dominant_color": "teal",
        "file_type": "png",
    },
    "news_search": {"time_range": "year", "sort_by": "date", "news_source": "bbc.co.uk"},
}
"""A value for each argument that the basic question does not have."""
BESIDE = {"sessionId", "claim"}
"""What is done with an answer afterwards."""


class Clock:
    """The machine's time, moved forward by the test."""

    ahead = 0.0
    monotonic = staticmethod(time.monotonic)
    sleep = staticmethod(asyncio.sleep)

    def now(self):
        return time.time() + self.ahead


@pytest.mark.parametrize("tool", LIFE)
async def test_the_same_question_twice_is_asked_once(asking, internet, tool):
    ask = await asking(**ONE)

    first = await ask(tool, query="sea otter")
    second = await ask(tool, query="sea otter")

    assert len(internet.seen) == 1
    assert second.structured == first.structured


async def test_only_pages_tell_how_fresh_they_are_when_they_are_new(asking):
    ask = await asking(**ONE)

    answer = {tool: (await ask(tool, query="sea otter")).meta for tool in LIFE}

    fresh = {"cached": False, "ageSeconds": 0, "maxAgeSeconds": 1800, "freshness": "fresh"}
    assert answer == {
        "web_search": {**fresh, "sandbox": True},
        "image_search": {"sandbox": True},
        "news_search": {"sandbox": True},
    }


@pytest.mark.parametrize(("tool", "life"), LIFE.items())
@pytest.mark.parametrize(("share", "word"), [(0.25, "fresh"), (0.6, "aging"), (0.9, "expiring")])
async def test_an_answer_that_is_given_again_tells_its_age(asking, tool, life, share, word):
    clock = Clock()
    ask = await asking(clock, **ONE)
    await ask(tool, query="sea otter")
    clock.ahead = life * share

    meta = (await ask(tool, query="sea otter")).meta

    assert meta.keys() == {*FRESHNESS, "sandbox"}
    assert meta["cached"] is True
    assert life * share <= meta["ageSeconds"] < life * share + 60
    assert (meta["maxAgeSeconds"], meta["freshness"]) == (life, word)


@pytest.mark.parametrize(("tool", "life"), LIFE.items())
async def test_an_answer_is_asked_for_again_when_its_time_is_over(asking, internet, tool, life):
    clock = Clock()
    ask = await asking(clock, **ONE)
    await ask(tool, query="sea otter")
    clock.ahead = life + 1

    await ask(tool, query="sea otter")

    assert len(internet.seen) == 2


@pytest.mark.parametrize("tool", LIFE)
async def test_every_argument_makes_another_question_but_for_what_comes_after(
    asking, internet, tool
):
    schema = tools.discover()[tool].listing()["inputSchema"]["properties"]
    ask = await asking(**ONE)
    others = {**COMMON, **OTHERS[tool]}
    requests = set()

    for name in schema:
        internet.forget()
        arguments = {"query": "sea otter", name: others.get(name, "water")}
        await ask(tool, query="sea otter")
        before = len(internet.seen)
        await ask(tool, **arguments)
        requests |= {name} if len(internet.seen) > before else set()

    assert requests == schema.keys() - BESIDE
    assert others.keys() == requests


@pytest.mark.parametrize("tool", LIFE)
async def test_nothing_found_is_asked_again(asking, internet, tool):
    ask = await asking(**ONE)

    results = [await ask(tool, query="xyzzy plugh quux") for _ in range(2)]

    assert [one.structured["resultCount"] for one in results] == [0, 0]
    assert len(internet.seen) == 2


async def test_a_failure_is_asked_again(asking, internet):
    ask = await asking(**ONE)
    internet.breaks(GOOGLE, status=403, times=1)

    failed = await ask("web_search", query="sea otter")
    answered = await ask("web_search", query="sea otter")

    assert failed.is_error
    assert answered.meta["cached"] is False
    assert answered.structured["resultCount"] == 5


@pytest.mark.promise("pace.same-question-is-asked-once")
async def test_identical_calls_in_flight_share_one_request_that_costs(asking, internet):
    """Serper is asked by POST, which the network never shares."""
    ask = await asking(SERPER_API_KEY="an-invented-key", SEARCH_PROVIDER="serper")
    internet.delays(SERPER, 0.3)
    claims = [{"claim": f"otters eat {number} urchins"} for number in range(6)]

    results = await asyncio.gather(
        *(ask("web_search", query="sea otter", **claim) for claim in claims)
    )

    assert len(internet.seen) == 1
    assert {one.structured["resultCount"] for one in results} == {5}


async def test_an_answer_outlives_the_process_that_asked_for_it(asking, internet):
    before = await (await asking(**ONE))("web_search", query="sea otter")

    after = await (await asking(**ONE))("web_search", query="sea otter")

    assert len(internet.seen) == 1
    assert after.meta["cached"] is True
    assert after.structured == before.structured


@pytest.mark.parametrize(
    ("change", "requests"),
    [
        ({"GOOGLE_CUSTOM_SEARCH_ID": "another-engine"}, 2),
        ({"GOOGLE_CUSTOM_SEARCH_API_KEY": "a-renewed-key"}, 1),
        ({"SOURCEWRIGHT_CACHE": "0"}, 2),
    ],
)
async def test_what_was_set_otherwise_counts_where_it_can_change_the_answer(
    asking, internet, change, requests
):
    await (await asking(**ONE))("web_search", query="sea otter")

    await (await asking(**{**ONE, **change}))("web_search", query="sea otter")

    assert len(internet.seen) == requests


async def test_without_a_cache_everything_is_asked_again(asking, internet):
    ask = await asking(**ONE, SOURCEWRIGHT_CACHE="0")

    results = [await ask("web_search", query="sea otter") for _ in range(2)]

    assert len(internet.seen) == 2
    assert [one.meta["cached"] for one in results] == [False, False]


async def test_what_one_world_invented_is_never_given_in_another(asking):
    await (await asking(**ONE))("web_search", query="sea otter")

    with World() as other:
        ask = await asking(**ONE, SOURCEWRIGHT_SANDBOX_URL=other.url)
        result = await ask("web_search", query="sea otter")

        assert len(other.seen) == 1
    assert result.meta["cached"] is False


async def test_what_is_kept_is_given_while_the_engine_is_down(asking, internet):
    ask = await asking(SEARCH_ROUTING="google,brave")
    internet.breaks(GOOGLE, status=403)
    await ask("web_search", query="sea otter")

    routing = (await ask("web_search", query="sea otter")).meta["routing"]

    assert len(internet.requests_to(BRAVE)) == 1
    assert routing["cache_hit"] is True
    assert (routing["providers_attempted"], routing["fallback"]) == (["google"], True)
    assert "provider_used" not in routing
