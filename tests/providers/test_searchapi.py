"""SearchApi, against the world's."""

from datetime import datetime, timedelta
from urllib.parse import parse_qsl

import pytest

from sourcewright.domain.errors import BadAnswer, RateLimited, Refused
from sourcewright.domain.finds import Findings, ImageHit, NewsHit, WebHit
from sourcewright.domain.queries import Query
from sourcewright.world.corpus import web
from sourcewright.world.sites.searchapi import SPENT_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "www.searchapi.io"
ALWAYS = {
    "web": {"engine": "google", "q": "sea otter", "num": "5", "safe": "active"},
    "images": {"engine": "google_images", "q": "sea otter", "safe": "active"},
    "news": {"engine": "google_news", "q": "sea otter", "num": "5"},
}
DONE = {"search_metadata": {"status": "Success"}}


@pytest.fixture
async def searchapi(provide):
    return await provide("searchapi", SEARCHAPI_API_KEY="s3cret")


@pytest.fixture
def sent(internet):
    """The parameters of the one request that was sent."""

    def params():
        [seen] = internet.requests_to(HOST)
        assert seen.headers["authorization"] == "Bearer s3cret"
        return dict(parse_qsl(seen.query))

    return params


def query(kind="web", text="sea otter", limit=5, **filters):
    return Query(kind=kind, text=text, limit=limit, **filters)


def item(kind, url):
    [found] = [one for one in web.items() if one.kind == kind and one.url == url]
    return found


async def test_a_page_is_dated_by_its_age(searchapi):
    hits = (await searchapi.search_web(query(time_range="month"))).hits

    source = item("web", hits[0].url)
    assert hits[0] == WebHit(
        title=source.title, url=source.url, snippet=source.text, published=hits[0].published
    )
    assert abs(datetime.fromisoformat(hits[0].published) - source.published) <= timedelta(days=1)


async def test_a_picture_is_told_with_its_page_and_without_its_bytes(searchapi):
    hits = (await searchapi.search_images(query("images"))).hits

    source = item("images", hits[0].link)
    assert hits[0] == ImageHit(
        title=source.title,
        link=source.url,
        thumbnail=None,
        context=source.url.removesuffix(".jpg"),
        width=source.width,
        height=source.height,
        file_size="34KB",
    )


async def test_an_article_is_dated_to_the_second(searchapi):
    hits = (await searchapi.search_news(query("news"))).hits

    source = item("news", hits[0].url)
    assert hits[0] == NewsHit(
        title=source.title,
        url=source.url,
        source=source.host,
        snippet=source.text,
        published=source.published.strftime("%Y-%m-%dT%H:%M:%SZ"),
    )


@pytest.mark.parametrize(
    ("kind", "filters", "params"),
    [
        ("web", {}, {}),
        ("web", {"time_range": "hour"}, {"time_period": "last_hour"}),
        ("web", {"time_range": "year"}, {"time_period": "last_year"}),
        ("web", {"safe": "off"}, {"safe": "off"}),
        ("web", {"safe": "high"}, {"safe": "active"}),
        ("web", {"language": "de"}, {"hl": "de", "lr": "lang_de"}),
        ("web", {"language": "xx"}, {"hl": "xx"}),
        ("web", {"country": "gb"}, {"gl": "uk"}),
        ("web", {"sites": ("a.example",)}, {"q": "sea otter site:a.example"}),
        ("web", {"exact_terms": "kelp forests"}, {"q": 'sea otter "kelp forests"'}),
        ("web", {"exclude_terms": "kelp ice"}, {"q": "sea otter -kelp -ice"}),
        ("web", {"limit": 25}, {"num": "10"}),
        ("news", {"sort_by": "date"}, {"sort_by": "most_recent"}),
        ("news", {"time_range": "week"}, {"time_period": "last_week"}),
        ("images", {"size": "medium", "type": "photo"}, {"tbs": "isz:m,itp:photo"}),
        ("images", {"dominant_color": "red"}, {"tbs": "ic:specific,isc:red"}),
        ("images", {"time_range": "week", "file_type": "png"}, {"tbs": "qdr:w,ift:png"}),
    ],
)
async def test_a_filter_is_asked_for_in_its_terms(searchapi, sent, kind, filters, params):
    findings = await getattr(searchapi, f"search_{kind}")(query(kind, **filters))

    assert sent() == ALWAYS[kind] | params
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("kind", "filters", "params", "ignored"),
    [
        ("web", {"sort_by": "date", "file_type": "pdf"}, {}, ("sort_by", "file_type")),
        ("news", {"safe": "off"}, {}, ("safe",)),
        ("images", {"size": "xlarge"}, {"tbs": "isz:l"}, ("size",)),
        ("images", {"type": "stock"}, {}, ("type",)),
    ],
)
async def test_a_filter_that_it_lacks_is_named(searchapi, sent, kind, filters, params, ignored):
    findings = await getattr(searchapi, f"search_{kind}")(query(kind, **filters))

    assert sent() == ALWAYS[kind] | params
    assert findings.ignored == ignored


