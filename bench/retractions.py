"""The local retraction list: 60,000 rows read, and looked up, against Python's own CSV reader.

Every invented work must be found by DOI or PMID, and no other: the counts are printed.
"""

import asyncio
import csv
import io
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.settings import Settings
from sourcewright.settings.process import sandbox_overrides
from sourcewright.wiring import build
from sourcewright.world.internet import World

READ_GOAL = 15.0
CHECK_GOAL = 0.5
ROWS = 60_000
CHECKED = 200
_COLUMNS = (
    "Record ID",
    "Title",
    "Reason",
    "RetractionDate",
    "RetractionDOI",
    "OriginalPaperDOI",
    "OriginalPaperPubMedID",
    "RetractionNature",
)


def measure() -> Iterator[tuple[str, str, float, float, float]]:
    """Give the rows of the table: ours and the peer's milliseconds."""
    text = _list()
    with tempfile.TemporaryDirectory() as folder, World() as world:
        path = Path(folder, "list.csv")
        path.write_text(text, encoding="utf-8")
        peer = _seconds_to_parse(text)
        settings = Settings.load({"HOME": folder, **sandbox_overrides(world.url, folder)})
        read, check, found, invented = asyncio.run(_measure(settings, path))
    print(f"retraction list: {found} of {ROWS} found, {invented} of {ROWS} invented")
    yield "read 60,000 retractions", "csv.reader alone", 1000 * read, 1000 * peer, READ_GOAL
    yield "check 200 works offline", "csv.reader alone", 1000 * check, 1000 * peer, CHECK_GOAL


def _list() -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(_COLUMNS)
    for at in range(ROWS):
        title = f'On "bells", harbours and tides, part {at}'
        notice = [f"10.2222/notice.{at}", _doi(at), str(500_000 + at)]
        writer.writerow([at, title, "+Error in Data;", "4/15/2021 0:00", *notice, "Retraction"])
    return text.getvalue()


def _doi(at: int) -> str:
    return f"10.{1000 + at % 97}/W.{at}"


def _seconds_to_parse(text: str) -> float:
    started = time.perf_counter()
    for _ in csv.reader(io.StringIO(text)):
        pass
    return time.perf_counter() - started


async def _measure(settings: Settings, path: Path) -> tuple[float, float, int, int]:
    async with build(settings) as app:
        trust = app.services.trust
        started = time.perf_counter()
        await trust.retraction_lists.update(str(path))
        read = time.perf_counter() - started
        works = [WorkIds(doi=_doi(at)) for at in range(CHECKED)]
        await trust.integrity.check(works[:1], offline=True)
        started = time.perf_counter()
        await trust.integrity.check(works, offline=True)
        check = time.perf_counter() - started
        found = await _retracted(trust, [_doi(at) for at in range(ROWS)])
        invented = await _retracted(trust, [f"{_doi(at)}x" for at in range(ROWS)])
    return read, check, found, invented


async def _retracted(trust: Any, dois: list[str]) -> int:
    count = 0
    for at in range(0, len(dois), 1000):
        works = [WorkIds(doi=doi) for doi in dois[at : at + 1000]]
        report = await trust.integrity.check(works, offline=True)
        count += sum(one.integrity.status == "retracted" for one in report.works)
    return count
