"""DuckDuckGo, over every real page that was recorded."""

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited
from sourcewright.domain.web.queries import Query

pytestmark = pytest.mark.anyio

HOST = "html.duckduckgo.com"
QUERY = Query(kind="web", text="x", limit=100)

# By file: how many hits, how many of them with a date, and the first one's title and address.
RECORDED = {
    "lofi-ddg.html": (
        10,
        1,
        "Foo Fighters - Wikipedia",
        "https://en.wikipedia.org/wiki/Foo_Fighters",
    ),
    "meka-ddg-results.html": (10, 4, "Rust Programming Language", "https://rust-lang.org/"),
    "meka-ddg-with-ad.html": (
        10,
        10,
        "The 7 Best Mechanical Keyboards of 2026 - RTINGS.com",
        "https://www.rtings.com/keyboard/reviews/best/mechanical",
    ),
    "searx-duckduckgo-html-71.txt": (
        1,
        0,
        "This is the title",
        "http://this.should.be.the.link/\u0171",
    ),
}
CAPTCHA = "meka-ddg-captcha.html"
OTHERS = {"openserp-ddg-results.html", "searx-duckduckgo-images-json-46.json"}
"""A page that scripts made, and pictures."""


@pytest.fixture
async def read(recorded, provide, internet):
    """The hits that are read from one recorded page."""
    duckduckgo = await provide("duckduckgo")
    files = {file.name: file for file in recorded("duckduckgo")}

    async def run(name):
        internet.mends()
        internet.says(HOST, files[name].read_bytes(), content_type="text/html; charset=UTF-8")
        return (await duckduckgo.search_web(QUERY)).hits

    return run


def test_every_recorded_page_is_met(recorded):
    assert {file.name for file in recorded("duckduckgo")} == {*RECORDED, CAPTCHA, *OTHERS}


@pytest.mark.parametrize("name", RECORDED)
async def test_a_recorded_page_is_read_to_its_last_hit(read, name):
    hits = await read(name)

    dated = sum(hit.published is not None for hit in hits)
    assert (len(hits), dated, hits[0].title, hits[0].url) == RECORDED[name]
    assert all(hit.title and hit.snippet and "duckduckgo.com" not in hit.url for hit in hits)
    assert not any("<b>" in hit.snippet or "&#" in hit.snippet for hit in hits)


async def test_the_recorded_captcha_is_a_limit(read):
    with pytest.raises(RateLimited):
        await read(CAPTCHA)


@pytest.mark.parametrize("name", sorted(OTHERS))
async def test_what_is_no_page_of_results_is_not_read_as_one(read, name):
    with pytest.raises(BadAnswer):
        await read(name)
