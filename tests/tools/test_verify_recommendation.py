"""verify_recommendation, through the tool, in the simulated world."""

import asyncio

import pytest

pytestmark = pytest.mark.anyio

BRAVE = "api.search.brave.com"
ROUTED = {"SEARCH_ROUTING": "brave"}
LIVE, DEAD = "https://signposts.example/article/1", "https://museum.faro.example/nothing-here"
CLAIM = "best harbour bells for small towns"


def hit(url, title, text):
    return {"type": "search_result", "url": url, "title": title, "description": text}


def brave(*hits):
    web = {"type": "search", "results": list(hits)}
    return {"type": "search", "query": {"original": "bells"}, "web": web}


def heads(internet):
    return [one.method for one in internet.requests_to("signposts.example")].count("HEAD")


@pytest.fixture
async def ask(asking):
    return await asking(**ROUTED)


@pytest.fixture
def audit(ask):
    async def run(*items, **arguments):
        given = {"recommendations": list(items), **arguments}
        return (await ask("verify_recommendation", **given)).structured

    return run


async def test_an_item_without_anything_to_check_has_no_flags(audit, internet):
    answer = await audit({"title": "Kelpify"})

    [item] = answer["recommendations"]
    assert answer["itemCount"] == 1
    assert item == {
        "title": "Kelpify",
        "flags": [],
        "reasons": [],
        "trust": "untrusted-external-content",
    }
    assert "aggregateFlags" not in answer
    assert internet.seen == []


@pytest.mark.parametrize("name", ["authorBio", "author_bio"])
async def test_a_stake_of_the_author_is_flagged_with_its_words(audit, name):
    item = {"title": "Kelpify", "author": "Jane", name: "Jane is an engineer at Kelpify."}

    [seen] = (await audit(item))["recommendations"]

    assert seen["conflictOfInterest"] == {
        "type": "employment",
        "entity": "Kelpify",
        "evidence": "Jane is an engineer at Kelpify",
    }
    assert seen["flags"] == ["conflict_of_interest"]
    assert "engineer at Kelpify" in seen["reasons"][0]
    assert seen["author"] == "Jane"


async def test_links_are_checked_and_dead_ones_are_flagged(audit):
    live, dead = (await audit({"title": "A", "url": LIVE}, {"title": "B", "url": DEAD}))[
        "recommendations"
    ]

    assert (live["linkLive"], live["httpStatus"]) == (True, 200)
    assert (dead["linkLive"], dead["httpStatus"]) == (False, 404)
    assert live["flags"] == ["unknown_reputation"]
    assert dead["flags"] == ["dead_link", "unknown_reputation"]
    assert len(dead["reasons"]) == 2


async def test_a_link_that_cannot_be_checked_is_neither_live_nor_dead(audit, internet):
    internet.breaks("signposts.example", status=500)

    [item] = (await audit({"title": "A", "url": LIVE}))["recommendations"]

    assert "linkLive" not in item
    assert "dead_link" not in item["flags"]


async def test_a_private_address_is_asked_by_nobody(audit, internet):
    [item] = (await audit({"title": "A", "url": "http://127.0.0.1/admin"}))["recommendations"]

    assert (item["httpStatus"], "linkLive" in item) == (0, False)
    assert "not requested" in item["linkNote"]
    assert internet.seen == []


async def test_liveness_is_remembered_for_an_hour(audit, internet):
    await audit({"title": "A", "url": LIVE})
    outcome = heads(internet)

    await audit({"title": "A", "url": LIVE})

    assert outcome == heads(internet) == 1


async def test_a_link_that_hangs_delays_the_page_of_no_other_item(ask, internet):
    internet.delays("museum.faro.example", 60)
    items = [{"title": "A", "url": DEAD}, {"title": "B", "url": LIVE}]

    audit = asyncio.create_task(ask("verify_recommendation", recommendations=items))

    assert await asyncio.to_thread(internet.waits_for_request, "signposts.example", 2)
    assert internet.hung_up("museum.faro.example") == 0
    audit.cancel()
    await asyncio.wait([audit])  # or what it has opened is closed in a later test


async def test_a_known_host_shows_its_reputation(audit):
    [item] = (await audit({"title": "A", "url": "https://www.reuters.com/nothing"}))[
        "recommendations"
    ]

    assert item["domainReputation"]["tier"] == "high"
    assert "unknown_reputation" not in item["flags"]


async def test_a_page_that_ranks_its_own_brand_first_is_pointed_out(audit, internet):
    text = "<p>Ten bells compared at length for towns on the coast.</p>" * 12
    page = f"<html><body><article><h1>Best bells</h1>{text}<h2>1. Signposts</h2>{text}</article>"
    internet.says("signposts.example", page.encode(), content_type="text/html")

    [item] = (await audit({"title": "Bells", "url": LIVE}))["recommendations"]

    assert item["selfPromotionSignal"]["brand"] == "signposts"


