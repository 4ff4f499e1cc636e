"""image_search, as its contract has it."""

from typing import get_args
from urllib.parse import parse_qsl

import pytest

from sourcewright import tools
from sourcewright.domain.web import queries

pytestmark = pytest.mark.anyio

GOOGLE, BRAVE = "www.googleapis.com", "api.search.brave.com"
ONE = {"SEARCH_PROVIDER": "google"}
LOOKS = {
    "size": "huge icon large medium small xlarge xxlarge",
    "type": "clipart face lineart stock photo animated",
    "color_type": "color gray mono trans",
    "dominant_color": "black blue brown gray green orange pink purple red teal white yellow",
    "file_type": "jpg gif png bmp svg webp",
}
FILTERS = {
    "size": "large",
    "type": "photo",
    "color_type": "gray",
    "dominant_color": "teal",
    "file_type": "jpg",
}
SCHEMA = tools.discover()["image_search"].listing()["inputSchema"]


def params_of(seen):
    return dict(parse_qsl(seen.query))


def test_the_arguments_are_those_of_the_contract_and_the_lens_and_session_of_all_searches():
    assert SCHEMA["required"] == ["query"]
    assert SCHEMA["properties"].keys() == {
        *("query", "num_results", "safe", "country", "language", "provider"),
        *("lens", "sessionId", *LOOKS),
    }
    assert SCHEMA["properties"]["num_results"]["default"] == 5
    assert SCHEMA["properties"]["safe"]["default"] == "medium"
    assert SCHEMA["properties"]["safe"]["enum"] == list(get_args(queries.SafeSearch))


@pytest.mark.parametrize(("name", "words"), LOOKS.items())
def test_a_look_is_published_with_its_words(name, words):
    assert SCHEMA["properties"][name]["enum"] == [*words.split(), None]


async def test_an_answer_has_the_fields_of_the_contract_and_no_others(asking):
    ask = await asking(**ONE)

    answer = (await ask("image_search", query="sea otter", num_results=3)).structured

    assert answer.keys() == {"images", "query", "resultCount", "trust"}
    assert answer["trust"] == "untrusted-external-content"
    assert (answer["query"], answer["resultCount"]) == ("sea otter", len(answer["images"]))
    for picture in answer["images"]:
        assert picture.keys() == {
            *("title", "link", "thumbnailLink", "displayLink"),
            *("contextLink", "width", "height", "fileSize"),
        }
        assert picture["contextLink"].startswith(f"https://{picture['displayLink']}/")
        assert (type(picture["width"]), type(picture["fileSize"])) == (int, str)


async def test_what_the_engine_does_not_say_is_left_out(asking, internet):
    ask = await asking(**ONE)
    picture = {"title": "A wheel", "link": "https://pictures.example/wheel.png"}
    found = {"searchInformation": {"totalResults": "1"}, "items": [picture]}
    internet.says(GOOGLE, {"kind": "customsearch#search", **found})

    answer = (await ask("image_search", query="wheel")).structured

    assert answer["images"] == [{**picture, "displayLink": "pictures.example"}]


async def test_every_filter_reaches_an_engine_that_has_it(asking, internet):
    ask = await asking(**ONE)

    result = await ask(
        "image_search", query="sea otter", safe="off", language="de", country="gb", **FILTERS
    )

    [seen] = internet.requests_to(GOOGLE)
    assert params_of(seen) == {
        "cx": "an-engine",
        "searchType": "image",
        "q": "sea otter",
        "num": "5",
        "safe": "off",
        "lr": "lang_de",
        "cr": "countryUK",
        "imgSize": "LARGE",
        "imgType": "photo",
        "imgColorType": "gray",
        "imgDominantColor": "teal",
        "fileType": "jpg",
    }
    assert "filtersIgnored" not in result.structured
    assert "filtersIgnored" not in result.meta


async def test_filters_that_an_engine_lacks_are_named_and_not_sent(asking, internet):
    ask = await asking(SEARCH_PROVIDER="brave")

    result = await ask("image_search", query="sea otter", safe="high", **FILTERS)

    [seen] = internet.requests_to(BRAVE)
    assert params_of(seen).keys() == {"q", "count", "safesearch"}
    assert params_of(seen)["safesearch"] == "strict"
    assert result.structured["filtersIgnored"] == list(FILTERS)
    assert result.meta["filtersIgnored"] == list(FILTERS)


@pytest.mark.parametrize(("number", "count"), [(0, "1"), (200, "200"), (201, "200")])
async def test_up_to_two_hundred_are_asked_for(asking, internet, number, count):
    ask = await asking(SEARCH_PROVIDER="brave")

    answer = (await ask("image_search", query="sea otter", num_results=number)).structured

    [seen] = internet.requests_to(BRAVE)
    assert params_of(seen)["count"] == count
    assert answer.get("requestedNumResults") == (None if number == 200 else number)


async def test_nothing_found_says_what_was_applied(asking):
    ask = await asking(**ONE)

    answer = (await ask("image_search", query="xyzzy plugh quux", size="icon")).structured

    assert answer["images"] == []
    assert answer["hints"]["filtersApplied"] == {"size": "icon"}


async def test_a_filter_that_was_ignored_is_not_blamed_for_finding_nothing(asking):
    ask = await asking(SEARCH_PROVIDER="brave")

    answer = (await ask("image_search", query="xyzzy plugh quux", size="icon")).structured

    assert answer["filtersIgnored"] == ["size"]
    assert answer["hints"]["filtersApplied"] == {}
    assert answer["hints"]["reason"] == "no_match"


async def test_of_several_that_find_nothing_the_one_that_heeds_a_filter_counts(asking):
    ask = await asking(SEARCH_ROUTING="google,brave")

    answer = (await ask("image_search", query="xyzzy plugh quux", size="icon")).structured

    assert "filtersIgnored" not in answer
    assert answer["hints"]["filtersApplied"] == {"size": "icon"}


@pytest.mark.parametrize("name", LOOKS)
async def test_a_look_that_nobody_has_is_refused(asking, internet, name):
    ask = await asking(**ONE)

    error = (await ask("image_search", query="x", **{name: "enormous"})).structured["error"]

    assert error["kind"] == "validation"
    assert error["detail"].startswith(f"{name}: ")
    assert internet.seen == []
