"""Fallbacks when a page is read: site reader, plain request, browser, relay."""

import asyncio
import contextlib
from dataclasses import replace

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import (
    BadAnswer,
    Denial,
    Denied,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
    Unreadable,
)
from sourcewright.base.pages import FetchedDocument
from sourcewright.domain.document_ports import (
    NoBrowser,
)
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.reading.readings import Reading, RelayedPage
from sourcewright.services.cache import OperationCache
from sourcewright.services.pages.reader import PageReader
from sourcewright.services.pages.room import PageSlots

pytestmark = pytest.mark.anyio

URL = "https://a.example/page"
TEXT = "Slow water turns a wheel, and the wheel turns slow water into light. " * 5
REFUSAL = Denied("page: not there", Denial(reason="ssrf_private_address"))


def failing(kind, **more):
    return kind("page", "no", **more)


class Web:
    """A network with a text or an error for each fetch mode."""

    def __init__(self, **pages):
        self.pages = pages
        self.requests = []

    def check(self, url):
        """Refuse nothing."""

    holding_bodies = contextlib.nullcontext

    async def visit(self, url, mode, *, most_bytes=None):
        self.requests.append((mode, most_bytes))
        found = self.pages[mode]
        if isinstance(found, Exception):
            raise found
        return FetchedDocument(body=found.encode(), url=url, content_type="text/html", mode=mode)


class Documents:
    """Reads every body as the text of a page."""

    async def read(self, visit):
        return Reading(content=visit.body.decode(), kind="html")


class Site:
    """A site with an API of its own."""

    def __init__(self, outcome):
        self.outcome = outcome

    def accepts(self, url):
        return url == URL

    async def read_site(self, url):
        if isinstance(self.outcome, Exception):
            raise self.outcome
        return Reading(content=f"{self.outcome} {url}", kind="site")


class Relay:
    """A relay that reads pages for others."""

    def __init__(self):
        self.requests = []

    async def relay_page(self, url):
        self.requests.append(url)
        return RelayedPage(reading=Reading(content=TEXT, kind="html"), origin="crawled")


class Browser:
    """A browser that renders one page, or fails with one error."""

    def __init__(self, outcome, *, url=URL):
        self.outcome = outcome
        self.url = url
        self.requests = []

    async def render(self, url, /, *, served=None, patient=False):
        self.requests.append((url, served.body.decode() if served else None, patient))
        if isinstance(self.outcome, Exception):
            raise self.outcome
        body = self.outcome.encode()
        return FetchedDocument(body=body, url=self.url, content_type="text/html", mode="rendered")

    async def aclose(self):
        """There is nothing to close."""


def reader(web, *, site=None, relay=None, browser=None):
    clock = SystemClock()
    return PageReader(
        visitor=web,
        documents=Documents(),
        sites={"site": site} if site else {},
        relays={"exa": relay} if relay else {},
        hosts=None,
        cache=OperationCache(None, scope="test", clock=clock),
        clock=clock,
        renderer=browser or NoBrowser("none here"),
        room=PageSlots(5),
    )


def trace_of(read):
    return [(one.tier, one.outcome) for one in read.value.trace]


async def test_a_page_that_can_be_read_is_asked_for_once():
    web = Web(browser=TEXT)

    read = await reader(web).read(URL)

    assert trace_of(read) == [("stealth", "read")]
    assert read.value.extracted_by == "stealth"
    assert len(web.requests) == 1


async def test_a_site_is_asked_by_its_own_interface_first():
    web = Web(browser=TEXT)

    read = await reader(web, site=Site("told by the site")).read(URL)

    assert trace_of(read) == [("site", "read")]
    assert read.value.extracted_by is None
    assert web.requests == []


@pytest.mark.parametrize("kind", [NotFound, RateLimited, Refused, Unavailable, BadAnswer])
async def test_an_interface_that_fails_leaves_the_page_as_anybody_sees_it(kind):
    read = await reader(Web(browser=TEXT), site=Site(kind("site", "no"))).read(URL)

    assert trace_of(read) == [("site", "no"), ("stealth", "read")]
    assert read.value.reading.content == TEXT


async def test_what_an_interface_says_is_absent_is_absent_only_where_the_page_is():
    web = Web(browser=failing(Unavailable, status=503), plain=failing(Unavailable, status=503))

    with pytest.raises(NoSourceAnswered) as caught:
        await reader(web, site=Site(NotFound("site", "no such record"))).read(URL)

    assert isinstance(caught.value.decisive, Unavailable)
    assert "site: no such record, stealth: no, html: no" in str(caught.value)


