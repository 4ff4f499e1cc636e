"""DuckDuckGo, against the simulated site."""

from urllib.parse import parse_qsl, quote

import pytest

from sourcewright.base.errors import BadAnswer, RateLimited
from sourcewright.domain.web.hits import EngineResults, WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.providers.duckduckgo.results_page import read_results
from sourcewright.world.sites.duckduckgo import DOUBTED

pytestmark = pytest.mark.anyio

HOST = "html.duckduckgo.com"
HTML = "text/html; charset=utf-8"
ALWAYS = {"q": "sea otter", "kp": "-1", "kl": "wt-wt"}
BROAD = "sea otter tidal rye urban glacier"


@pytest.fixture
async def duckduckgo(provide):
    return await provide("duckduckgo")


@pytest.fixture
def sent(internet):
    def request():
        [seen] = internet.requests_to(HOST)
        assert (seen.method, seen.path) == ("GET", "/html/")
        return dict(parse_qsl(seen.query))

    return request


def query(text="sea otter", limit=5, **filters):
    return Query(kind="web", text=text, limit=limit, **filters)


def result(link, kind="web-result", title="T"):
    return (
        f'<div class="result {kind}"><h2><a class="result__a" href="{link}">{title}</a></h2>'
        '<a class="result__snippet">S</a></div>'
    )


def page(inside):
    return f'<html><body><div id="links" class="results">{inside}</div></body></html>'.encode()


async def test_a_page_is_told_without_the_address_that_counts_clicks(duckduckgo, item, sent):
    hits = (await duckduckgo.search_web(query())).hits

    source = item("web", hits[0].url)
    assert sent() == ALWAYS
    assert len(hits) == 5
    assert hits[0] == WebHit(
        title=source.title,
        url=source.url,
        snippet=source.text,
        published=f"{source.published:%Y-%m-%dT%H:%M:%SZ}",
    )


async def test_advertisements_are_left_out(duckduckgo):
    hits = (await duckduckgo.search_web(query(limit=20))).hits

    assert hits
    assert not any("duckduckgo" in hit.url or "Buy" in hit.title for hit in hits)


@pytest.mark.parametrize(
    ("filters", "params", "ignored"),
    [
        ({"time_range": "hour"}, {"df": "d"}, ("time_range",)),
        ({"time_range": "week"}, {"df": "w"}, ()),
        ({"time_range": "year"}, {"df": "y"}, ()),
        ({"safe": "off"}, {"kp": "-2"}, ()),
        ({"safe": "high"}, {"kp": "1"}, ()),
        ({"country": "gb"}, {"kl": "uk-en"}, ()),
        ({"country": "sa"}, {"kl": "xa-ar"}, ()),
        ({"country": "ch", "language": "fr"}, {"kl": "ch-fr"}, ()),
        ({"country": "jp", "language": "ja"}, {"kl": "jp-jp"}, ()),
        ({"country": "cn", "language": "zh"}, {"kl": "cn-zh"}, ()),
        ({"country": "tw", "language": "zh"}, {"kl": "tw-tzh"}, ()),
        ({"country": "de", "language": "fr"}, {"kl": "de-de"}, ("language",)),
        ({"country": "tv"}, {}, ("country",)),
        ({"language": "fr"}, {}, ("language",)),
        ({"exact_terms": "kelp forests"}, {"q": 'sea otter "kelp forests"'}, ()),
        ({"exclude_terms": "urchins"}, {"q": "sea otter -urchins"}, ()),
        ({"sites": ("a.b", "c.d/e")}, {"q": "sea otter (site:a.b OR site:c.d/e)"}, ()),
        ({"sort_by": "date", "file_type": "pdf"}, {}, ("sort_by", "file_type")),
    ],
)
async def test_a_filter_is_sent_or_named(duckduckgo, sent, filters, params, ignored):
    found = await duckduckgo.search_web(query(**filters))

    assert sent() == ALWAYS | params
    assert found.ignored == ignored


async def test_filters_that_are_sent_work(duckduckgo, item):
    there = await duckduckgo.search_web(query(text=BROAD, country="gb", limit=20))
    fresh = await duckduckgo.search_web(query(text=BROAD, time_range="day", limit=20))

    assert there.hits
    assert all(item("web", hit.url).country == "gb" for hit in there.hits)
    assert fresh.hits
    assert all(item("web", hit.url).age.days == 0 for hit in fresh.hits)


@pytest.mark.parametrize("text", ["!g sea otter", "sea !g otter", "sea otter !!", "\\sea otter"])
async def test_a_bang_sends_the_question_nowhere_else(duckduckgo, internet, sent, text):
    assert (await duckduckgo.search_web(query(text=text))).hits

    assert not set(sent()["q"]) & {"!", "\\"}
    assert {seen.host for seen in internet.seen} == {HOST}


