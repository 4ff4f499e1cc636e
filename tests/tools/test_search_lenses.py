"""Searches through lenses."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest

from sourcewright.world.sites.google import NEWS_ENGINE

pytestmark = pytest.mark.anyio

GOOGLE, BRAVE = "www.googleapis.com", "api.search.brave.com"
ROUTED = {"SEARCH_ROUTING": "brave"}
NO_GOOGLE = {**ROUTED, "GOOGLE_CUSTOM_SEARCH_API_KEY": ""}
FEW = ["nature.com", "museum.faro.example"]
MANY = [*FEW, *(f"host-{number}.example" for number in range(20)), "blog.lakeside.example"]
TOOLS = ["web_search", "image_search", "news_search"]


def params_of(seen):
    return dict(parse_qsl(seen.query))


@pytest.fixture
def through(asking, tmp_path):
    """Starts an application that has lenses of the operator's."""

    async def start(changes=NO_GOOGLE, **lenses):
        folder = tmp_path / "lenses"
        folder.mkdir()
        for name, lens in lenses.items():
            message = {"name": name, "description": "An invented lens", **lens}
            (folder / f"{name}.json").write_text(json.dumps(message), encoding="utf-8")
        return await asking(**changes, CUSTOM_LENSES_PATH=str(folder))

    return start


def pages_of(result):
    answer = result.structured
    pages = answer.get("results") or answer.get("images") or answer.get("articles")
    return [page.get("url") or page["contextLink"] for page in pages]


@pytest.mark.parametrize("tool", TOOLS)
async def test_a_lens_shows_its_hosts_alone_whatever_is_searched(through, tool):
    ask = await through(few={"domains": FEW})
    wide = {"num_results": 10} | ({"time_range": "year"} if tool == "news_search" else {})

    result = await ask(tool, query="sea otter rye bread glacier", lens="few", **wide)

    hosts = {urlsplit(page).hostname for page in pages_of(result)}
    assert hosts
    assert hosts <= {"www.nature.com", "museum.faro.example"}
    assert "filtersIgnored" not in result.structured


async def test_more_hosts_than_ten_are_searched_in_parts_that_leave_none_out(through, internet):
    ask = await through(many={"domains": MANY})

    result = await ask("web_search", query="sea otter rye bread", lens="many", num_results=10)

    queries = [params_of(seen)["q"] for seen in internet.requests_to(BRAVE)]
    named = [word.strip("()") for query in queries for word in query.split() if "site:" in word]
    assert len(queries) == 3
    assert max(query.count("site:") for query in queries) == 10
    assert sorted(named) == sorted(f"site:{host}" for host in MANY)
    hosts = {urlsplit(page).hostname for page in pages_of(result)}
    assert {"www.nature.com", "blog.lakeside.example"} <= hosts


async def test_parts_are_merged_in_the_order_that_was_asked_for(through):
    ask = await through(ROUTED, many={"domains": MANY})
    newest = {"sort_by": "date", "time_range": "year", "num_results": 10, "provider": "google"}

    result = await ask("news_search", query="sea otter rye bread glacier", lens="many", **newest)

    articles = result.structured["articles"]
    dates = [one["publishedAt"] for one in articles]
    assert len({urlsplit(one["url"]).hostname for one in articles}) > 1
    assert dates == sorted(dates, reverse=True)


async def test_what_one_part_lists_twice_is_told_once_and_no_more_than_asked(through, finds):
    ask = await through(many={"domains": MANY})
    finds("brave", "https://nature.com/a", "https://www.nature.com/a", "https://nature.com/b")

    answer = (await ask("web_search", query="tides", lens="many", num_results=1)).structured

    assert answer["urls"] == ["https://nature.com/a"]


async def test_a_part_that_fails_is_no_part_that_found_nothing(through, internet):
    ask = await through(many={"domains": MANY})
    internet.breaks(BRAVE, status=403, times=1)

    result = await ask("web_search", query="sea otter", lens="many")

    assert result.is_error
    assert result.structured["error"]["provider"] == "brave"


async def test_hits_elsewhere_are_left_out(through, finds):
    ask = await through(few={"domains": ["nature.com/articles"]})
    good = "https://www.nature.com/articles/1"
    finds("brave", "https://elsewhere.example/", "https://nature.com/other", good)

    assert (await ask("web_search", query="tides", lens="few")).structured["urls"] == [good]


async def test_an_engine_that_knows_no_sites_is_held_to_them_all_the_same(asking):
    ask = await asking()
    one = {"query": "sea otter rye bread glacier", "provider": "hackernews", "num_results": 10}

    everywhere = await ask("web_search", **one)
    there = await ask("web_search", **one, site="nature.com")

    assert len({urlsplit(page).hostname for page in pages_of(everywhere)}) > 1
    assert {urlsplit(page).hostname for page in pages_of(there)} == {"www.nature.com"}
    assert "site" not in there.structured.get("filtersIgnored", [])


async def test_nothing_left_by_an_engine_that_knows_no_sites_is_told_as_such(asking):
    ask = await asking()
    one = {"query": "sea otter", "provider": "hackernews"}

    answer = (await ask("web_search", **one, site="nobody.example")).structured

    assert answer["results"] == []
    assert answer["filtersIgnored"] == ["site"]
    assert answer["hints"]["filtersApplied"] == {"site": "nobody.example"}


