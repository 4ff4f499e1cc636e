"""Google Programmable Search, against the world's."""

from urllib.parse import parse_qsl

import pytest

from sourcewright.domain.errors import BadAnswer, RateLimited, Refused
from sourcewright.domain.finds import ImageHit, NewsHit, WebHit
from sourcewright.domain.queries import Query
from sourcewright.world.corpus import web
from sourcewright.world.sites.google import NEWS_ENGINE, SPENT_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "www.googleapis.com"
KEYS = {"GOOGLE_CUSTOM_SEARCH_API_KEY": "s3cret", "GOOGLE_CUSTOM_SEARCH_ID": "an-engine"}
ALWAYS = {"cx": "an-engine", "q": "sea otter", "num": "5", "safe": "active"}
PICTURES = ALWAYS | {"searchType": "image"}


@pytest.fixture
async def google(provide):
    return await provide("google", **KEYS)


@pytest.fixture
def sent(internet):
    """The parameters of the one request that was sent."""

    def params():
        [seen] = internet.requests_to(HOST)
        return dict(parse_qsl(seen.query))

    return params


def query(kind="web", text="sea otter", limit=5, **filters):
    return Query(kind=kind, text=text, limit=limit, **filters)


def item(kind, url):
    [found] = [one for one in web.items() if one.kind == kind and one.url == url]
    return found


async def test_a_page_is_told_as_google_has_it(google):
    hits = (await google.search_web(query())).hits

    source = item("web", hits[0].url)
    assert len(hits) == 5
    assert hits[0] == WebHit(
        title=source.title,
        url=source.url,
        snippet=source.text,
        published=source.published.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


async def test_a_picture_is_told_as_google_has_it(google):
    hits = (await google.search_images(query("images"))).hits

    source = item("images", hits[0].link)
    assert hits[0] == ImageHit(
        title=source.title,
        link=source.url,
        thumbnail=f"https://encrypted-tbn0.gstatic.com/images?q=tbn:{source.width}",
        context=source.url.removesuffix(".jpg"),
        width=source.width,
        height=source.height,
        file_size="34567",
    )


async def test_an_article_is_dated_by_its_own_page(google):
    hits = (await google.search_news(query("news", engine=NEWS_ENGINE))).hits

    source = item("news", hits[0].url)
    assert hits[0] == NewsHit(
        title=source.title,
        url=source.url,
        source=source.host,
        snippet=source.text,
        published=source.published.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


@pytest.mark.parametrize(
    ("filters", "params"),
    [
        ({}, {}),
        ({"time_range": "day"}, {"dateRestrict": "d1"}),
        ({"time_range": "week"}, {"dateRestrict": "w1"}),
        ({"time_range": "month"}, {"dateRestrict": "m1"}),
        ({"time_range": "year"}, {"dateRestrict": "y1"}),
        ({"safe": "off"}, {"safe": "off"}),
        ({"safe": "high"}, {"safe": "active"}),
        ({"language": "de"}, {"lr": "lang_de"}),
        ({"country": "de"}, {"cr": "countryDE"}),
        ({"country": "gb"}, {"cr": "countryUK"}),
        ({"sites": ("a.example/b",)}, {"siteSearch": "a.example/b", "siteSearchFilter": "i"}),
        (
            {"sites": ("a.example", "b.example")},
            {"q": "sea otter (site:a.example OR site:b.example)"},
        ),
        ({"exact_terms": "kelp forests"}, {"exactTerms": "kelp forests"}),
        ({"exclude_terms": "kelp"}, {"excludeTerms": "kelp"}),
        ({"exclude_terms": "kelp ice"}, {"q": "sea otter -kelp -ice"}),
        ({"sort_by": "date"}, {"sort": "date"}),
        ({"file_type": "pdf"}, {"fileType": "pdf"}),
        ({"engine": "another"}, {"cx": "another"}),
        ({"limit": 25}, {"num": "10"}),
    ],
)
@pytest.mark.parametrize("kind", ["web", "news"])
async def test_a_filter_is_asked_for_in_googles_terms(google, sent, kind, filters, params):
    search = {"web": google.search_web, "news": google.search_news}[kind]

    findings = await search(query(kind, **filters))

    assert sent() == ALWAYS | params
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("filters", "params"),
    [
        ({"size": "xxlarge"}, {"imgSize": "XXLARGE"}),
        ({"type": "lineart"}, {"imgType": "lineart"}),
        ({"color_type": "mono"}, {"imgColorType": "mono"}),
        ({"dominant_color": "teal"}, {"imgDominantColor": "teal"}),
        ({"file_type": "png"}, {"fileType": "png"}),
        ({"language": "ja", "country": "jp"}, {"lr": "lang_ja", "cr": "countryJP"}),
    ],
)
async def test_a_filter_of_pictures_is_asked_for_in_googles_terms(google, sent, filters, params):
    findings = await google.search_images(query("images", **filters))

    assert sent() == PICTURES | params
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("filters", "params", "ignored"),
    [
        ({"time_range": "hour"}, {"dateRestrict": "d1"}, ("time_range",)),
        ({"language": "xx"}, {}, ("language",)),
        ({"size": "large", "type": "face"}, {}, ("size", "type")),
    ],
)
async def test_a_filter_that_google_lacks_is_named(google, sent, filters, params, ignored):
    findings = await google.search_web(query(**filters))

    assert sent() == ALWAYS | params
    assert findings.ignored == ignored