async def test_a_long_question_loses_words_and_keeps_its_sites(duckduckgo, item, sent):
    found = await duckduckgo.search_web(query(text="sea otter " * 80, sites=("arxiv.org",)))

    outcome = sent()["q"]
    assert len(outcome) <= 499
    assert outcome.endswith(("otter site:arxiv.org", "sea site:arxiv.org"))
    assert all(item("web", hit.url).host == "arxiv.org" for hit in found.hits)


async def test_sites_that_leave_no_room_for_the_question_are_named(duckduckgo, sent):
    sites = tuple(
        f"a-host-with-a-very-long-name-{number}.example/and/a/path" for number in range(9)
    )

    found = await duckduckgo.search_web(query(text="sea otter " * 12, sites=sites))

    assert sent()["q"] == "sea otter " * 12
    assert found.ignored == ("sites",)


async def test_nothing_found_in_its_own_words_is_an_answer(duckduckgo):
    assert await duckduckgo.search_web(query(text="xyzzy")) == EngineResults(hits=())


async def test_a_captcha_is_a_limit_and_no_empty_result(duckduckgo):
    with pytest.raises(RateLimited) as caught:
        await duckduckgo.search_web(query(text=DOUBTED))

    assert caught.value.source == "duckduckgo"


@pytest.mark.parametrize("status", [202, 429])
@pytest.mark.parametrize("body", [b"", b"<html><body>Wait.</body></html>", page("No results.")])
async def test_a_status_that_asks_to_wait_is_a_limit(duckduckgo, internet, status, body):
    internet.breaks(HOST, status=status, body=body, content_type=HTML)

    with pytest.raises(RateLimited):
        await duckduckgo.search_web(query())


async def test_nobody_asks_again_while_it_wants_a_captcha(duckduckgo, internet):
    for _ in range(3):
        with pytest.raises(RateLimited):
            await duckduckgo.search_web(query(text=DOUBTED))

    assert len(internet.requests_to(HOST)) == 1


async def test_a_captcha_under_the_status_of_success_is_a_limit(duckduckgo, internet):
    captcha = page('<form id="challenge-form"></form>' + result("https://a.example/"))
    internet.says(HOST, captcha, content_type=HTML)

    with pytest.raises(RateLimited):
        await duckduckgo.search_web(query())


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>No results.</body></html>",
        b"<html><body>Service unavailable</body></html>",
        page(""),
        page("All results have moved."),
        page(result("//duckduckgo.com/y.js?u=1", "result--ad")),
        page(result("")),
        page(result("javascript:alert(1)")),
        page(result("//duckduckgo.com/l/?rut=1")),
        page(result("https://[")),
        page('<div class="result web-result"></div>'),
    ],
)
async def test_a_page_of_another_kind_is_no_empty_result(duckduckgo, internet, body):
    internet.says(HOST, body, content_type=HTML)

    with pytest.raises(BadAnswer):
        await duckduckgo.search_web(query())


@pytest.mark.parametrize(
    "words",
    [
        "No results.",
        "No  results.",
        "No more results.",
        "No results found for <b>x</b>.",
        '<div class="no-results">Nix</div>',
    ],
)
def test_each_known_way_of_saying_nothing_is_understood(words):
    assert read_results(page(words)).hits == ()


@pytest.mark.parametrize(
    ("link", "url"),
    [
        ("https://a.example/b", "https://a.example/b"),
        ("//a.example/b", "https://a.example/b"),
        (
            f"//duckduckgo.com/l/?uddg={quote('https://a.example/?q=1&r=2', safe='')}&amp;rut=0",
            "https://a.example/?q=1&r=2",
        ),
        ("/l/?uddg=https%3A%2F%2Fa.example%2F", "/l/?uddg=https%3A%2F%2Fa.example%2F"),
        (
            "https://evil.example/l/?uddg=https%3A%2F%2Fa.example",
            "https://evil.example/l/?uddg=https%3A%2F%2Fa.example",
        ),
    ],
)
def test_a_link_is_followed_on_paper_to_where_it_leads(link, url):
    [hit] = read_results(page(result(link))).hits

    assert hit.url == url


async def test_a_link_that_leads_nowhere_spoils_no_other(duckduckgo, internet):
    links = ("https://[", "javascript:1", "//duckduckgo.com/l/?uddg=%2F", "https://a.example/")
    internet.says(HOST, page("".join(map(result, links))), content_type=HTML)

    [hit] = (await duckduckgo.search_web(query())).hits

    assert hit.url == "https://a.example/"


def test_an_unmarked_advertisement_is_left_out():
    counted = quote("https://duckduckgo.com/y.js?ad_domain=shop.example", safe="")
    ad = result(f"//duckduckgo.com/l/?uddg={counted}")

    [hit] = read_results(page(ad + result("https://a.example/"))).hits

    assert hit.url == "https://a.example/"


async def test_there_are_neither_pictures_nor_articles(duckduckgo):
    assert not hasattr(duckduckgo, "search_images")
    assert not hasattr(duckduckgo, "search_news")
