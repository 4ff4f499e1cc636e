"""What Google, Brave, Serper and SearchApi have in common: hits, filters that hold, and keys."""

from datetime import datetime, timedelta

import pytest

from sourcewright.base.errors import RateLimited, Refused
from sourcewright.domain.web.hits import ImageHit
from sourcewright.domain.web.queries import Query
from sourcewright.world.sites.google import NEWS_ENGINE, SPENT_KEY, WRONG_KEY

pytestmark = pytest.mark.anyio

KEYS = {
    "google": "GOOGLE_CUSTOM_SEARCH_API_KEY",
    "brave": "BRAVE_API_KEY",
    "serper": "SERPER_API_KEY",
    "searchapi": "SEARCHAPI_API_KEY",
}
MORE = {"google": {"GOOGLE_CUSTOM_SEARCH_ID": NEWS_ENGINE}}
"""An engine of Google's that knows articles; the others always do."""
THUMBNAILS = {
    "google": "https://encrypted-tbn0.gstatic.com/images?q=tbn:{}",
    "serper": "https://encrypted-tbn0.gstatic.com/images?q=tbn:{}",
    "brave": "https://imgs.search.brave.com/{}/rs:fit:500:0:0",
}
"""SearchApi sends the bytes themselves, which are no address."""
FILE_SIZES = {"google": "34567", "searchapi": "34KB"}
WORDS = "sea otter glacier memory rye bread urban bees tidal energy lantern festival"


@pytest.fixture
def engine(provide):
    async def build(name, key="s3cret"):
        return await provide(name, **{KEYS[name]: key}, **MORE.get(name, {}))

    return build


def query(kind="news", text="sea otter", limit=5, **filters):
    return Query(kind=kind, text=text, limit=limit, **filters)


@pytest.mark.parametrize("name", KEYS)
async def test_an_article_is_told_as_it_is(engine, item, name):
    hits = (await (await engine(name)).search_news(query())).hits

    assert len(hits) == 5
    for hit in hits:
        source = item("news", hit.url)
        assert (hit.title, hit.source, hit.snippet) == (source.title, source.host, source.text)
        assert abs(datetime.fromisoformat(hit.published) - source.published) < timedelta(days=1)


@pytest.mark.parametrize("name", [name for name in KEYS if name not in MORE])
async def test_a_page_is_told_as_it_is(engine, item, name):
    hits = (await (await engine(name)).search_web(query("web"))).hits

    assert len(hits) == 5
    for hit in hits:
        source = item("web", hit.url)
        assert (hit.title, hit.snippet) == (source.title, source.text)
        assert abs(datetime.fromisoformat(hit.published) - source.published) < timedelta(days=1)


@pytest.mark.parametrize("name", KEYS)
async def test_a_picture_is_told_with_its_page(engine, item, name):
    hits = (await (await engine(name)).search_images(query("images"))).hits

    assert len(hits) == 5
    for hit in hits:
        source = item("images", hit.link)
        assert hit == ImageHit(
            title=source.title,
            link=source.url,
            thumbnail=THUMBNAILS[name].format(source.width) if name in THUMBNAILS else None,
            context=source.url.removesuffix(".jpg"),
            width=source.width,
            height=source.height,
            file_size=FILE_SIZES.get(name),
        )


@pytest.mark.parametrize(
    ("filters", "holds"),
    [
        ({"time_range": "day"}, lambda one: one.age.days < 1),
        ({"time_range": "month"}, lambda one: one.age.days < 31),
        ({"sites": ("arxiv.org",)}, lambda one: one.host == "arxiv.org"),
        (
            {"sites": ("arxiv.org", "www.bbc.co.uk")},
            lambda one: one.host in ("arxiv.org", "www.bbc.co.uk"),
        ),
        ({"exact_terms": "kelp forests"}, lambda one: "kelp forests" in one.text),
        ({"exclude_terms": "kelp"}, lambda one: "kelp" not in one.text),
        (
            {"exclude_terms": "kelp storms"},
            lambda one: {"kelp", "storms"}.isdisjoint(one.text.split()),
        ),
    ],
)
@pytest.mark.parametrize("name", KEYS)
async def test_a_filter_holds_for_every_hit(engine, item, name, filters, holds):
    findings = await (await engine(name)).search_news(query(text=WORDS, limit=50, **filters))

    assert findings.hits
    assert findings.ignored == ()
    assert all(holds(item("news", hit.url)) for hit in findings.hits)


@pytest.mark.parametrize(
    ("name", "language"), [("google", "de"), ("brave", "ja"), ("searchapi", "fr")]
)
async def test_a_language_holds_where_an_engine_can_insist_on_it(engine, item, name, language):
    hits = (await (await engine(name)).search_news(query(text=WORDS, language=language))).hits

    assert {item("news", hit.url).language for hit in hits} == {language}


@pytest.mark.parametrize(
    ("name", "country"), [("google", "gb"), ("brave", "gb"), ("google", "jp")]
)
async def test_a_country_holds_where_an_engine_can_insist_on_it(engine, item, name, country):
    hits = (await (await engine(name)).search_news(query(text=WORDS, country=country))).hits

    assert {item("news", hit.url).country for hit in hits} == {country}


@pytest.mark.parametrize("name", ["serper", "searchapi"])
async def test_a_country_comes_first_where_an_engine_takes_it_for_a_wish(engine, item, name):
    hits = (await (await engine(name)).search_news(query(text=WORDS, country="gb"))).hits

    assert item("news", hits[0].url).country == "gb"


@pytest.mark.parametrize("name", ["google", "serper", "searchapi"])
async def test_the_newest_articles_come_first_when_asked_for(engine, name):
    hits = (await (await engine(name)).search_news(query(text=WORDS, sort_by="date"))).hits

    dates = [hit.published for hit in hits]
    assert len(set(dates)) > 1
    assert dates == sorted(dates, reverse=True)


@pytest.mark.parametrize("name", ["google", "serper", "searchapi"])
async def test_large_pictures_are_large(engine, name):
    large = query("images", WORDS, 50, size="large")

    hits = (await (await engine(name)).search_images(large)).hits

    assert hits
    assert min(hit.width for hit in hits) >= 600


@pytest.mark.parametrize("name", KEYS)
async def test_a_key_is_sent_in_a_header_and_never_in_an_address(engine, internet, name):
    await (await engine(name)).search_news(query())

    [seen] = internet.seen
    assert any("s3cret" in value for value in seen.headers.values())
    assert "s3cret" not in f"{seen.path}?{seen.query}"


@pytest.mark.parametrize(
    ("name", "key", "kind", "status"),
    [
        *((name, WRONG_KEY, Refused, 401) for name in KEYS),
        ("google", SPENT_KEY, RateLimited, 429),
        ("brave", SPENT_KEY, RateLimited, 429),
        ("searchapi", SPENT_KEY, RateLimited, 429),
        ("serper", SPENT_KEY, Refused, 403),
    ],
)
async def test_a_wrong_key_is_told_from_a_spent_one(engine, name, key, kind, status):
    """Google and Brave answer a wrong key as they do a wrong question, and Serper a spent one."""
    with pytest.raises(kind) as caught:
        await (await engine(name, key)).search_news(query())

    assert (caught.value.source, caught.value.status) == (name, status)
    assert key not in str(caught.value)
