"""Wikimedia Commons, against the simulated site and with unusual answers."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited
from sourcewright.domain.web.hits import ImageHit
from sourcewright.domain.web.queries import Query
from sourcewright.providers.commons import params_of, unsupported_filters

pytestmark = pytest.mark.anyio

HOST = "commons.wikimedia.org"
FILE = "https://upload.wikimedia.org/wikipedia/commons/a/a1/x.jpg"


def query(text="sea otter", limit=5, **filters):
    return Query(kind="images", text=text, limit=limit, **filters)


def page(index=1, title="File:X.jpg", **info):
    return {"title": title, "index": index, "imageinfo": [{"url": FILE, **info}]}


def pages(*found):
    return {"batchcomplete": True, "query": {"pages": list(found)}}


async def test_a_picture_comes_with_licence_maker_and_page(provide):
    found = await (await provide("commons")).search_images(query(limit=1))

    name = "Sea_otter_%28images_5%29.jpg"
    files = "https://upload.wikimedia.org/wikipedia/commons"
    assert found.hits == (
        ImageHit(
            title="Sea otter (images 5).jpg",
            link=f"{files}/a/a1/{name}",
            thumbnail=f"{files}/thumb/a/a1/{name}/320px-{name}",
            context=f"https://{HOST}/wiki/File:{name}",
            width=900,
            height=675,
            file_size="90000",
            licence="cc-by-sa-4.0",
            creator="Ida & Ole",
        ),
    )


async def test_the_question_goes_out_once_in_the_wikis_own_terms(provide, internet):
    outcome = query(
        limit=3, exact_terms="kelp", exclude_terms="rye", size="large", file_type="svg"
    )

    await (await provide("commons")).search_images(outcome)

    [seen] = internet.requests_to(HOST)
    search = 'sea otter "kelp" -rye filetype:bitmap|drawing filemime:image/svg+xml fileres:>1000'
    assert seen.path == "/w/api.php"
    assert dict(parse_qsl(seen.query)) == {
        "action": "query",
        "format": "json",
        "formatversion": "2",
        "generator": "search",
        "gsrsearch": search,
        "gsrnamespace": "6",
        "gsrlimit": "3",
        "prop": "imageinfo",
        "iiprop": "url|size|mime|extmetadata",
        "iiurlwidth": "320",
        "iiextmetadatafilter": "LicenseShortName|Artist",
    }


async def test_the_best_stands_first_whatever_the_order_of_the_pages(provide):
    commons = await provide("commons")

    found = await commons.search_images(query("tidal energy otter", limit=50))

    assert found.hits[0].title.startswith("Tidal energy")
    assert len(found.hits) > 2


@pytest.mark.parametrize(
    ("filters", "fits"),
    [
        ({"size": "large"}, lambda hit: hit.width * hit.height >= 1_000_000),
        ({"size": "medium"}, lambda hit: 160_000 <= hit.width * hit.height <= 1_000_000),
        ({"file_type": "jpg"}, lambda hit: hit.link.endswith(".jpg")),
    ],
)
async def test_its_filters_hold(provide, filters, fits):
    commons = await provide("commons")
    outcome = query("tidal otter glacier lantern bees", limit=50, **filters)

    found = await commons.search_images(outcome)

    assert found.hits
    assert all(map(fits, found.hits))
    assert found.ignored == ()


async def test_what_is_in_no_file_is_not_found(provide):
    found = await (await provide("commons")).search_images(query(file_type="png"))

    assert found.hits == ()


@pytest.mark.parametrize(
    ("filters", "names"),
    [
        ({"exact_terms": "a", "exclude_terms": "b", "sort_by": "date"}, ()),
        ({"size": "icon", "file_type": "bmp"}, ()),
        ({"size": "vast", "file_type": "exe"}, ("size", "file_type")),
        (
            {"type": "photo", "color_type": "gray", "dominant_color": "red"},
            ("type", "color_type", "dominant_color"),
        ),
        (
            {"time_range": "year", "safe": "high", "language": "de", "country": "de"},
            ("time_range", "safe", "language", "country"),
        ),
        ({"sites": ("flickr.com",)}, ("sites",)),
        ({"sites": ("wikimedia.org", "flickr.com")}, ()),
    ],
)
def test_what_it_cannot_honour_is_named(filters, names):
    assert unsupported_filters(query(**filters)) == names


def test_newest_first_and_no_more_than_it_gives():
    params = params_of(query(limit=200, sort_by="date"))

    assert (params["gsrsort"], params["gsrlimit"]) == ("create_timestamp_desc", "50")


async def test_an_answer_that_is_complete_without_pages_found_none(provide, internet):
    internet.says(HOST, {"batchcomplete": True})

    found = await (await provide("commons")).search_images(query())

    assert found.hits == ()


@pytest.mark.parametrize(
    "answer",
    [
        {"batchcomplete": False},
        {"continue": {"gsroffset": 5}},
        {"batchcomplete": True, "query": {}},
        {"batchcomplete": True, "query": {"pages": {"1": page()}}},
        pages(page(index="first")),
        pages({"title": "File:X.jpg", "index": 1}),
        pages({"title": "File:X.jpg", "index": 1, "imageinfo": []}),
        pages(page(extmetadata=["x"])),
        pages(page(url="file:///etc/passwd")),
    ],
)
async def test_a_changed_shape_is_no_empty_answer(provide, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await (await provide("commons")).search_images(query())


async def test_a_file_that_is_lost_costs_no_other(provide, internet):
    """An answer that stops before every file is described does not call itself complete."""
    lost = {"title": "File:Lost.jpg", "index": 1, "missing": True}
    internet.says(HOST, {"continue": {"iicontinue": "x"}, "query": {"pages": [lost, page(2)]}})

    found = await (await provide("commons")).search_images(query())

    assert [hit.link for hit in found.hits] == [FILE]


async def test_a_file_about_which_nothing_is_said_is_a_picture_all_the_same(provide, internet):
    internet.says(HOST, pages(page(title="X.jpg", extmetadata=None, width="wide", height=-1)))

    found = await (await provide("commons")).search_images(query())

    assert found.hits == (ImageHit(title="X.jpg", link=FILE),)


async def test_an_error_with_the_status_of_a_success_is_a_failure(provide, internet):
    internet.says(HOST, {"error": {"code": "ratelimited", "info": "slow down"}})

    with pytest.raises(RateLimited) as caught:
        await (await provide("commons")).search_images(query())

    assert caught.value.source == "commons"


async def test_it_can_be_turned_off(provide):
    assert await provide("commons", SOURCEWRIGHT_ENABLE_COMMONS="0") is None