async def test_results_that_agree_deny_or_are_silent_are_counted_apart(audit, internet):
    internet.says(
        BRAVE,
        brave(
            hit(
                "https://www.reuters.com/1",
                "Kelpify has the best harbour bells",
                "For small towns, the bells of Kelpify are the best for any harbour.",
            ),
            hit("https://www.reuters.com/2", "Rain", "It rained in the mountains."),
            hit("https://www.bbc.co.uk/3", "Kelpify", "Kelpify opened an office in a town."),
        ),
    )

    answer = await audit({"title": "1. Kelpify"}, claim=CLAIM)

    [item] = answer["recommendations"]
    news = next(one for one in item["corroborationSearches"] if one["lens"] == "news")
    assert {one["lens"] for one in item["corroborationSearches"]} == {"news", "tech"}
    assert news["query"] == f"Kelpify {CLAIM}"
    assert (news["resultCount"], news["agreeCount"]) == (len(news["topResults"]), 1)
    assert news["disagreeCount"] + news["silentCount"] == news["resultCount"] - 1
    assert (answer["aggregateFlags"], answer["corroboration"]) == ([], "complete")


async def test_when_nothing_agrees_the_list_is_flagged(audit, internet):
    internet.says(BRAVE, brave())

    answer = await audit({"title": "Kelpify"}, claim=CLAIM)

    assert answer["aggregateFlags"] == ["no_independent_corroboration"]


async def test_the_site_of_the_recommendation_is_no_independent_source(audit, internet):
    text = "For small towns, the bells of Kelpify are the best for any harbour."
    internet.says(BRAVE, brave(hit("https://www.reuters.com/1", f"Kelpify: {CLAIM}", text)))

    answer = await audit({"title": "Kelpify", "url": "https://www.reuters.com/own"}, claim=CLAIM)

    assert answer["aggregateFlags"] == ["no_independent_corroboration"]


@pytest.mark.parametrize("status", [429, 500, 403])
async def test_searches_that_fail_are_named_and_corroborate_nothing(audit, internet, status):
    internet.breaks(BRAVE, status=status)

    answer = await audit({"title": "Kelpify"}, claim=CLAIM)

    [item] = answer["recommendations"]
    assert "corroborationSearches" not in item
    assert set(item["corroborationFailed"]) == {"news", "tech"}
    assert (answer["aggregateFlags"], answer["corroboration"]) == ([], "incomplete")


async def test_claims_about_companies_are_also_looked_up_in_records(audit, internet):
    internet.says(BRAVE, brave())

    answer = await audit({"title": "Kelpify"}, claim="the company was never fined")

    lenses = [one["lens"] for one in answer["recommendations"][0]["corroborationSearches"]]
    assert "investigative_records" in lenses


async def test_the_number_of_results_is_adjusted(audit, internet):
    internet.says(
        BRAVE, brave(*(hit(f"https://www.reuters.com/{n}", "A", "B") for n in range(20)))
    )

    answer = await audit({"title": "Kelpify"}, claim=CLAIM, numCorroborationResults=50)

    news = answer["recommendations"][0]["corroborationSearches"][0]
    assert news["resultCount"] == 10


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"recommendations": []},
        {"recommendations": "Kelpify"},
        {"recommendations": [{"url": LIVE}]},
        {"recommendations": [{"title": " "}]},
        {"recommendations": [{"title": "A"}] * 101},
        {"recommendations": [{"title": "A"}], "numCorroborationResults": "many"},
        {"recommendations": [{"title": "A"}], "surprise": 1},
    ],
)
async def test_bad_input_is_an_error_that_asks_nobody(ask, internet, arguments):
    result = await ask("verify_recommendation", **arguments)

    assert result.is_error
    assert result.structured["error"]["kind"] == "validation"
    assert internet.seen == []


async def test_a_page_about_something_else_is_silent_and_denies_nothing(answer, internet):
    pages = [
        {
            "title": "Gardening in spring",
            "url": "https://www.reuters.com/gardening",
            "description": "Roses should not be pruned before the last frost.",
        },
        {
            "title": "Meridian Turbine is not the quietest",
            "url": "https://www.bbc.com/turbine",
            "description": "The Meridian Turbine is not the quietest turbine, tests show.",
        },
    ]
    listing = {"type": "search", "query": {"original": "x"}, "web": {"results": pages}}
    internet.says("api.search.brave.com", listing)

    result = await answer(
        "verify_recommendation",
        {"recommendations": [{"title": "Meridian Turbine"}], "claim": "the quietest turbine"},
        BRAVE_API_KEY="k",
        SEARCH_PROVIDER="brave",
    )

    searches = result.structured["recommendations"][0]["corroborationSearches"]
    found = {hit["url"]: hit["agreement"] for one in searches for hit in one["topResults"]}
    assert found["https://www.reuters.com/gardening"] == "silent"
    assert found["https://www.bbc.com/turbine"] == "disagree"
