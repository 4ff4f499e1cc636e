"""The paper store while the processes that save into it are killed."""

import hashlib
import random
import shutil
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.stores.logs.provenance import ProvenanceLog, rows, verify
from sourcewright.stores.papers.store import PaperStore
from sourcewright.stores.ulids import new_ulid

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("killable_savers.py")
KEY = "doi_10.1234_a"
HOLDING = Acquisition(fetched_at="2031-05-04T12:00:00Z", source="oa-publisher")


def whole(data: bytes) -> bool:
    return hashlib.sha256(data[:-64]).hexdigest().encode() == data[-64:]


def claims(folder: Path) -> dict[str, int]:
    """The PDFs that metadata files name, with the sizes that they state."""
    found = {}
    for path in (folder / "papers" / ".metadata").glob("*.toml"):
        content = tomllib.loads(path.read_text(encoding="utf-8"))
        if content["doiget"]["size_bytes"] or "pdf_path" in content:
            found[content["pdf_path"]] = content["doiget"]["size_bytes"]
    return found


def logged_pdfs(folder: Path) -> set[tuple[str, int]]:
    """The PDFs that the log names, with their sizes."""
    return {(row["store_path"], row["size_bytes"]) for row in rows(folder / "access.jsonl")}


def assert_nothing_is_false(folder: Path) -> None:
    """Files, metadata and log agree, before any clean-up and while no process writes."""
    papers = folder / "papers"
    pdfs = {path.name: path.read_bytes() for path in papers.glob("*.pdf")}
    assert {name: len(pdfs.get(name, b"")) for name in claims(folder)} == claims(folder)
    for name, data in pdfs.items():
        assert whole(data), name
        assert f" {name.removesuffix('.pdf')} ".encode() in data
    assert {issue.kind for issue in verify(folder / "access.jsonl").issues} <= {"torn"}


async def save_whole(folder: Path, keys: list[str]) -> PaperStore:
    """Save one more paper under each key, in this process."""
    store = PaperStore(folder / "papers", clock=SystemClock(), sandbox=False)
    log = ProvenanceLog(folder / "access.jsonl", clock=SystemClock(), session_id=new_ulid(0))
    for key in keys:
        data = f"%PDF-1.7 {key} ".encode()
        data += hashlib.sha256(data).hexdigest().encode()

        async def record(name: str = f"{key}.pdf", size: int = len(data)) -> None:
            row = ProvenanceRow(event="store_write", result="ok", capability="oa", size_bytes=size)
            await log.record(replace(row, store_path=name))

        await store.save(
            Entry(key=key, title="About it", authors=(), holding=HOLDING), data, record
        )
    await log.aclose()
    return store


@pytest.mark.promise("kept.files-are-whole")
async def test_kills_leave_no_half_paper_no_false_claim_and_no_lost_tag(tmp_path, writers, often):
    kills, chance = often(60, 300), random.Random(7)
    for _ in range(kills // 3):
        writers.end_three(tmp_path, chance, most_lines=2500)

        assert_nothing_is_false(tmp_path)

    assert claims(tmp_path).items() <= logged_pdfs(tmp_path)
    assert len(writers.acknowledged) > kills / 2
    keys = {acknowledged.partition(":")[0] for acknowledged in writers.acknowledged}
    store = await save_whole(tmp_path, sorted(keys))
    tags = {f"{key}:{tag}" for key in keys for tag in (await store.read(key)).holding.tags}
    assert set(writers.acknowledged) <= tags
    await store.remove_leftovers()
    await store.aclose()
    assert [path.name for path in tmp_path.rglob("*.tmp")] == []
    assert verify(tmp_path / "access.jsonl", store_root=tmp_path / "papers").ok


async def test_a_kill_at_any_line_of_a_replacement_leaves_one_whole_paper(
    tmp_path, writers, often
):
    """It replaces a PDF by a longer or shorter one, and dies a little later each time.

    Where one more step leaves something else behind, every line of that step is tried.
    """
    before, step = tmp_path / "before", often(7, 1)
    await (await save_whole(before, [KEY])).aclose()

    async def kill_at(line: int) -> tuple[bool, tuple[bool, bool]]:
        folder = tmp_path / str(line)
        shutil.copytree(before, folder)
        lived = writers.once(folder, line)

        assert_nothing_is_false(folder)
        assert claims(folder).items() <= logged_pdfs(folder)
        size = (folder / "papers" / f"{KEY}.pdf").stat().st_size
        left = (size > 70_000, bool(claims(folder)))
        await save_again(folder)
        shutil.rmtree(folder)
        return lived, left

    line, lived, left = 1, *await kill_at(1)
    seen = {left}
    while not lived:
        line, last = line + step, left
        lived, left = await kill_at(line)
        between = range(line - step + 1, line) if left != last else ()
        seen |= {left, *[(await kill_at(one))[1] for one in between]}

    assert line > 50
    every = {(False, True), (False, False), (True, False), (True, True)}
    # Two threads write, so that a line is not the same in each run, and a state may be missed.
    for one in range(1, line):
        if seen != every:
            seen.add((await kill_at(one))[1])
    assert seen == every


async def save_again(folder: Path) -> None:
    """Whatever a killed writer left, the next one succeeds and leaves nothing behind."""
    await (await save_whole(folder, [KEY])).aclose()
    names = {path.name for path in (folder / "papers").rglob("*")}
    assert names == {".metadata", f"{KEY}.pdf", f"{KEY}.toml", f"{KEY}.toml.lock"}
    assert_nothing_is_false(folder)
    assert verify(folder / "access.jsonl", store_root=folder / "papers").ok