@pytest.mark.parametrize(
    ("filters", "holds"),
    [
        ({"time_range": "day"}, lambda one: one.age.days < 1),
        ({"language": "de"}, lambda one: one.language == "de"),
        ({"country": "gb"}, lambda one: one.country == "gb"),
        ({"sites": ("arxiv.org",)}, lambda one: one.host == "arxiv.org"),
        (
            {"sites": ("arxiv.org", "www.bbc.co.uk")},
            lambda one: one.host in ("arxiv.org", "www.bbc.co.uk"),
        ),
        ({"exact_terms": "kelp forests"}, lambda one: "kelp forests" in one.text),
        ({"exclude_terms": "kelp"}, lambda one: "kelp" not in one.text),
    ],
)
async def test_a_filter_holds_for_every_hit(google, filters, holds):
    words = " ".join({word for one in web.items() for word in one.title.split()})

    hits = (await google.search_web(query(text=words, limit=10, **filters))).hits

    assert hits
    assert all(holds(item("web", hit.url)) for hit in hits)


async def test_the_key_goes_in_a_header_and_never_in_an_address(google, internet):
    await google.search_web(query())

    [seen] = internet.requests_to(HOST)
    assert seen.headers["x-goog-api-key"] == "s3cret"
    assert "s3cret" not in seen.query


@pytest.mark.parametrize(
    ("key", "kind", "status"), [(WRONG_KEY, Refused, 401), (SPENT_KEY, RateLimited, 429)]
)
async def test_a_key_that_opens_nothing_is_told_from_an_empty_purse(provide, key, kind, status):
    google = await provide("google", **KEYS | {"GOOGLE_CUSTOM_SEARCH_API_KEY": key})

    with pytest.raises(kind) as caught:
        await google.search_web(query())

    assert (caught.value.source, caught.value.status) == ("google", status)
    assert key not in str(caught.value)


@pytest.mark.parametrize(
    "answer",
    [
        {"kind": "customsearch#search", "searchInformation": {"totalResults": "7"}},
        {"kind": "customsearch#search", "searchInformation": {}},
        {"kind": "customsearch#other", "searchInformation": {"totalResults": "0"}},
        {
            "kind": "customsearch#search",
            "searchInformation": {"totalResults": "1"},
            "items": [{"title": "T", "url": "https://a.example"}],
        },
    ],
)
async def test_results_that_are_missing_are_a_changed_shape(google, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await google.search_web(query())
