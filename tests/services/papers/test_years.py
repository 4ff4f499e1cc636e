"""The publication year of a DOI: looked up once, within a time limit."""

import asyncio
import time
from dataclasses import dataclass

import pytest

from sourcewright.base.calls import CallContext, current_call
from sourcewright.base.clocks import SystemClock
from sourcewright.base.identifiers import Doi
from sourcewright.net.fetch.files import OpenCopies
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.copies import CopyFinder
from sourcewright.services.papers.download import YEAR_SECONDS, Downloader, RecordCache

pytestmark = pytest.mark.anyio

CROSSREF, MIRROR = "api.crossref.org", "mirror.shadow.example"
MIRRORED = {"SCIHUB_MIRRORS": f"https://{MIRROR}", "SCIHUB_ACCEPT_RESPONSIBILITY": "1"}
OLD = Doi("10.5555/of-2013")


@dataclass
class LateClock(SystemClock):
    """The machine's time, but late: what it takes for five seconds from now is nearly here."""

    seconds: float = YEAR_SECONDS - 0.3

    def monotonic(self):
        return time.monotonic() - self.seconds


@pytest.fixture
def years(application):
    """The year lookup as it is wired, with a clock of the test; and a way to call it."""

    async def build(clock=None, **changes):
        services = (await application(**changes)).services
        records = RecordCache(services.papers.resolver, clock or services.parts.clock)

        async def ask(doi):
            return (await records.ask(doi, Inquiry(doi, services.parts.recorder)))["crossref"]

        return ask

    return build


async def test_a_year_that_was_told_is_not_asked_for_again(years, internet):
    ask = await years()

    first, second = await ask(OLD), await ask(OLD)

    assert (first.answer.year, second.answer.year) == (2013, 2013)
    assert second.attempt.detail == "from an earlier request"
    assert len(internet.requests_to(CROSSREF)) == 1


async def test_a_failure_is_not_remembered(years, internet):
    ask = await years()
    internet.breaks(CROSSREF, status=403, times=1)

    first, second = await ask(OLD), await ask(OLD)

    assert (first.answer, first.attempt.outcome) == (None, "consulted_failed")
    assert second.answer.year == 2013


async def test_a_missing_record_is_not_remembered_either(years, internet):
    ask = await years()
    unknown = Doi("10.1234/registered-tomorrow")

    first, second = await ask(unknown), await ask(unknown)

    assert first.absent
    assert second.absent
    assert len(internet.requests_to(CROSSREF)) == 2


async def test_a_silent_crossref_is_not_waited_for(years, internet):
    internet.delays(CROSSREF, 600)
    ask = await years(LateClock())

    async with asyncio.timeout(300):
        outcome = await ask(OLD)

    assert outcome.answer is None
    assert outcome.attempt.error.cause == "timeout"


async def test_an_earlier_deadline_of_the_call_holds(years, internet):
    internet.delays(CROSSREF, 600)
    ask = await years(LateClock(-3600.0))
    token = current_call.set(CallContext(deadline=time.monotonic() + 0.3))

    async with asyncio.timeout(300):
        outcome = await ask(OLD)
    current_call.reset(token)

    assert outcome.attempt.error.cause == "timeout"


async def test_the_limit_is_the_year_s_alone(years):
    call = CallContext(deadline=None)
    token = current_call.set(call)

    await (await years())(OLD)

    assert current_call.get() is call
    current_call.reset(token)


async def test_a_crossref_that_is_silent_at_first_leaves_the_open_route(
    application, internet, tmp_path
):
    services = (await application(**MIRRORED)).services
    copies = OpenCopies(services.parts.network, hosts=None)
    internet.delays(CROSSREF, 60, times=1)
    downloader = Downloader(
        resolver=services.papers.resolver,
        locator=CopyFinder(services.papers.sources, copies, services.parts.pdf_reader),
        mirrors=services.papers.mirrors,
        years=RecordCache(services.papers.resolver, LateClock()),
        reader=services.parts.pdf_reader,
        recorder=services.parts.recorder,
    )

    got = await downloader.download(OLD, tmp_path / "downloads")

    assert got.source == "unpaywall"
    assert internet.requests_to(MIRROR) == []
    assert [one.source for one in got.attempts][:2] == ["crossref", "crossref"]
