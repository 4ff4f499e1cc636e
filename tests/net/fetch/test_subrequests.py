"""Subrequests of a rendered page: guarded at each redirect, and bounded in number and size."""

import asyncio

import pytest

from sourcewright.base.errors import (
    Denied,
    InvalidInput,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
)
from sourcewright.base.http_messages import Request
from sourcewright.net.fetch.subrequests import PageLimits, Subrequests
from sourcewright.net.http.client import Client

pytestmark = pytest.mark.anyio
PAGE = "https://pages.example/"
PART = f"{PAGE}part"


@pytest.fixture
async def page_with(internet):
    """The subrequests of a page in the simulated world, within limits."""
    internet.says("*.example", b"a part", content_type="text/plain")
    client = Client(user_agent="us", sandbox_url=internet.url)

    def make(*, hosts=None, seconds=30.0, **allowance):
        shared = Subrequests(client, hosts=hosts, allowance=PageLimits(**allowance))
        return shared.of_page(seconds=seconds)

    yield make
    await client.aclose()


async def test_a_part_is_asked_for_as_the_page_asks_by_one_browser(page_with, internet):
    headers = {"X-Token": "t", "User-Agent": "Headless", "Cookie": "a=1"}

    answer = await page_with().ask(Request(url=PART, method="POST", headers=headers, body=b"sent"))

    (seen,) = internet.seen
    assert (answer.status, answer.body) == (200, b"a part")
    assert (seen.method, seen.body, seen.headers["x-token"]) == ("POST", b"sent", "t")
    assert seen.headers["cookie"] == "a=1"
    assert "Chrome/131" in seen.headers["user-agent"]
    assert seen.headers["accept-language"] == "en-US,en;q=0.9"


async def test_a_redirect_is_given_back_and_its_target_is_asked_for_like_anything_else(
    page_with, internet
):
    internet.redirects("pages.example", "http://127.0.0.1:1/", "/part")
    page = page_with()

    answer = await page.ask(Request(url=PART))

    assert (answer.status, answer.headers["location"]) == (302, "http://127.0.0.1:1/")
    with pytest.raises(Denied, match="not on the public internet"):
        await page.ask(Request(url=answer.headers["location"]))
    assert [seen.path for seen in internet.seen] == ["/part"]


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/",
        "http://[::1]/",
        "http://10.0.0.1/",
        "http://localhost/",
        "http://169.254.169.254/latest/",
        "http://metadata.google.internal/",
        "https://me@pages.example/",
        "https://pages.example:25/",
        "file:///etc/passwd",
        "ws://pages.example/",
        "chrome://version",
    ],
)
async def test_what_the_guard_refuses_is_not_asked_for(page_with, internet, url):
    with pytest.raises((Denied, InvalidInput)):
        await page_with().ask(Request(url=url))

    assert internet.seen == []


async def test_only_the_allowed_hosts_are_asked(page_with, internet):
    page = page_with(hosts=("pages.example",))

    await page.ask(Request(url=PART))
    with pytest.raises(Denied):
        await page.ask(Request(url="https://elsewhere.example/"))

    assert [seen.host for seen in internet.seen] == ["pages.example"]


@pytest.mark.parametrize(
    ("allowance", "request_"),
    [
        ({"requests": 1}, Request(url=PART)),
        ({"total_bytes": 6}, Request(url=PART)),
        ({"each_bytes": 5, "requests": 2}, Request(url=PART)),
        ({"sent_bytes": 3}, Request(url=PART, method="POST", body=b"more")),
        ({}, Request(url=PART, method="DELETE")),
        ({}, Request(url=PART, method="PUT", body=b"x")),
    ],
)
async def test_a_page_that_has_had_its_share_gets_no_more(page_with, allowance, request_):
    page = page_with(**allowance)
    if "each_bytes" not in allowance:
        await page.ask(Request(url=PART))

    with pytest.raises(Denied):
        await page.ask(request_)


async def test_no_more_are_under_way_at_once_than_a_browser_would_have(page_with, internet):
    internet.delays("pages.example", 30.0)
    page = page_with(at_once=3, at_once_per_host=2)
    tasks = [asyncio.create_task(page.ask(Request(url=f"{PAGE}{n}"))) for n in range(5)]
    assert await asyncio.to_thread(internet.waits_for_request, "pages.example", 2)

    other = await page.ask(Request(url="https://elsewhere.example/"))

    assert other.status == 200
    assert len(internet.requests_to("pages.example")) == 2
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


@pytest.mark.parametrize("times", [{"each_seconds": 0.1}, {"seconds": 0.1}])
async def test_a_part_that_does_not_come_in_time_is_given_up(page_with, internet, times):
    internet.delays("pages.example", 30.0)

    with pytest.raises(Unavailable) as caught:
        await page_with(**times).ask(Request(url=PART))

    assert caught.value.cause == "timeout"


async def test_after_its_time_a_page_asks_for_nothing(page_with, internet):
    with pytest.raises(Unavailable):
        await page_with(seconds=0.0).ask(Request(url=PART))

    assert internet.seen == []


@pytest.mark.parametrize(
    ("status", "kind"),
    [(200, None), (404, NotFound), (410, NotFound), (403, Refused), (429, RateLimited)],
)
async def test_what_an_answer_is_to_the_page_itself_is_told(page_with, internet, status, kind):
    internet.breaks("pages.example", status=status)
    page = page_with()

    problem = page.problem_in(await page.ask(Request(url=PART)))

    assert (type(problem) if problem else None) is kind


async def test_each_of_several_cookies_is_kept_apart(serve, connect):
    site = await serve(
        b"HTTP/1.1 200 So\r\nSet-Cookie: a=1; Expires=Mon, 1 Jan 2035 00:00:00 GMT\r\n"
        b"Set-Cookie: b=2\r\nContent-Length: 0\r\n\r\n"
    )
    client = connect(sandbox_url=site.origin)
    page = Subrequests(client, hosts=None).of_page(seconds=5.0)

    answer = await page.ask(Request(url=PAGE))

    assert answer.headers["set-cookie"].split("\n") == [
        "a=1; Expires=Mon, 1 Jan 2035 00:00:00 GMT",
        "b=2",
    ]


async def test_what_the_operator_opened_is_open_to_no_page(serve, connect, say):
    site = await serve(say(200, body=b"private"))
    subrequests = Subrequests(connect(allowed_origins=[site.origin]), hosts=None)

    with pytest.raises(Denied, match="not on the public internet"):
        await subrequests.of_page(seconds=5.0).ask(Request(url=site.origin))

    assert site.heads == []
