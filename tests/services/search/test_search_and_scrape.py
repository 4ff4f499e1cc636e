"""Reading search results concurrently, within the deadline, recorded once in a session."""

import asyncio
from dataclasses import replace
from functools import partial

import pytest
import warm_python
from loop_clock import LoopClock, movable_loop

from sourcewright.base.calls import NO_CALL, CallContext, current_call
from sourcewright.base.errors import Unavailable
from sourcewright.domain.calls import collecting
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.web.queries import Query
from sourcewright.services.search.search_and_scrape import MAX_CONCURRENT, RANKING_SECONDS
from sourcewright.services.search.web_search import SearchOptions
from sourcewright.tools._failures.research import problem_of
from sourcewright.wiring import Machine

pytestmark = pytest.mark.anyio

BRAVE = "api.search.brave.com"
KEY = {"BRAVE_API_KEY": "an-invented-key", "SEARCH_PROVIDER": "brave"}
TEXT = "# Tides\n\n" + "The water rises twice a day, and twice it falls again. " * 9


def url_of(number):
    return f"https://s{number}.example/page"


@pytest.fixture
async def gathering(application, internet):
    """Lets a search find so many pages; returns the function that reads them."""

    async def start(count):
        found = [{"url": url_of(n), "title": f"{n}", "description": ""} for n in range(count)]
        listing = {"type": "search", "query": {"original": "x"}, "web": {"results": found}}
        internet.says(BRAVE, listing)
        internet.says("s*.example", TEXT.encode(), content_type="text/markdown")
        machine = Machine(clock=LoopClock(), interpreter=warm_python.python())
        search_and_scrape = (await application(machine, **KEY)).services.search.search_and_scrape

        async def gather(**options):
            query = Query(kind="web", text="tides", limit=10)
            return await search_and_scrape.gather(query, SearchOptions(**options))

        return gather

    return start


@pytest.fixture(autouse=True)
async def a_call_that_ends_with_its_test():
    """Tests share one context: reset the deadline of this one."""
    yield
    current_call.set(NO_CALL)


def seconds_for_reading(seconds):
    """Set the time that a call has for its pages."""
    deadline = LoopClock().monotonic() + RANKING_SECONDS + seconds
    current_call.set(replace(current_call.get(), deadline=deadline))


async def test_five_pages_are_read_at_once_and_no_more(gathering, internet):
    gather = await gathering(MAX_CONCURRENT + 2)
    internet.delays("s*.example", 30)

    task = asyncio.create_task(gather())
    waits = partial(asyncio.to_thread, internet.waits_for_request)
    reached = all([await waits(f"s{n}.example") for n in range(MAX_CONCURRENT)])
    hosts = {seen.host for seen in internet.seen} - {BRAVE}
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    assert reached
    assert hosts == {f"s{n}.example" for n in range(MAX_CONCURRENT)}


async def test_leaving_ends_every_request(gathering, internet):
    gather = await gathering(3)
    internet.delays("s*.example", 30)

    task = asyncio.create_task(gather())
    for n in range(3):
        assert await asyncio.to_thread(internet.waits_for_request, f"s{n}.example")
    task.cancel()

    with pytest.raises(asyncio.CancelledError):
        await task
    for n in range(3):
        assert await asyncio.to_thread(internet.waits_for_hang_up, f"s{n}.example")


async def test_when_time_is_up_the_answer_is_what_there_is(gathering, internet):
    gather = await gathering(7)
    for n in (0, 1, 2, 3):
        internet.delays(f"s{n}.example", 600)

    async def end_time_after_three_pages(_message, *, done=None, total=None):
        if (done, total) == (3, 7):
            movable_loop().move(300.0)

    current_call.set(CallContext(progress=end_time_after_three_pages))
    seconds_for_reading(300.0)

    gathered = await gather()

    assert {one.url for one in gathered.pages} == {url_of(n) for n in (4, 5, 6)}
    assert {one.hit.url for one in gathered.failed} == {url_of(n) for n in (0, 1, 2, 3)}
    for one in gathered.failed:
        assert isinstance(one.error, NoSourceAnswered)
        assert isinstance(one.error.decisive, Unavailable)
        assert one.error.decisive.cause == "timeout"
        assert problem_of(one.error).kind == "network"
        assert problem_of(one.error).suggested_action == "retry_after_delay"
        assert str(one.error).startswith(f"Network error on {one.hit.url}: ")


async def test_pages_that_were_never_begun_are_failures_too(gathering, internet):
    gather = await gathering(7)
    internet.delays("s*.example", 30)
    seconds_for_reading(0.5)

    gathered = await gather()

    assert gathered.pages == ()
    assert len(gathered.failed) == 7
    assert {one.error.decisive.cause for one in gathered.failed} == {"timeout"}


async def test_what_was_read_is_noted_for_the_session_and_what_was_not_with_its_error(
    gathering, internet
):
    gather = await gathering(3)
    internet.breaks("s1.example", status=404)

    with collecting() as findings:
        await gather()

    assert [(one.url, one.tag) for one in findings.sources] == [
        (url_of(0), "scraped"),
        (url_of(2), "scraped"),
    ]
    outcomes = [(one.provider, one.url, one.error is None) for one in findings.outcomes]
    assert outcomes == [
        ("brave", None, True),
        ("scrape_page", url_of(0), True),
        ("scrape_page", url_of(1), False),
        ("scrape_page", url_of(2), True),
    ]


async def test_the_order_is_that_of_the_search_whoever_answers_first(gathering, internet):
    gather = await gathering(4)
    internet.delays("s0.example", 0.3)

    gathered = await gather()

    assert [one.url for one in gathered.pages] == [url_of(n) for n in range(4)]


@pytest.mark.parametrize(("pages", "words"), [(1, "reading 1 page"), (2, "reading 2 pages")])
async def test_progress_is_told_to_whoever_called(gathering, pages, words):
    gather = await gathering(pages)
    reports = []

    async def tell(message, *, done=None, total=None):
        reports.append((message, done, total))

    current_call.set(CallContext(progress=tell))
    await gather()

    assert reports[0] == ("searching tides", 0, 10)
    assert words in [message for message, _, _ in reports]
    done = [(done, total) for _, done, total in reports if done]
    assert done == [(n, pages) for n in range(1, pages + 1)]


async def test_a_page_whose_reading_outlasts_the_call_is_named_like_any_other(gathering, internet):
    """Waiting for another call's reading of the same page ends with the own time."""
    gather = await gathering(1)
    internet.delays("s*.example", 30)
    first = asyncio.create_task(gather())
    assert await asyncio.to_thread(internet.waits_for_request, "s0.example")
    seconds_for_reading(0.1)

    [failed] = (await gather()).failed
    first.cancel()

    assert str(failed.error).startswith(f"Network error on {url_of(0)}: ")
    assert problem_of(failed.error).kind == "network"
    with pytest.raises(asyncio.CancelledError):
        await first
