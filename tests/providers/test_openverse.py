"""Openverse, against the simulated site and with unusual answers."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited
from sourcewright.domain.web.hits import ImageHit
from sourcewright.domain.web.queries import Query
from sourcewright.providers.openverse import params_of, unsupported_filters

pytestmark = pytest.mark.anyio

HOST = "api.openverse.org"
EVERYTHING = "tidal otter glacier lantern lighthouse bees railway"


def query(text="sea otter", limit=5, **filters):
    return Query(kind="images", text=text, limit=limit, **filters)


def record(**fields):
    return {"url": "https://a.example/x.jpg", "title": "X", "license": "by"} | fields


async def test_a_picture_comes_with_licence_maker_and_page(provide):
    found = await (await provide("openverse")).search_images(query("sea otter", limit=1))

    [hit] = found.hits
    assert hit.title.startswith("Sea otter (images ")
    assert (hit.licence, hit.creator) == ("cc-by-2.0", "Ida Quist")
    assert hit.link == f"{hit.context}.jpg"
    assert hit.thumbnail.startswith(f"https://{HOST}/v1/images/")
    assert (hit.width, hit.height, hit.file_size) == (900, 675, None)


async def test_the_question_goes_out_once_in_its_own_terms(provide, internet):
    outcome = query(
        limit=3,
        exact_terms="kelp forests",
        exclude_terms="rye",
        size="medium",
        type="photo",
        file_type="jpg",
        safe="high",
    )

    await (await provide("openverse")).search_images(outcome)

    [seen] = internet.requests_to(HOST)
    assert seen.path == "/v1/images/"
    assert dict(parse_qsl(seen.query)) == {
        "q": 'sea otter "kelp forests" -rye',
        "page_size": "3",
        "mature": "false",
        "size": "medium",
        "category": "photograph",
        "extension": "jpg,jpeg",
    }


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        ({"size": "small"}, lambda hit: hit.width < 640),
        ({"size": "medium"}, lambda hit: hit.width >= 640),
        ({"type": "photo"}, lambda hit: "museum." not in hit.link),
        ({"type": "clipart"}, lambda hit: "museum." in hit.link),
        ({"safe": "high"}, lambda hit: "blog." not in hit.link),
        ({"exclude_terms": "otter"}, lambda hit: "otter" not in hit.title),
        ({"exact_terms": "sea otter"}, lambda hit: "Sea otter" in hit.title),
    ],
)
async def test_its_filters_hold(provide, filters, fits):
    found = await (await provide("openverse")).search_images(
        query(EVERYTHING, limit=20, **filters)
    )

    assert found.hits
    assert all(map(fits, found.hits))


async def test_only_without_safe_search_everything_is_shown(provide):
    openverse = await provide("openverse")

    shown = await openverse.search_images(query(EVERYTHING, limit=20, safe="off"))

    assert any("blog." in hit.link for hit in shown.hits)


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"exact_terms": "a", "exclude_terms": "b", "safe": "off", "file_type": "png"}, ()),
        ({"size": "large", "type": "photo"}, ()),
        ({"size": "huge", "type": "lineart"}, ("size", "type")),
        ({"size": "icon", "type": "face"}, ("size", "type")),
        ({"color_type": "mono", "dominant_color": "teal"}, ("color_type", "dominant_color")),
        (
            {"time_range": "day", "language": "de", "country": "de", "sites": ("a.example",)},
            ("time_range", "language", "country", "sites"),
        ),
        ({"sort_by": "date"}, ("sort_by",)),
    ],
)
def test_what_it_cannot_honour_is_named(filters, names):
    assert unsupported_filters(query(**filters)) == names


@pytest.mark.parametrize(
    ("filters", "param", "value"),
    [
        ({"size": "huge"}, "size", "large"),
        ({"size": "icon"}, "size", "small"),
        ({"type": "lineart"}, "category", "illustration"),
        ({"type": "face"}, "category", None),
        ({"limit": 200}, "page_size", "20"),
    ],
)
def test_the_nearest_that_it_has_is_asked_for(filters, param, value):
    assert params_of(query(**filters)).get(param) == value


def test_a_question_that_it_would_cut_is_not_sent():
    with pytest.raises(BadAnswer, match="at most 200 characters, but the query has 204"):
        params_of(query("x" * 200, exclude_terms="ab"))


async def test_nothing_found_is_an_answer(provide, internet):
    internet.says(HOST, {"result_count": 0, "page_count": 0, "page_size": 5, "results": []})

    found = await (await provide("openverse")).search_images(query())

    assert found.hits == ()


async def test_a_record_that_says_little_is_a_picture_all_the_same(provide, internet):
    internet.says(HOST, {"results": [record(license="pdm", title=None), record(url=None)]})

    found = await (await provide("openverse")).search_images(query())

    place = "https://a.example/x.jpg"
    assert found.hits == (ImageHit(title=place, link=place, licence="pdm"),)


@pytest.mark.parametrize(
    "answer",
    [
        {"detail": "Request was throttled."},
        {"results": {}},
        {"results": [{}]},
        {"results": [record(url="ftp://a.example/x")]},
        {"results": [record(title=["X"])]},
        {"results": [record(license_url={})]} | {"results": [record(license_url=["x"])]},
    ],
)
async def test_a_changed_shape_is_no_empty_answer(provide, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await (await provide("openverse")).search_images(query())


async def test_a_spent_allowance_says_when_to_come_back(provide, internet):
    throttled = {"detail": "Request was throttled. Expected available in 3600 seconds."}
    internet.breaks(HOST, status=429, body=str(throttled), retry_after=3600)

    with pytest.raises(RateLimited) as caught:
        await (await provide("openverse")).search_images(query())

    assert caught.value.retry_after == pytest.approx(3600, abs=5)


async def test_it_can_be_turned_off(provide):
    assert await provide("openverse", SOURCEWRIGHT_ENABLE_OPENVERSE="0") is None