@pytest.mark.parametrize(
    ("first", "visits"),
    [
        (REFUSAL, 1),
        (failing(NotFound, status=404), 1),
        (failing(RateLimited, status=429), 1),
        (failing(Unavailable, cause="connect"), 1),
        (failing(Unavailable, cause="tls"), 1),
        (failing(Unavailable, cause="timeout"), 2),
        (failing(Unavailable, status=503), 2),
        (failing(Refused, status=403), 2),
        (failing(BadAnswer), 2),
        ("Just a moment...", 2),
        ("", 2),
    ],
)
async def test_a_page_is_asked_again_only_where_that_may_help(first, visits):
    web = Web(browser=first, plain=failing(BadAnswer))

    with pytest.raises(NoSourceAnswered):
        await reader(web).read(URL)

    assert len(web.requests) == visits


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        (failing(Refused, status=403), failing(Unavailable), Refused),
        (failing(Refused, status=403), failing(Refused, status=401), Refused),
        (failing(Unavailable), failing(NotFound), NotFound),
        (failing(Unavailable), failing(RateLimited), RateLimited),
        (failing(Unavailable), failing(BadAnswer), BadAnswer),
        (failing(BadAnswer), REFUSAL, Denied),
        (failing(Unavailable), failing(Unavailable), Unavailable),
    ],
)
async def test_the_most_telling_failure_decides(first, second, kind):
    with pytest.raises(NoSourceAnswered) as caught:
        await reader(Web(browser=first, plain=second)).read(URL)

    assert isinstance(caught.value.decisive, kind)
    assert [one.source for one in caught.value.attempts if one.consulted] == ["stealth", "html"]


async def test_the_better_of_two_parts_is_given_as_a_part():
    read = await reader(Web(browser="Loading tides.", plain="Loading the tides.")).read(URL)

    assert read.value.reading.content == "Loading the tides."
    assert read.value.reading.quality == "partial"
    assert trace_of(read)[1] == ("html", "only 18 bytes of text")


@pytest.mark.parametrize(
    ("first", "relayed"),
    [
        (TEXT, False),
        (REFUSAL, False),
        (failing(NotFound, status=404), False),
        (failing(Refused, status=403), True),
        (failing(RateLimited, status=429), True),
        (failing(Unavailable, cause="connect"), True),
        ("Loading.", True),
    ],
)
async def test_others_hear_of_a_page_only_when_nothing_else_worked(first, relayed):
    relay = Relay()
    asking = reader(Web(browser=first, plain=first), relay=relay)

    try:
        read = await asking.read(URL)
    except NoSourceAnswered:
        read = None

    assert relay.requests == ([URL] if relayed else [])
    assert not relayed or read.value.extracted_by == "exa:crawled"


async def test_raw_bytes_are_asked_for_in_their_own_format_and_bounded():
    web = Web(source=failing(Refused, status=403), plain="as served")

    visit = await reader(web).visit(URL)

    assert visit.value.body == b"as served"
    assert web.requests == [("source", 5_000_000), ("plain", 5_000_000)]


SHELL = "<html><body>Loading the tides.</body></html>"
KNOWN = "https://app.tides.example/page"


async def test_a_shell_is_shown_in_a_browser_that_does_not_ask_for_it_again():
    browser = Browser(TEXT)

    read = await reader(Web(browser=SHELL, plain=SHELL), browser=browser).read(URL)

    assert browser.requests == [(URL, SHELL, False)]
    assert read.value.extracted_by == "browser"
    assert read.value.reading.content == TEXT
    assert [tier for tier, _ in trace_of(read)] == ["stealth", "html", "browser"]


async def test_a_page_without_any_text_is_shown_in_a_browser():
    empty = "<html><body></body></html>"

    class Empty(Documents):
        async def read(self, visit):
            return Reading(content="" if visit.body == empty.encode() else TEXT, kind="html")

    whole = reader(Web(browser=empty, plain=empty), browser=Browser(TEXT))
    read = await replace(whole, documents=Empty()).read(URL)

    assert read.value.extracted_by == "browser"


async def test_a_page_behind_a_wall_is_shown_in_a_browser():
    browser = Browser(TEXT)
    wall = failing(Refused, status=403)

    read = await reader(Web(browser=wall, plain=wall), browser=browser).read(URL)

    assert browser.requests == [(URL, None, False)]
    assert read.value.extracted_by == "browser"


