"""paper_batch_download, through the whole pipeline, in a world with faults."""

import asyncio
import json
from dataclasses import dataclass, field, replace

import pytest

from sourcewright.stores.logs import provenance

pytestmark = pytest.mark.anyio

TOOL = "paper_batch_download"
PLOS, FRONTIERS = "journals.plos.org", "www.frontiersin.org"
FINE, OPEN, ELSEWHERE = "10.5555/fine-paper", "10.5555/of-2023", "10.5555/partly-retracted-paper"
FINE_NAME = "[2019] - Tidal mixing and the memory of estuaries.pdf"
OPEN_NAME = "[2023] - Lighthouse light as a habitat.pdf"
FAULTS = ("500", "429", "cut", "a page", "private")


@dataclass
class SleepClock:
    """A clock that only sleeping moves, and that records each sleep."""

    seconds: float = 1000.0
    slept: list[float] = field(default_factory=list)

    def monotonic(self):
        return self.seconds

    def now(self):
        return self.seconds

    async def sleep(self, seconds):
        self.slept.append(seconds)
        self.seconds += seconds


@pytest.mark.parametrize("fault", FAULTS)
async def test_one_failure_never_stops_the_rest_and_is_never_an_absence(
    answer, spoil, kept, fault
):
    spoil(FRONTIERS, fault)

    result = await answer(TOOL, {"identifiers": [ELSEWHERE, FINE, "10.1234/nonexistent"]})

    broken, absent = result.structured["failures"]
    assert not result.is_error
    assert (broken["identifier"], absent["identifier"]) == (ELSEWHERE, "10.1234/nonexistent")
    assert broken["error"].startswith("Paper could not be downloaded: ")
    assert absent["error"].startswith("Paper not found in any source: ")
    assert kept() == ["downloads", f"downloads/{FINE_NAME}"]
    assert "- Successful: 1 (33%)\n- Failed: 2 (67%)\n" in result.text


async def test_what_cannot_be_read_fails_alone(answer, kept):
    senseless = ["", "a paper", "10.1", "10.5555/" + "x" * 600, "https://127.0.0.1/paper"]

    result = await answer(TOOL, {"identifiers": [*senseless, FINE]})

    assert [one["identifier"] for one in result.structured["failures"]] == senseless
    assert all(one["error"] for one in result.structured["failures"])
    assert kept() == ["downloads", f"downloads/{FINE_NAME}"]


async def test_a_batch_of_failures_alone_is_still_an_account(answer, kept):
    result = await answer(TOOL, {"identifiers": ["10.1234/nonexistent"]})

    assert not result.is_error
    assert "- Successful: 0 (0%)\n- Failed: 1 (100%)\n" in result.text
    assert "Successful downloads" not in result.text
    assert kept() == []


async def test_one_paper_under_several_names_is_fetched_once_and_told_of_each_time(
    answer, internet, kept
):
    names = [OPEN, f"https://doi.org/{OPEN}", "doi:10.5555/OF-2023"]

    result = await answer(TOOL, {"identifiers": names})

    assert (result.structured["total"], result.structured["successful"]) == (3, 3)
    assert len({one["path"] for one in result.structured["downloads"]}) == 1
    assert len(internet.requests_to(PLOS)) == 1
    assert kept() == ["downloads", f"downloads/{OPEN_NAME}"]


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"identifiers": []},
        {"identifiers": FINE},
        {"identifiers": [FINE, 7]},
        {"identifiers": [FINE, None]},
        {"identifiers": {"0": FINE}},
        {"identifiers": [FINE] * 51},
        {"identifiers": [FINE], "output_dir": 7},
        {"identifiers": [FINE], "output_dir": ""},
        {"identifiers": [FINE], "mood": "good"},
    ],
)
async def test_arguments_without_a_meaning_change_nothing(answer, internet, kept, arguments):
    result = await answer(TOOL, arguments)

    assert result.is_error
    assert result.structured["error"] == "Invalid input"
    assert (internet.seen, kept()) == ([], [])


@pytest.mark.parametrize("folder", ["../elsewhere", "/etc", ".hidden"])
async def test_a_folder_that_is_closed_to_downloads_ends_the_batch_before_it_begins(
    answer, internet, kept, folder
):
    result = await answer(TOOL, {"identifiers": [FINE], "output_dir": folder})

    assert result.is_error
    assert "PAPER_ALLOWED_DIRS" in result.text
    assert (internet.seen, kept()) == ([], [])


async def test_fifty_papers_are_not_too_many(answer, internet):
    result = await answer(TOOL, {"identifiers": [f"not a paper {n}" for n in range(50)]})

    assert result.structured["failed"] == 50
    assert internet.seen == []


async def test_two_seconds_lie_between_two_papers_and_none_after_the_last(application, tmp_path):
    clock = SleepClock()
    patient = (await application(SOURCEWRIGHT_SANDBOX_PACE="1")).services.papers.downloads
    quick = (await application()).services.papers.downloads
    downloads = replace(quick, clock=clock, pause_seconds=patient.pause_seconds)

    done = await downloads.download_all([FINE, "nonsense", FINE, OPEN], str(tmp_path / "paced"))

    assert clock.slept == [2.0, 2.0]
    assert [one.error is None for one in done] == [True, False, True, True]
    assert quick.pause_seconds == 0.0


@pytest.mark.promise("wire.cancelling-stops-the-work")
async def test_cancelling_keeps_what_is_done_and_reports_it(
    application, internet, kept, tmp_path, capsys
):
    internet.delays(FRONTIERS, 60)
    reached = asyncio.Event()

    async def listen(message, **_count):
        if message.startswith("fetching https://www.frontiersin.org"):
            reached.set()

    app = await application()
    arguments = {"identifiers": [FINE, ELSEWHERE, OPEN]}
    call = asyncio.create_task(app.call(TOOL, arguments, progress=listen))
    await asyncio.wait_for(reached.wait(), 300)
    call.cancel()
    await asyncio.wait([call], timeout=300)
    await app.aclose()

    log, audit = (tmp_path / "state" / f"{name}.jsonl" for name in ("provenance", "audit"))
    assert call.cancelled()
    assert kept() == ["downloads", f"downloads/{FINE_NAME}"]
    assert f"cancelled after 1 of 3 papers; kept: ['{tmp_path / 'downloads' / FINE_NAME}']" in (
        capsys.readouterr().err
    )
    assert json.loads(audit.read_text(encoding="utf-8"))["error_code"] == "CANCELLED"
    assert provenance.verify(log, store_root=tmp_path / "papers").ok
    assert not internet.requests_to(PLOS)[1:]


async def test_progress_tells_of_each_paper_how_it_ended(application):
    reports = []

    async def listen(message, *, done=None, total=None):
        if done is not None:
            reports.append((message, done, total))

    app = await application()
    await app.call(TOOL, {"identifiers": [FINE, "nonsense"]}, progress=listen)

    (start, *_), (first, *_), (last, *_) = reports
    assert [(done, total) for _, done, total in reports] == [(0, 2), (1, 2), (2, 2)]
    assert start == "0/2"
    assert first.startswith(f"1/2: {FINE} saved as ")
    assert last == "2/2: nonsense failed"
