"""Removing a paper and restoring it, while the process that does so is killed."""

import shutil
from functools import partial
from pathlib import Path

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.logs.provenance import ProvenanceLog, verify
from sourcewright.stores.papers.store import PaperStore
from sourcewright.stores.ulids import new_ulid

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("killable_removers.py")
KEY = "doi_10.1234_a"
PDF = b"%PDF-1.7 " + bytes(70_000)
HOLDING = Acquisition(fetched_at="2031-05-04T12:00:00Z", source="oa-publisher")
ENTRY = Entry(key=KEY, title="About it", authors=(), holding=HOLDING, doi="10.1234/a")
WRITTEN = ProvenanceRow(event="store_write", result="ok", capability="oa", store_path=f"{KEY}.pdf")


def open_store(folder: Path) -> PaperStore:
    return PaperStore(folder / "papers", clock=SystemClock(), sandbox=False)


async def stored(folder: Path) -> None:
    store = open_store(folder)
    log = ProvenanceLog(folder / "access.jsonl", clock=SystemClock(), session_id=new_ulid(0))
    await store.save(ENTRY, PDF, partial(log.record, WRITTEN))
    await log.aclose()
    await store.aclose()


def whole_places(folder: Path) -> list[str]:
    """Where the paper is with its metadata; its PDF must be there too."""
    papers, trash = folder / "papers", folder / "papers" / ".trash"
    places = []
    if (papers / ".metadata" / f"{KEY}.toml").is_file():
        assert (papers / f"{KEY}.pdf").read_bytes() == PDF
        places.append("store")
    for record in trash.glob("*.toml"):
        assert record.with_suffix(".pdf").read_bytes() == PDF
        places.append("trash")
    return places


def temporary_files(folder: Path) -> list[str]:
    return [path.name for path in folder.rglob("*.tmp")]


async def assert_finished(folder: Path, place: str) -> None:
    """Whoever opens the trash next leaves no second copy, and nothing false in the log."""
    store = open_store(folder)
    assert len(await store.trash()) == (place == "trash")
    await store.remove_leftovers()
    await store.aclose()
    names = {path.name for path in (folder / "papers").rglob("*.pdf")}
    assert len(names) == 1
    assert (f"{KEY}.pdf" in names) == (place == "store")
    assert temporary_files(folder) == []
    assert verify(folder / "access.jsonl", store_root=folder / "papers").chain_ok


@pytest.mark.promise("kept.files-are-whole")
@pytest.mark.parametrize("start", ["store", "trash"])
async def test_a_kill_at_any_line_leaves_the_paper_whole_in_one_place(
    tmp_path, writers, often, start
):
    before = tmp_path / "before"
    await stored(before)
    if start == "trash":
        assert writers.once(before, 0)
    line, lived, seen = 0, False, set()
    step = often(5, 1)
    while not lived:
        line += step
        folder = tmp_path / str(line)
        shutil.copytree(before, folder)
        lived = writers.once(folder, line)

        [place] = whole_places(folder)
        await assert_finished(folder, place)
        assert whole_places(folder) == [place]
        # The next one goes on from there.
        assert writers.once(folder, 0)
        assert whole_places(folder) == ["trash" if place == "store" else "store"]
        seen.add(place)
        shutil.rmtree(folder)

    assert line > 30
    assert seen == {"store", "trash"}
