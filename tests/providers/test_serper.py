"""Serper, against the world's."""

import json
from datetime import datetime, timedelta

import pytest

from sourcewright.domain.errors import BadAnswer, Refused, Unavailable
from sourcewright.domain.finds import ImageHit, WebHit
from sourcewright.domain.queries import Query
from sourcewright.world.corpus import web
from sourcewright.world.sites.serper import SPENT_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

HOST = "google.serper.dev"
ALWAYS = {"q": "sea otter", "num": 5, "safe": "active"}


@pytest.fixture
async def serper(provide):
    return await provide("serper", SERPER_API_KEY="s3cret")


@pytest.fixture
def sent(internet):
    """What the one request that was sent said."""

    def asked():
        [seen] = internet.requests_to(HOST)
        assert seen.method == "POST"
        assert seen.headers["x-api-key"] == "s3cret"
        return seen.path, json.loads(seen.body)

    return asked


def query(kind="web", text="sea otter", limit=5, **filters):
    return Query(kind=kind, text=text, limit=limit, **filters)


def item(kind, url):
    [found] = [one for one in web.items() if one.kind == kind and one.url == url]
    return found


async def test_a_page_is_told_as_serper_has_it(serper, sent):
    hits = (await serper.search_web(query())).hits

    source = item("web", hits[0].url)
    assert sent() == ("/search", ALWAYS)
    assert hits[0] == WebHit(
        title=source.title,
        url=source.url,
        snippet=source.text,
        published=source.published.strftime("%Y-%m-%dT00:00:00Z"),
    )


async def test_a_picture_is_told_with_its_page(serper, sent):
    hits = (await serper.search_images(query("images"))).hits

    source = item("images", hits[0].link)
    assert sent() == ("/images", ALWAYS)
    assert hits[0] == ImageHit(
        title=source.title,
        link=source.url,
        thumbnail=f"https://encrypted-tbn0.gstatic.com/images?q=tbn:{source.width}",
        context=source.url.removesuffix(".jpg"),
        width=source.width,
        height=source.height,
    )


async def test_an_article_is_dated_by_its_age(serper, sent):
    hits = (await serper.search_news(query("news", time_range="day"))).hits

    source = item("news", hits[0].url)
    assert sent() == ("/news", ALWAYS | {"tbs": "qdr:d"})
    assert (hits[0].title, hits[0].source, hits[0].snippet) == (
        source.title,
        source.host,
        source.text,
    )
    assert abs(datetime.fromisoformat(hits[0].published) - source.published) <= timedelta(days=1)


@pytest.mark.parametrize(
    ("kind", "filters", "told"),
    [
        ("web", {"time_range": "hour"}, {"tbs": "qdr:h"}),
        ("web", {"time_range": "year"}, {"tbs": "qdr:y"}),
        ("web", {"safe": "off"}, {"safe": "off"}),
        ("web", {"safe": "high"}, {"safe": "active"}),
        ("web", {"language": "de", "country": "gb"}, {"hl": "de", "gl": "uk"}),
        ("web", {"sites": ("a.example",)}, {"q": "sea otter site:a.example"}),
        ("web", {"exact_terms": "kelp forests"}, {"q": 'sea otter "kelp forests"'}),
        ("web", {"exclude_terms": "kelp ice"}, {"q": "sea otter -kelp -ice"}),
        ("web", {"limit": 150}, {"num": 100}),
        ("news", {"sort_by": "date"}, {"tbs": "sbd:1"}),
        ("news", {"sort_by": "date", "time_range": "week"}, {"tbs": "qdr:w,sbd:1"}),
        ("images", {"size": "large", "type": "photo"}, {"tbs": "isz:l,itp:photo"}),
        ("images", {"dominant_color": "red"}, {"tbs": "ic:specific,isc:red"}),
        ("images", {"color_type": "trans", "file_type": "png"}, {"tbs": "ic:trans,ift:png"}),
    ],
)
async def test_a_filter_is_asked_for_in_googles_terms(serper, sent, kind, filters, told):
    findings = await getattr(serper, f"search_{kind}")(query(kind, **filters))

    assert sent()[1] == ALWAYS | told
    assert findings.ignored == ()


@pytest.mark.parametrize(
    ("kind", "filters", "told", "ignored"),
    [
        ("web", {"sort_by": "date"}, {}, ("sort_by",)),
        ("web", {"size": "large", "file_type": "pdf"}, {}, ("size", "file_type")),
        ("images", {"size": "huge"}, {"tbs": "isz:l"}, ("size",)),
        ("images", {"size": "small"}, {}, ("size",)),
        ("images", {"type": "stock"}, {}, ("type",)),
        ("images", {"color_type": "mono"}, {"tbs": "ic:gray"}, ("color_type",)),
        (
            "images",
            {"color_type": "gray", "dominant_color": "red"},
            {"tbs": "ic:specific,isc:red"},
            ("color_type",),
        ),
    ],
)
async def test_a_filter_that_it_lacks_is_named(serper, sent, kind, filters, told, ignored):
    findings = await getattr(serper, f"search_{kind}")(query(kind, **filters))

    assert sent()[1] == ALWAYS | told
    assert findings.ignored == ignored


@pytest.mark.parametrize(
    ("kind", "filters", "holds"),
    [
        ("web", {"time_range": "day"}, lambda one: one.age.days < 1),
        ("web", {"sites": ("arxiv.org",)}, lambda one: one.host == "arxiv.org"),
        ("web", {"exclude_terms": "kelp"}, lambda one: "kelp" not in one.text),
        ("images", {"size": "large"}, lambda one: one.width >= 600),
    ],
)
async def test_a_filter_holds_for_every_hit(serper, kind, filters, holds):
    words = "sea otter glacier memory rye bread urban bees tidal energy"

    hits = (await getattr(serper, f"search_{kind}")(query(kind, words, 50, **filters))).hits

    assert hits
    places = [hit.link if kind == "images" else hit.url for hit in hits]
    assert all(holds(item(kind, place)) for place in places)


async def test_what_fits_a_language_and_a_country_comes_first(serper):
    text = "rye bread lantern festival tidal energy"

    hits = (await serper.search_web(query(text=text, language="fr", country="fr"))).hits

    first = item("web", hits[0].url)
    assert (first.language, first.country) == ("fr", "fr")


@pytest.mark.parametrize(("key", "status"), [(WRONG_KEY, 401), (SPENT_KEY, 403)])
async def test_a_key_that_opens_nothing_is_told_from_an_empty_purse(provide, key, status):
    serper = await provide("serper", SERPER_API_KEY=key)

    with pytest.raises(Refused) as caught:
        await serper.search_web(query())

    assert (caught.value.source, caught.value.status) == ("serper", status)
    assert key not in str(caught.value)


async def test_what_may_be_billed_is_never_sent_twice(serper, internet):
    internet.cuts(HOST, times=1)

    with pytest.raises(Unavailable):
        await serper.search_web(query())

    assert len(internet.requests_to(HOST)) == 1


@pytest.mark.parametrize(
    "answer",
    [
        {"searchParameters": {"q": "x"}},
        {"searchParameters": {"q": "x"}, "organic": None},
        {"searchParameters": {"q": "x"}, "organic": {}},
        {"organic": [{"title": "T", "href": "https://a.example"}]},
        {"organic": [{"title": "T", "link": "/url?q=x"}]},
        {"message": "Something is wrong", "statusCode": 500},
    ],
)
async def test_results_that_are_missing_are_a_changed_shape(serper, internet, answer):
    internet.says(HOST, answer)

    with pytest.raises(BadAnswer):
        await serper.search_web(query())