@pytest.mark.parametrize(
    ("kind", "filters", "holds"),
    [
        ("web", {"time_range": "day"}, lambda one: one.age.days < 1),
        ("web", {"language": "de"}, lambda one: one.language == "de"),
        ("web", {"sites": ("arxiv.org",)}, lambda one: one.host == "arxiv.org"),
        ("images", {"size": "large"}, lambda one: one.width >= 600),
    ],
)
async def test_a_filter_holds_for_every_hit(searchapi, kind, filters, holds):
    words = "sea otter glacier memory rye bread urban bees tidal energy"

    hits = (await getattr(searchapi, f"search_{kind}")(query(kind, words, 50, **filters))).hits

    assert hits
    places = [hit.link if kind == "images" else hit.url for hit in hits]
    assert all(holds(item(kind, place)) for place in places)


async def test_the_newest_articles_come_first_when_asked_for(searchapi):
    hits = (await searchapi.search_news(query("news", sort_by="date"))).hits

    assert len(hits) > 1
    assert [hit.published for hit in hits] == sorted((h.published for h in hits), reverse=True)


@pytest.mark.parametrize(
    ("key", "kind", "status"), [(WRONG_KEY, Refused, 401), (SPENT_KEY, RateLimited, 429)]
)
async def test_a_key_that_opens_nothing_is_told_from_an_empty_purse(provide, key, kind, status):
    searchapi = await provide("searchapi", SEARCHAPI_API_KEY=key)

    with pytest.raises(kind) as caught:
        await searchapi.search_web(query())

    assert (caught.value.source, caught.value.status) == ("searchapi", status)
    assert key not in str(caught.value)


@pytest.mark.parametrize("name", ["Google", "Google Images", "Google News"])
async def test_its_own_words_for_nothing_found_are_an_empty_answer(searchapi, internet, name):
    internet.says(HOST, DONE | {"error": f"{name} didn't return any results."})

    assert await searchapi.search_news(query("news")) == Findings(hits=())


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (DONE | {"error": "Search failed, please retry."}, BadAnswer),
        (DONE | {"error": "Invalid API key."}, Refused),
        (DONE | {"error": {"code": 1}}, BadAnswer),
        (DONE, BadAnswer),
        (DONE | {"organic_results": None}, BadAnswer),
        (DONE | {"organic_results": [{"title": "T", "url": "https://a.example"}]}, BadAnswer),
        ({"search_metadata": {"status": "Error"}, "organic_results": []}, BadAnswer),
        ({"organic_results": []}, BadAnswer),
    ],
)
async def test_an_error_under_a_good_status_is_still_one(searchapi, internet, answer, kind):
    internet.says(HOST, answer)

    with pytest.raises(kind):
        await searchapi.search_web(query())
