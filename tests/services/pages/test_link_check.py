"""Links are checked in one bounded batch, and a failure to check is never a dead link."""

import pytest

from sourcewright.base.links import LinkCheck
from sourcewright.services.pages import link_check

pytestmark = pytest.mark.anyio

NEWS = "https://www.harbour-times.example"
LIVE = "https://signposts.example/article/1"


@pytest.fixture
async def check(application):
    """Checks links as the tools do."""

    async def run(*urls, **changes):
        app = await application(**changes)
        return await app.services.pages.link_checker.check(urls)

    return run


def methods(internet, host):
    return [seen.method for seen in internet.requests_to(host)]


async def test_a_page_that_answers_is_live_and_costs_one_request(check, internet):
    found = await check(LIVE)

    assert found[LIVE].state == "live"
    assert found[LIVE].http_status == 200
    assert methods(internet, "signposts.example") == ["HEAD"]
    assert internet.requests_to("archive.org") == []


async def test_a_page_that_is_gone_has_its_archived_copy(check, internet):
    url = f"{NEWS}/2014/gone"

    found = await check(url)

    assert (found[url].state, found[url].http_status) == ("dead", 404)
    assert found[url].snapshot.url == f"https://web.archive.org/web/20190615083000/{url}"
    assert found[url].snapshot.taken_at == "2019-06-15T08:30:00Z"
    assert methods(internet, "www.harbour-times.example") == ["HEAD", "GET"]


async def test_a_page_that_nobody_copied_is_dead_without_one(check):
    url = "https://museum.faro.example/nothing-here"

    found = await check(url)

    assert found[url].state == "dead"
    assert (found[url].snapshot, found[url].snapshot_problem) == (None, None)


async def test_a_server_without_head_is_asked_in_full(check, internet):
    internet.breaks("signposts.example", status=404, times=1)

    found = await check(LIVE)

    assert (found[LIVE].state, found[LIVE].http_status) == ("live", 200)
    assert methods(internet, "signposts.example") == ["HEAD", "GET"]


@pytest.mark.parametrize("status", [401, 403, 429, 451, 503, 999])
async def test_a_server_that_declines_us_has_the_page_for_all_we_know(check, internet, status):
    internet.breaks("signposts.example", status=status)

    found = await check(LIVE)

    assert found[LIVE].state == "refused"
    assert internet.requests_to("archive.org") == []


@pytest.mark.parametrize("status", [500, 502, 504])
async def test_a_server_that_fails_leaves_the_link_unchecked(check, internet, status):
    internet.breaks("signposts.example", status=status)

    found = await check(LIVE)

    assert (found[LIVE].state, found[LIVE].http_status) == ("unchecked", status)
    assert found[LIVE].snapshot is None
    assert methods(internet, "signposts.example") == ["HEAD", "GET", "GET"]


async def test_a_host_that_is_silent_is_unchecked_and_looked_up_in_the_archive(check, internet):
    internet.unplugs("signposts.example")

    found = await check(LIVE)

    assert found[LIVE].state == "unchecked"
    assert found[LIVE].problem


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/admin",
        "http://169.254.169.254/latest/meta-data/",
        "http://localhost:8080/",
        "ftp://a.example/",
        "https://signposts.example/inside",
    ],
)
async def test_nothing_private_is_asked_or_told_to_an_archive(check, internet, url):
    found = await check(url)

    assert found[url].state == "unchecked"
    assert "not requested" in found[url].problem
    assert {seen.host for seen in internet.seen} <= {"signposts.example"}


async def test_only_hosts_that_the_operator_allows_are_asked(check, internet):
    found = await check(LIVE, ALLOWED_DOMAINS="museum.faro.example")

    assert found[LIVE].state == "unchecked"
    assert internet.seen == []


@pytest.mark.parametrize("status", [429, 500, 403])
async def test_an_archive_that_fails_is_named_and_fails_nothing(check, internet, status):
    internet.breaks("archive.org", status=status)
    url = f"{NEWS}/2014/gone"

    found = await check(url, LIVE)

    assert found[url].state == "dead"
    assert "wayback" in found[url].snapshot_problem
    assert found[LIVE].state == "live"


async def test_many_links_are_one_batch_and_the_rest_is_said_to_be_unchecked(check):
    urls = [f"https://signposts.example/article/1?n={n}" for n in range(link_check.MAX_LINKS + 3)]

    found = await check(*urls, *urls)

    assert list(found) == urls
    assert [one.state for one in found.values()].count("live") == link_check.MAX_LINKS
    assert {one.problem for one in list(found.values())[link_check.MAX_LINKS :]} == {
        "one call checks at most 200 links"
    }


async def test_a_page_that_leads_home_is_said_to(check, internet):
    internet.redirects("signposts.example", to="https://museum.faro.example/", path="/article/1")
    internet.says("museum.faro.example", b"<p>home</p>", path="/", content_type="text/html")

    found = await check(LIVE)

    assert found[LIVE].state == "live"
    assert found[LIVE].problem == "now redirects to the home page of museum.faro.example"
    assert (found[LIVE].change, found[LIVE].final_url) == (
        "front_page",
        "https://museum.faro.example/",
    )
    assert found[LIVE].snapshot is not None


async def test_a_page_that_has_moved_says_where_to(check, internet):
    internet.redirects("signposts.example", to=f"{NEWS}/tides?x=1", path="/article/1")
    internet.says("www.harbour-times.example", b"<p>here</p>", content_type="text/html")

    found = await check(LIVE)

    assert (found[LIVE].state, found[LIVE].change) == ("live", "moved")
    assert found[LIVE].final_url == f"{NEWS}/tides?x=1"
    assert found[LIVE].problem == f"moved to {NEWS}/tides"
    assert found[LIVE].snapshot is None


async def test_only_the_start_of_a_page_is_asked_for(check, internet):
    internet.breaks("signposts.example", status=405, times=1)

    await check(LIVE)

    head, get = internet.requests_to("signposts.example")
    assert "range" not in head.headers
    assert get.headers["range"] == "bytes=0-16383"


async def test_a_page_without_content_is_there(check, internet):
    internet.breaks("signposts.example", status=416)

    found = await check(LIVE)

    assert found[LIVE].state == "live"


async def test_what_was_found_lately_can_be_used_again(application, internet):
    checker = (await application()).services.pages.link_checker
    await checker.check_one(LIVE)
    await checker.check_one(LIVE)

    assert len(internet.requests_to("signposts.example")) == 1
    await checker.check([LIVE])
    assert len(internet.requests_to("signposts.example")) == 2


class SlowProbe:
    """Takes ten seconds of the test's clock for each address."""

    def __init__(self, clock):
        self.clock = clock

    async def probe(self, _url):
        self.clock.time += 10
        return LinkCheck(state="live", http_status=200)


class StoppedClock:
    """A clock that only the test moves."""

    time = 1_000.0

    def now(self):
        return self.time

    def monotonic(self):
        return self.time

    async def sleep(self, seconds):
        self.time += seconds


async def test_when_time_is_up_the_remaining_links_are_said_to_be_unchecked():
    clock = StoppedClock()
    checker = link_check.LinkChecker(probe=SlowProbe(clock), archives={}, clock=clock)

    found = await checker.check([f"https://a.example/{n}" for n in range(9)])

    states = [one.state for one in found.values()]
    assert states == [*["live"] * 3, *["unchecked"] * 6]
    assert {one.problem for one in list(found.values())[3:]} == {
        "not checked before the deadline of the call"
    }
