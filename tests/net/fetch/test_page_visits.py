"""Page requests: headers of each mode, cut and slow bodies, retries, errors by status."""

import pytest

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import BadAnswer, NotFound, Refused, Unavailable
from sourcewright.base.http_messages import Response
from sourcewright.net.fetch.page_visits import Visitor, read_visit

pytestmark = pytest.mark.anyio

URL = "https://pages.meridian.example/article"


@pytest.fixture
async def visitor(application):
    return Visitor((await application()).services.parts.network, hosts=None)


@pytest.mark.parametrize(
    ("mode", "accept", "browser"),
    [
        ("browser", "text/markdown,", True),
        ("source", "text/html,", True),
        ("plain", "text/", False),
    ],
)
async def test_each_manner_has_its_headers(visitor, internet, mode, accept, browser):
    visit = await visitor.visit(URL, mode)

    [seen] = internet.seen
    assert seen.headers["accept"].startswith(accept)
    assert ("Chrome/131" in seen.headers["user-agent"]) is browser
    assert (seen.headers.get("sec-fetch-mode") == "navigate") is browser
    assert ("sec-ch-ua" in seen.headers) is browser
    assert (visit.mode, visit.url, visit.cut) == (mode, URL, False)
    assert visit.content_type.startswith("text/html")


async def test_a_body_without_an_end_is_cut_and_says_so(visitor):
    url = "https://pages.meridian.example/huge.txt"

    cut = await visitor.visit(url, "plain", most_bytes=1000)
    whole = await visitor.visit(url, "plain")

    assert (len(cut.body), cut.cut) == (1000, True)
    assert whole.body.startswith(cut.body)
    assert whole.cut is False


async def test_a_page_that_drips_is_cut_when_its_time_is_over(visitor, internet):
    internet.drips("pages.meridian.example")

    with time_limit(5.0, SystemClock()):
        visit = await visitor.visit(URL, "plain")

    assert visit.body.startswith(b"<!DOCTYPE html>")
    assert visit.cut
    assert visit.problem.cause == "timeout"
    assert internet.waits_for_hang_up("pages.meridian.example")


async def test_a_page_that_is_silent_has_the_time_of_one_try(application, internet):
    network = (await application()).services.parts.network
    visitor = Visitor(network, hosts=None, seconds={"plain": 1.0})
    internet.delays("pages.meridian.example", 30)

    with pytest.raises(Unavailable, match=r"within 1 s"):
        await visitor.visit(URL, "plain")

    assert len(internet.requests_to("pages.meridian.example")) == 1


async def test_a_page_that_breaks_off_is_asked_for_again_and_given_whole(visitor, internet):
    internet.cuts("pages.meridian.example", times=1)

    visit = await visitor.visit(URL, "browser")

    assert visit.body.endswith(b"</html>\n")
    assert (visit.cut, visit.problem) == (False, None)


async def test_a_page_that_always_breaks_off_is_given_as_far_as_it_came(visitor, internet):
    internet.cuts("pages.meridian.example")

    visit = await visitor.visit(URL, "browser")

    assert visit.body.startswith(b"<!DOCTYPE html>")
    assert (visit.cut, visit.problem.cause) == (True, "cut")
    assert len(internet.seen) == 2


async def test_a_body_of_just_the_limit_is_whole(visitor, internet):
    internet.says("pages.meridian.example", b"x" * 1000, content_type="text/plain")

    visit = await visitor.visit(URL, "plain", most_bytes=1000)

    assert (len(visit.body), visit.cut) == (1000, False)


def answer(status, body=b"x"):
    return Response(status=status, headers={"content-type": "text/plain"}, body=body, url=URL)


@pytest.mark.parametrize(
    ("status", "detail"),
    [
        (402, "HTTP 402 (payment required)"),
        (403, "HTTP 403"),
        (444, "HTTP 444"),
        (451, "HTTP 451 (unavailable for legal reasons)"),
    ],
)
def test_a_refusal_is_told_with_what_its_status_means(status, detail):
    with pytest.raises(Refused) as caught:
        read_visit(answer(status), "plain")

    assert caught.value.detail == detail


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (answer(404), NotFound),
        (answer(410), NotFound),
        (answer(401), Refused),
        (answer(403), Refused),
        (answer(451), Refused),
        (answer(402), Refused),
        (answer(418), Refused),
        (answer(499), Refused),
        (answer(304), BadAnswer),
        (answer(200, b" \n"), BadAnswer),
    ],
)
def test_what_is_no_page_has_its_error(given, kind):
    with pytest.raises(kind) as caught:
        read_visit(given, "plain")

    assert caught.value.source == "page"
    assert caught.value.status == given.status
