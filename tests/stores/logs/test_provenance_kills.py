"""The provenance log while its writers are killed."""

import hashlib
import random
import time
from pathlib import Path

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.journal import lock_of
from sourcewright.stores.logs.provenance import ProvenanceLog, rows, verify
from sourcewright.stores.ulids import new_ulid

pytestmark = pytest.mark.anyio

SCRIPT = Path(__file__).with_name("killable_writers.py")


async def write_one(path: Path) -> None:
    log = ProvenanceLog(path, clock=SystemClock(), session_id=new_ulid(time.time()))
    await log.record(ProvenanceRow(event="session_end", result="ok", capability="oa"))
    await log.aclose()


def tear(path: Path, number: int) -> str:
    """Leave a piece of a row, as a crash in the middle of a write would; returns its hash."""
    piece = b'{"canonical_digest":null,"capability":"%d' % number
    with locked(lock_of(path), clock=SystemClock()):
        whole = not path.exists() or path.read_bytes()[-1:] in (b"", b"\n")
        with path.open("ab") as log:
            log.write(piece if whole else b"")
    return hashlib.sha256(piece).hexdigest() if whole else ""


@pytest.mark.promise("kept.log-survives-kills")
async def test_kills_leave_every_acknowledged_row_in_a_chain_that_verifies(
    tmp_path, writers, often
):
    enough = often(40, 200)
    path = tmp_path / "access.jsonl"
    chance = random.Random(20)
    alive = [writers.start(path) for _ in range(3)]
    torn, kills = {""}, 0
    while kills < enough:
        if chance.random() < 0.3:
            torn.add(tear(path, kills))
        end_one = writers.kill_one if chance.random() < 0.5 else writers.let_one_end_itself
        kills += end_one(path, alive, chance)

        assert {issue.kind for issue in verify(path).issues} <= {"torn"}

    for pid in alive:
        writers.kill(pid)
    await write_one(path)

    report = verify(path)
    kept = list(rows(path))
    refs = [row["ref"] for row in kept if row["event"] == "fetch"]
    result = {row["canonical_digest"] for row in kept if row["event"] == "log_repaired"}
    aside = {hashlib.sha256(file.read_bytes()).hexdigest() for file in tmp_path.glob("*.torn-*")}
    assert report.ok, report.issues
    assert report.segments > enough // 40
    assert len(set(refs)) == len(refs)
    assert set(writers.acknowledged) <= set(refs)
    assert len(writers.acknowledged) > enough
    assert torn - {""} <= result == aside
    assert len(torn) > enough // 20


async def test_a_kill_at_any_line_of_a_repair_and_a_rotation_loses_nothing(
    tmp_path, writers, often
):
    """One writer mends a torn line, rotates, writes and packs; it dies a little later each time."""
    before = tmp_path / "before.jsonl"
    await write_one(before)
    piece = b'{"canonical_digest":null,"ca'
    lived, line = False, 0
    while not lived:
        line += often(11, 1)
        folder = tmp_path / str(line)
        folder.mkdir()
        path = folder / "access.jsonl"
        path.write_bytes(before.read_bytes() + piece)
        lived = writers.once(path, line)

        assert {issue.kind for issue in verify(path).issues} <= {"torn"}
        await write_one(path)
        assert verify(path).ok
        assert_nothing_was_lost(path, piece, writers.acknowledged)
        writers.acknowledged.clear()

    assert line > 150


def assert_nothing_was_lost(path: Path, piece: bytes, acknowledged: list[str]) -> None:
    kept = list(rows(path))
    [repair] = [row for row in kept if row["event"] == "log_repaired"]
    assert path.with_name(repair["store_path"]).read_bytes() == piece
    assert [row["event"] for row in kept].count("session_end") == 2
    assert {row["ref"] for row in kept} >= set(acknowledged)
    names = [file.name for file in path.parent.iterdir()]
    assert [name for name in names if name.endswith(("tmp", ".pending"))] == []
    assert sum(".torn-" in name for name in names) == 1