async def test_a_site_that_is_known_to_build_itself_is_asked_once_and_shown():
    web, browser = Web(browser=f"<html>{TEXT}</html>"), Browser(TEXT, url=KNOWN)

    read = await reader(web, browser=browser).read(KNOWN)

    assert len(web.requests) == 1
    assert browser.requests == [(KNOWN, f"<html>{TEXT}</html>", True)]
    assert read.value.extracted_by == "browser"


async def test_a_known_site_that_shows_next_to_nothing_is_given_as_it_was_served():
    web = Web(browser=f"<html>{TEXT}</html>")

    read = await reader(web, browser=Browser(TEXT[:140], url=KNOWN)).read(KNOWN)

    assert read.value.extracted_by == "stealth"


@pytest.mark.parametrize(
    "outcome",
    [
        failing(NotFound, status=404),
        failing(RateLimited),
        failing(Refused, status=401),
        failing(Refused, status=402),
        failing(Refused, status=451),
        failing(Unavailable, cause="connect"),
        failing(Unavailable, cause="timeout"),
        REFUSAL,
    ],
)
async def test_no_browser_is_troubled_where_it_could_not_help(outcome):
    browser = Browser(TEXT)

    with pytest.raises(NoSourceAnswered):
        await reader(Web(browser=outcome, plain=outcome), browser=browser).read(URL)

    assert browser.requests == []


async def test_no_browser_is_troubled_for_a_page_that_was_read():
    browser = Browser(TEXT)

    await reader(Web(browser=f"<html>{TEXT}</html>"), browser=browser).read(URL)

    assert browser.requests == []


async def test_a_browser_that_does_not_start_leaves_the_part_that_there_is():
    broken = Unavailable("browser", "could not be started: no such file")

    read = await reader(Web(browser=SHELL, plain=SHELL), browser=Browser(broken)).read(URL)

    assert read.value.reading.quality == "partial"
    assert trace_of(read)[-1] == ("browser", "could not be started: no such file")


@pytest.mark.parametrize("first", [failing(Refused, status=403), "<html></html>"])
async def test_a_page_whose_scripts_lead_nowhere_is_not_called_absent(first):
    browser = Browser(NotFound("page", "HTTP 404", status=404))

    class Empty(Documents):
        async def read(self, _visit):
            return Reading(content="", kind="html")

    whole = reader(Web(browser=first, plain=first), browser=browser)
    with pytest.raises(NoSourceAnswered) as caught:
        await replace(whole, documents=Empty()).read(URL)

    assert len(browser.requests) == 1
    assert not isinstance(caught.value.decisive, NotFound)
    assert "browser: its scripts redirect to HTTP 404" in str(caught.value)


@pytest.mark.parametrize("relay", [None, Relay()], ids=["alone", "with a relay"])
async def test_a_document_that_cannot_be_read_is_asked_for_once(relay):
    web = Web(browser=failing(Unreadable, cause="format"))
    browser = Browser(TEXT)

    with contextlib.suppress(NoSourceAnswered):
        await reader(web, relay=relay, browser=browser).read(URL)

    assert len(web.requests) == 1
    assert browser.requests == []
    assert relay is None or relay.requests == [URL]


async def test_a_machine_without_a_browser_says_so_in_the_account():
    read = await reader(Web(browser=SHELL, plain=SHELL)).read(URL)

    assert trace_of(read)[-1] == ("browser", "none here")


async def test_a_browser_that_ends_elsewhere_than_allowed_gives_nothing():
    browser = Browser(TEXT, url="https://evil.example/")
    whole = reader(Web(browser=SHELL, plain=SHELL), browser=browser)

    read = await replace(whole, hosts=("a.example",)).read(URL)

    assert read.value.extracted_by == "stealth"
    assert "ALLOWED_DOMAINS" in trace_of(read)[-1][1]


async def test_no_more_pages_are_read_at_once_than_there_is_room_for():
    most = 0

    class Crowded(Web):
        inside = 0

        async def visit(self, url, mode, *, most_bytes=None):
            nonlocal most
            self.inside += 1
            most = max(most, self.inside)
            await asyncio.sleep(0)
            self.inside -= 1
            return await super().visit(url, mode, most_bytes=most_bytes)

    whole = reader(Crowded(browser=TEXT))
    await asyncio.gather(*(whole.read(f"{URL}/{n}") for n in range(20)))

    assert most == 5
