"""SearXNG, against the simulated site, wherever the operator put it."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.base.errors import BadAnswer, Denied, RateLimited, Refused, Unavailable
from sourcewright.base.http_messages import Request
from sourcewright.domain.web.hits import EngineResults, ImageHit, WebHit
from sourcewright.net.http.exchange import Policy
from sourcewright.providers.searxng import Searxng, read_image_hit, read_page_hit
from sourcewright.settings import Settings, SettingsError
from sourcewright.world.sites.searxng import LOCKED, LOGIN, SILENT

pytestmark = pytest.mark.anyio

HOST = "searxng.harbour.example"
ALWAYS = {"q": "sea otter", "format": "json", "categories": "general", "safesearch": "1"}
PHRASE = {"q": 'sea otter "kelp forests" -urchins -storms (site:arxiv.org OR site:nature.com/web)'}


@pytest.fixture
async def searxng(provide):
    return await provide("searxng", SEARXNG_URL=f"https://{HOST}")


@pytest.fixture
def sent(internet):
    def request(host=HOST):
        [seen] = internet.requests_to(host)
        return seen.path, dict(parse_qsl(seen.query))

    return request


async def test_a_page_is_told_as_the_engines_have_it(searxng, query, item, sent):
    hits = (await searxng.search_web(query())).hits

    source = item("web", hits[0].url)
    assert sent() == ("/search", ALWAYS)
    assert len(hits) == 5
    assert hits[0] == WebHit(
        title=source.title,
        url=source.url,
        snippet=source.text,
        published=f"{source.published:%Y-%m-%dT%H:%M:%SZ}",
    )


async def test_a_picture_is_told_with_its_page_and_size(searxng, query, item, sent):
    hits = (await searxng.search_images(query("images"))).hits

    source = item("images", hits[0].link)
    assert sent() == ("/search", ALWAYS | {"categories": "images"})
    assert hits[0] == ImageHit(
        title=source.title,
        link=source.url,
        thumbnail=f"https://{source.host}/thumbnails{source.path}",
        context=source.url.removesuffix(".jpg"),
        width=source.width,
        height=source.height,
    )


async def test_an_article_has_its_date_and_paper_from_the_line_below(searxng, query, item, sent):
    hits = (await searxng.search_news(query("news", time_range="day"))).hits

    assert sent() == ("/search", ALWAYS | {"categories": "news", "time_range": "day"})
    assert hits
    assert all(hit.source == item("news", hit.url).host for hit in hits)
    assert all(hit.published is not None for hit in hits)


@pytest.mark.parametrize(
    ("filters", "params", "ignored"),
    [
        ({"time_range": "hour"}, {"time_range": "day"}, ("time_range",)),
        ({"time_range": "week"}, {"time_range": "week"}, ()),
        ({"safe": "off"}, {"safesearch": "0"}, ()),
        ({"safe": "high"}, {"safesearch": "2"}, ()),
        ({"language": "de"}, {"language": "de"}, ()),
        ({"language": "zh", "language_variant": "hant"}, {"language": "zh-TW"}, ()),
        ({"language": "en", "country": "gb"}, {"language": "en-GB"}, ()),
        ({"country": "gb"}, {}, ("country",)),
        ({"sites": ("arxiv.org",)}, {"q": "sea otter site:arxiv.org"}, ()),
        (
            {
                "exact_terms": "kelp forests",
                "exclude_terms": "urchins storms",
                "sites": ("arxiv.org", "nature.com/web"),
            },
            PHRASE,
            (),
        ),
        ({"sort_by": "date", "file_type": "pdf"}, {}, ("sort_by", "file_type")),
        ({"size": "large", "type": "photo"}, {}, ("size", "type")),
    ],
)
async def test_a_filter_is_sent_or_named(searxng, query, sent, filters, params, ignored):
    found = await searxng.search_web(query(**filters))

    assert sent() == ("/search", ALWAYS | params)
    assert found.ignored == ignored


async def test_a_filter_that_is_sent_works(searxng, query, item):
    old = await searxng.search_web(query(time_range="day", limit=50))
    french = await searxng.search_web(query(text="tidal lantern festival", language="fr"))

    assert old.hits
    assert all(item("web", hit.url).age.days == 0 for hit in old.hits)
    assert all(item("web", hit.url).language == "fr" for hit in french.hits)


async def test_silent_engines_are_no_empty_result(searxng, query):
    with pytest.raises(Unavailable) as caught:
        await searxng.search_web(query(text=SILENT))

    assert "brave Suspended: too many requests" in str(caught.value)


async def test_nothing_found_by_engines_that_all_answered_is_an_answer(searxng, query):
    assert await searxng.search_web(query(text="xyzzy")) == EngineResults(hits=())


async def test_some_silent_engines_do_not_matter_where_others_found_something(
    searxng, query, internet
):
    page = {"url": "https://a.example/", "title": "A"}
    internet.says(HOST, {"results": [page], "unresponsive_engines": [["brave", "timeout"]]})

    [hit] = (await searxng.search_web(query())).hits

    assert hit == WebHit(title="A", url="https://a.example/", snippet="")


@pytest.mark.parametrize(
    "answer", [{"results": None}, {"results": {}}, {"results": [{"url": "ftp://a"}]}, {"hits": []}]
)
async def test_another_shape_is_no_empty_result(searxng, query, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await searxng.search_web(query())


async def test_an_instance_that_speaks_no_json_refuses(searxng, query, internet):
    internet.breaks(HOST, status=403, body="<html>Forbidden</html>", content_type="text/html")

    with pytest.raises(Refused):
        await searxng.search_web(query())


async def test_the_limiter_of_an_instance_is_heard(searxng, query, internet):
    internet.breaks(HOST, status=429, retry_after=900)

    with pytest.raises(RateLimited) as caught:
        await searxng.search_web(query())

    assert caught.value.retry_after == 900


@pytest.mark.parametrize(
    ("address", "host", "path"),
    [
        (f"https://{HOST}/searx/", HOST, "/searx/search"),
        (f"https://{HOST}/search", HOST, "/search"),
        (f"https://{HOST}/?theme=dark", HOST, "/search"),
        (f"http://{HOST}", HOST, "/search"),
        ("http://localhost:8888", "localhost", "/search"),
    ],
)
async def test_it_is_asked_where_the_operator_put_it(provide, query, sent, address, host, path):
    searxng = await provide("searxng", SEARXNG_URL=address)

    found = await searxng.search_web(query())

    assert found.hits
    assert sent(host)[0] == path


async def test_without_an_address_there_is_none(provide):
    assert await provide("searxng") is None


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("http://localhost:8888", "ssrf_private_address"),
        (f"https://{HOST}:8443", "host_in_block_list"),
    ],
)
async def test_nobody_else_may_ask_there(application, internet, address, reason):
    client = (await application(SEARXNG_URL=address)).services.parts.client
    request = Request(url=f"{address}/config")
    other = Policy(source="pages", https_only=False, any_port=True)

    answer = await client.send(request, Policy(source="searxng"))
    with pytest.raises(Denied) as caught:
        await client.send(request, other)

    assert answer.status == 404
    assert caught.value.denial.reason == reason
    assert len(internet.seen) == 1


@pytest.mark.parametrize("url", ["http://localhost:8889/", "http://127.0.0.1:8888/"])
async def test_its_own_source_may_ask_nowhere_else(application, internet, url):
    client = (await application(SEARXNG_URL="http://localhost:8888")).services.parts.client

    with pytest.raises(Denied):
        await client.send(Request(url=url), Policy(source="searxng"))

    assert not internet.seen


async def test_a_login_and_headers_go_along(provide, query, internet):
    changes = {"SEARXNG_BASIC_AUTH": LOGIN, "SEARXNG_HEADERS": "X-Team: blue , X-Key: a:b,"}
    searxng = await provide("searxng", SEARXNG_URL=f"http://{LOCKED}", **changes)

    assert (await searxng.search_web(query())).hits

    [seen] = internet.requests_to(LOCKED)
    assert (seen.headers["x-team"], seen.headers["x-key"]) == ("blue", "a:b")


async def test_without_its_login_it_refuses(provide, query):
    searxng = await provide("searxng", SEARXNG_URL=f"http://{LOCKED}")

    with pytest.raises(Refused) as caught:
        await searxng.search_web(query())

    assert caught.value.status == 401


async def test_a_redirect_to_another_origin_drops_the_login(provide, query, internet):
    searxng = await provide(
        "searxng", SEARXNG_URL=f"http://{LOCKED}", SEARXNG_BASIC_AUTH=LOGIN, SEARXNG_HEADERS="a: b"
    )
    internet.redirects(LOCKED, f"https://{HOST}/search?q=x&format=json")

    await searxng.search_web(query())

    [seen] = internet.requests_to(HOST)
    assert not {"authorization", "a"} & seen.headers.keys()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("SEARXNG_BASIC_AUTH", "s3cret"),
        ("SEARXNG_BASIC_AUTH", ":s3cret"),
        ("SEARXNG_BASIC_AUTH", "user:s3cret\r\nX-Evil: 1"),
        ("SEARXNG_HEADERS", "s3cret"),
        ("SEARXNG_HEADERS", "X Key: s3cret"),
        ("SEARXNG_HEADERS", "X-Key:"),
        ("SEARXNG_HEADERS", "X-Key: s3cret\r\nX-Evil: 1"),
        ("SEARXNG_HEADERS", "X-Key: s3cret\x00"),
        ("SEARXNG_HEADERS", "X-Key: s3crét"),
        ("SEARXNG_HEADERS", "X-Key: s3cret, Host: elsewhere.example"),
        ("SEARXNG_HEADERS", "transfer-encoding: s3cret"),
        ("SEARXNG_URL", "http://user:s3cret@localhost:8888"),
        ("SEARXNG_URL", "localhost:8888"),
    ],
)
def test_a_setting_that_cannot_be_sent_stops_the_start(environment, tmp_path, name, value):
    with pytest.raises(SettingsError) as caught:
        Settings.load({**environment, name: value}, cwd=tmp_path)

    assert name in str(caught.value)
    assert "s3cr" not in str(caught.value)


def test_a_login_and_headers_are_secrets(environment, tmp_path):
    changes = {"SEARXNG_BASIC_AUTH": "user:s3cret", "SEARXNG_HEADERS": "X-Key: s3cret"}

    settings = Settings.load({**environment, **changes}, cwd=tmp_path)

    assert {"user:s3cret", "X-Key: s3cret"} <= settings.secrets()
    assert "s3cret" not in repr(settings)


@pytest.mark.parametrize(
    ("resolution", "size"),
    [
        ("1920 x 1080", ("1920", "1080")),
        ("1920\u00d71080", ("1920", "1080")),
        ("large", (None, None)),
        (None, (None, None)),
    ],
)
def test_a_size_is_read_from_its_two_numbers(resolution, size):
    assert read_image_hit({"img_src": "x", "resolution": resolution}).size == size


def test_a_line_without_a_paper_is_only_a_date():
    result = read_page_hit({"url": "u", "metadata": "13 hours ago"})

    assert result.source is None
    assert "13 hours ago" in result.dates


def test_no_option_is_needed_but_the_address():
    assert Searxng.headers({"url": "https://a.example"}) == {}