async def test_nothing_on_a_lens_is_nothing_found_and_the_lens_is_named(through, finds):
    ask = await through(few={"domains": FEW})
    finds("brave", "https://elsewhere.example/")

    answer = (await ask("web_search", query="tides", lens="few")).structured

    assert answer["results"] == []
    assert answer["hints"]["filtersApplied"] == {"lens": "few"}


@pytest.mark.parametrize("tool", TOOLS)
async def test_an_unknown_lens_is_answered_with_those_that_there_are(through, internet, tool):
    ask = await through(mine={"domains": FEW})

    error = (await ask(tool, query="x", lens="theirs")).structured["error"]

    assert error["kind"] == "validation"
    assert all(name in error["detail"] for name in ("theirs", "mine", "academic", "medical"))
    assert internet.seen == []


async def test_a_lens_is_known_by_its_name_in_any_case(through):
    ask = await through(few={"domains": FEW})

    assert not (await ask("web_search", query="sea otter", lens=" Few ")).is_error


@pytest.mark.parametrize("tool", TOOLS)
async def test_an_engine_of_its_own_is_really_asked(through, internet, tool):
    ask = await through(ROUTED, own={"cx": NEWS_ENGINE})

    await ask(tool, query="sea otter", lens="own")

    [seen] = internet.seen
    assert seen.host == GOOGLE
    assert params_of(seen)["cx"] == NEWS_ENGINE
    assert "site:" not in params_of(seen)["q"]


async def test_a_lens_that_is_an_engine_needs_google(through, internet):
    ask = await through(own={"cx": NEWS_ENGINE})

    error = (await ask("web_search", query="x", lens="own")).structured["error"]

    assert (error["kind"], error["suggestedAction"]) == ("config", "check_api_key")
    assert "GOOGLE_CUSTOM_SEARCH_API_KEY" in error["detail"]
    assert internet.seen == []


async def test_a_lens_that_is_an_engine_cannot_be_looked_through_with_another(through, internet):
    ask = await through(ROUTED, own={"cx": NEWS_ENGINE})

    error = (await ask("web_search", query="x", lens="own", provider="brave")).structured["error"]

    assert error["kind"] == "validation"
    assert "google" in error["detail"]
    assert internet.seen == []


GOGGLE = "https://goggles.example/tides.goggle"


@pytest.mark.parametrize("tool", ["web_search", "news_search"])
async def test_a_goggle_goes_to_brave_which_ranks_by_it(through, internet, tool):
    ask = await through({"SEARCH_ROUTING": "google,brave"}, own={"goggle": GOGGLE})
    plain = await ask(tool, query="sea otter", provider="brave", num_results=10)

    ranked = await ask(tool, query="sea otter", lens="own", num_results=10)

    before, after = map(params_of, internet.requests_to(BRAVE))
    assert internet.requests_to(GOOGLE) == []
    assert (before.get("goggles"), after["goggles"]) == (None, GOGGLE)
    assert "site:" not in after["q"]
    assert pages_of(ranked) != pages_of(plain)
    assert sorted(pages_of(ranked)) == sorted(pages_of(plain))


async def test_a_goggle_ranks_what_the_hosts_of_its_lens_have(through, internet):
    ask = await through(own={"goggle": GOGGLE, "domains": FEW})

    result = await ask("web_search", query="sea otter rye bread", lens="own")
    pictures = await ask("image_search", query="sea otter rye bread", lens="own")

    ranked, unranked = map(params_of, internet.requests_to(BRAVE))
    assert ranked["goggles"] == GOGGLE
    assert "site:nature.com" in ranked["q"]
    assert "goggles" not in unranked
    assert pages_of(result)
    assert not pictures.is_error


@pytest.mark.parametrize(
    ("tool", "wish"), [("web_search", {"provider": "google"}), ("image_search", {})]
)
async def test_a_lens_that_is_a_goggle_needs_brave_and_knows_no_pictures(
    through, internet, tool, wish
):
    ask = await through(ROUTED, own={"goggle": GOGGLE})

    error = (await ask(tool, query="x", lens="own", **wish)).structured["error"]

    assert error["kind"] == "validation"
    assert "brave" in error["detail"]
    assert internet.seen == []


async def test_a_goggle_without_a_key_for_brave_says_which_one(through, internet):
    ask = await through({"BRAVE_API_KEY": ""}, own={"goggle": GOGGLE})

    error = (await ask("web_search", query="x", lens="own")).structured["error"]

    assert error["kind"] == "config"
    assert "BRAVE_API_KEY" in error["detail"]
    assert internet.seen == []


@pytest.mark.parametrize(
    ("changes", "wish"),
    [(NO_GOOGLE, {}), (ROUTED, {"provider": "brave"})],
    ids=["no google", "brave"],
)
async def test_the_hosts_of_a_lens_serve_where_its_engine_is_not_asked(
    through, internet, changes, wish
):
    ask = await through(changes, own={"cx": NEWS_ENGINE, "domains": FEW})

    result = await ask("web_search", query="sea otter rye bread", lens="own", **wish)

    assert {urlsplit(page).hostname for page in pages_of(result)} <= {"www.nature.com", FEW[1]}
    assert {seen.host for seen in internet.seen} == {BRAVE}
