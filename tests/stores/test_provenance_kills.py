"""The provenance log while its writers are being killed."""

import hashlib
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sourcewright.domain.ports import Row, SystemClock
from sourcewright.stores.journal import lock_of
from sourcewright.stores.locks import locked
from sourcewright.stores.provenance import ProvenanceLog, rows, verify
from sourcewright.stores.ulids import new_ulid

pytestmark = pytest.mark.anyio

KILLS = 200
ROTATE_BYTES = 20_000
SCRIPT = Path(__file__).with_name("killable_writers.py")


class Writers:
    """Three writing processes, as the test sees them through one pipe."""

    def __init__(self, path: Path) -> None:
        self.acknowledged: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, SCRIPT, path, str(ROTATE_BYTES)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def start(self, countdown: int = 0) -> str:
        return self._ask(f"start {countdown}", "started")

    def kill(self, pid: str) -> None:
        self._ask(f"kill {pid}", "gone")

    def wait(self, pid: str) -> None:
        self._ask(f"wait {pid}", "gone")

    def watch(self, pid: str, rows_of_it: int) -> None:
        """Read acknowledgements until there were so many from this writer."""
        while rows_of_it:
            rows_of_it -= self._next()[1] == pid

    def close(self) -> None:
        with self._process as process:
            process.stdin.close()
            process.stdout.read()

    def _ask(self, command: str, answer: str) -> str:
        self._process.stdin.write(command + "\n")
        while (said := self._next())[0] != answer:
            pass
        return said[1]

    def _next(self) -> list[str]:
        said = self._process.stdout.readline().split()
        assert said, "the writers' parent ended"
        assert said[0] != "failed", said
        if said[0] == "ack":
            self.acknowledged.append(said[2])
        return said


def tear(path: Path, number: int) -> str:
    """Leave a piece of a row, as a crash in the middle of a write would; returns its hash."""
    piece = b'{"canonical_digest":null,"capability":"%d' % number
    with locked(lock_of(path), clock=SystemClock()):
        whole = not path.exists() or path.read_bytes()[-1:] in (b"", b"\n")
        with path.open("ab") as log:
            log.write(piece if whole else b"")
    return hashlib.sha256(piece).hexdigest() if whole else ""


def kill_one(writers: Writers, alive: list[str], chance: random.Random) -> None:
    """End one of three: from outside after some rows, or by itself between two lines of code."""
    victim = alive.pop(chance.randrange(len(alive)))
    writers.watch(victim, chance.randrange(4))
    writers.kill(victim)
    alive.append(writers.start())


def let_one_end_itself(writers: Writers, alive: list[str], chance: random.Random) -> None:
    writers.kill(alive.pop(0))
    suicide = writers.start(chance.randrange(1, chance.choice([150, 600])))
    writers.wait(suicide)
    alive.append(writers.start())


@pytest.mark.xdist_group("kills")
async def test_two_hundred_kills_leave_every_acknowledged_row_in_a_chain_that_verifies(tmp_path):
    path = tmp_path / "access.jsonl"
    chance = random.Random(20)
    writers = Writers(path)
    alive = [writers.start() for _ in range(3)]
    torn, kills = set(), 0
    while kills < KILLS:
        if chance.random() < 0.3:
            torn.add(tear(path, kills))
        if chance.random() < 0.5:
            kill_one(writers, alive, chance)
            kills += 1
        else:
            let_one_end_itself(writers, alive, chance)
            kills += 2

        assert {issue.kind for issue in verify(path).issues} <= {"torn"}

    for pid in alive:
        writers.kill(pid)
    writers.close()
    log = ProvenanceLog(path, clock=SystemClock(), session_id=new_ulid(time.time()))
    await log.record(Row(event="session_end", result="ok", capability="oa"))
    await log.aclose()

    report = verify(path)
    kept = list(rows(path))
    refs = [row["ref"] for row in kept if row["event"] == "fetch"]
    assert report.ok, report.issues
    assert report.segments > 5
    assert len(set(refs)) == len(refs)
    assert len(writers.acknowledged) > KILLS
    assert set(writers.acknowledged) <= set(refs)
    told = {row["canonical_digest"] for row in kept if row["event"] == "log_repaired"}
    assert told >= torn - {""}
    assert len(torn) > 10
    aside = {hashlib.sha256(file.read_bytes()).hexdigest() for file in tmp_path.glob("*.torn-*-*")}
    assert aside == told
    assert not list(tmp_path.glob("*.pending"))
