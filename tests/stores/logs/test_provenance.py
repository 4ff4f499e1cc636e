"""The provenance log: rows, hash chain, repair and concurrent writers."""

import asyncio
import gzip
import hashlib
import json
import re
import stat
import subprocess
import sys
import tempfile
from datetime import UTC, datetime
from pathlib import Path

import pytest
from anyio.lowlevel import checkpoint

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import LockTimeout, LogError
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.locks import locked
from sourcewright.stores.logs.journal import lock_of
from sourcewright.stores.logs.provenance import ProvenanceLog, rows, verify
from sourcewright.stores.ulids import new_ulid

pytestmark = pytest.mark.anyio

SESSION = "01HZX3V6Q0ABCDEFGHJKMNPQRS"
FETCH = ProvenanceRow(
    event="fetch", result="ok", capability="oa", ref="10.1234/é", source="crossref"
)
NOON = datetime(2031, 5, 4, 12, 0, 0, 123_456, tzinfo=UTC).timestamp()
DAY = 86_400


class Clock(SystemClock):
    """A clock with a fixed date whose waits time out at once."""

    def __init__(self, now: float = NOON) -> None:
        self.time = now
        self.ticks = 0

    def now(self) -> float:
        return self.time

    def monotonic(self) -> float:
        self.ticks += 1
        return self.ticks


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state" / "access.jsonl"


async def write(path, *written, **options):
    """One process's worth of rows: open, record each, close."""
    log = ProvenanceLog(path, **{"clock": Clock(), "session_id": SESSION, **options})
    try:
        for row in written:
            await log.record(row)
    finally:
        await log.aclose()


def refs(path):
    return [row["ref"] for row in rows(path)]


def numbered(count, start=0):
    return [
        ProvenanceRow(event="fetch", result="ok", capability="oa", ref=f"10.1/{start + number}")
        for number in range(count)
    ]


def kinds(path, **options):
    return [issue.kind for issue in verify(path, **options).issues]


async def test_a_row_has_the_sixteen_keys_and_the_hash_that_anyone_can_recompute(path):
    await write(path, FETCH)

    line = path.read_text(encoding="utf-8")
    row = json.loads(line)
    hashed = {key: value for key, value in row.items() if key != "this_hash"}
    text = json.dumps(hashed, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    assert row == {
        "ts": "2031-05-04T12:00:00.123Z",
        "ts_seq": 1,
        "event": "fetch",
        "ref": "10.1234/é",
        "source": "crossref",
        "result": "ok",
        "license": None,
        "size_bytes": None,
        "store_path": None,
        "capability": "oa",
        "session_id": SESSION,
        "error_code": None,
        "schema_version": "v2",
        "canonical_digest": None,
        "prev_hash": "GENESIS",
        "this_hash": hashlib.sha256(text.encode()).hexdigest(),
    }
    assert line.endswith("}\n")


@pytest.mark.promise("evidence.invention-is-marked")
async def test_rows_of_a_sandbox_say_so_and_still_verify(path):
    await write(path, FETCH, sandbox=True)

    [row] = rows(path)
    assert row["sandbox"] is True
    assert len(row) == 17
    assert verify(path).ok


async def test_a_second_process_goes_on_where_the_first_stopped(path):
    await write(path, *numbered(2))
    await write(path, *numbered(1, start=2))

    first, second, third = rows(path)
    assert [row["ts_seq"] for row in (first, second, third)] == [1, 2, 3]
    assert third["prev_hash"] == second["this_hash"]
    assert verify(path).head == third["this_hash"]


async def test_two_logs_that_take_turns_keep_one_chain(path):
    one = ProvenanceLog(path, clock=Clock(), session_id=SESSION)
    other = ProvenanceLog(path, clock=Clock(), session_id=SESSION, rotate_bytes=2000)

    for number, row in enumerate(numbered(20)):
        await (one if number % 2 else other).record(row)
    await one.aclose()
    await other.aclose()

    report = verify(path)
    assert (report.ok, report.rows) == (True, 20)
    assert report.segments >= 3
    assert refs(path) == [f"10.1/{number}" for number in range(20)]


async def test_a_thousand_calls_at_once_are_all_kept_with_few_writes(path):
    clock = Clock()
    log = ProvenanceLog(path, clock=clock, session_id=SESSION)

    await asyncio.gather(*(log.record(row) for row in numbered(1000)))
    lock_attempts = clock.ticks
    await log.aclose()

    assert verify(path).rows == 1000
    assert sorted(refs(path)) == sorted(row.ref for row in numbered(1000))
    assert lock_attempts < 100


async def test_callers_that_leave_do_not_unwrite_their_rows(path):
    log = ProvenanceLog(path, clock=Clock(), session_id=SESSION)
    callers = [asyncio.create_task(log.record(row)) for row in numbered(100)]
    await checkpoint()

    for caller in callers:
        caller.cancel()
    await asyncio.wait(callers, timeout=300)
    await log.record(FETCH)
    await log.aclose()

    assert any(caller.cancelled() for caller in callers)
    assert verify(path).ok
    assert refs(path) == [*(row.ref for row in numbered(100)), FETCH.ref]


async def test_closing_writes_what_is_queued_and_takes_no_more(path):
    log = ProvenanceLog(path, clock=Clock(), session_id=SESSION)
    waiting = [asyncio.ensure_future(log.record(row)) for row in numbered(50)]
    await checkpoint()

    await log.aclose()
    await log.aclose()

    await asyncio.wait_for(asyncio.gather(*waiting), timeout=300)
    assert verify(path).rows == 50
    with pytest.raises(LogError, match="closed"):
        await log.record(FETCH)


async def test_a_log_that_was_never_used_closes_and_leaves_nothing(path):
    await write(path)

    assert not path.parent.exists()
    assert verify(path) == verify(path.with_name("other"))
    assert verify(path).ok


async def test_only_the_owner_may_read_what_is_written(path):
    await write(path, *numbered(9), rotate_bytes=1500)

    modes = {entry.name: stat.S_IMODE(entry.stat().st_mode) for entry in path.parent.iterdir()}
    assert set(modes.values()) == {0o600}
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


async def test_text_that_no_file_can_hold_is_replaced_and_not_refused(path):
    await write(
        path, ProvenanceRow(event="fetch", result="ok", capability="oa", ref="a\ud800\n\u2028b")
    )

    assert refs(path) == ["a?\n\u2028b"]
    assert verify(path).ok


async def test_a_row_longer_than_a_line_may_be_is_refused_and_the_next_is_kept(path):
    log = ProvenanceLog(path, clock=Clock(), session_id=SESSION)

    with pytest.raises(LogError, match="longer"):
        await log.record(
            ProvenanceRow(event="fetch", result="ok", capability="oa", ref="x" * 300_000)
        )
    await log.record(FETCH)
    await log.aclose()

    assert verify(path).rows == 1


# Torn last lines


@pytest.mark.promise("kept.torn-line-is-never-dropped")
@pytest.mark.parametrize(
    "piece", [b"{", b'{"canonical_digest":null,"capab', b"\xff\xfe", b"\0" * 200_000, b"{}"]
)
async def test_a_torn_last_line_is_moved_aside_and_a_row_says_so(path, piece):
    await write(path, *numbered(2))
    with path.open("ab") as log:
        log.write(piece)
    before = kinds(path)

    await write(path, FETCH)

    [aside] = path.parent.glob("access.jsonl.torn-*")
    repaired = next(row for row in rows(path) if row["event"] == "log_repaired")
    assert before == ["torn"]
    assert re.fullmatch(r"access\.jsonl\.torn-2031-05-04-120000-0", aside.name)
    assert aside.read_bytes() == piece
    assert repaired["canonical_digest"] == hashlib.sha256(piece).hexdigest()
    assert (repaired["store_path"], repaired["size_bytes"]) == (aside.name, len(piece))
    assert refs(path) == ["10.1/0", "10.1/1", None, FETCH.ref]
    assert verify(path).ok


async def test_a_torn_line_that_another_process_left_meanwhile_is_mended(path):
    log = ProvenanceLog(path, clock=Clock(), session_id=SESSION)
    await log.record(FETCH)
    with path.open("ab") as other:
        other.write(b'{"cut":')

    await log.record(FETCH)
    await log.aclose()

    assert [row["event"] for row in rows(path)] == ["fetch", "log_repaired", "fetch"]
    assert verify(path).ok


async def test_a_torn_first_line_leaves_a_log_that_begins_with_its_repair(path):
    path.parent.mkdir()
    path.write_bytes(b'{"canon')

    await write(path, FETCH)

    assert [row["event"] for row in rows(path)] == ["log_repaired", "fetch"]
    assert verify(path).ok


@pytest.mark.parametrize("state", ["moved", "cut", "logged"])
@pytest.mark.parametrize("rows_before", [0, 2])
async def test_a_repair_that_was_itself_cut_off_is_finished_once(path, state, rows_before):
    """The three moments at which the mending process can die, for an empty log and another."""
    piece = b'{"canonical_dig'
    name = f"{path.name}.torn-2031-05-04-120000-0"
    await write(path, *numbered(rows_before))
    _made(path).touch()
    if state == "logged":
        with path.open("ab") as log:
            log.write(piece)
        await write(path, FETCH)
        path.with_name(name).rename(path.with_name(name + ".pending"))
    else:
        path.with_name(name + ".pending").write_bytes(piece)
        with path.open("ab") as log:
            log.write(piece if state == "moved" else b"")

    await write(path, FETCH)

    repairs = [row["store_path"] for row in rows(path) if row["event"] == "log_repaired"]
    assert repairs == [name]
    assert path.with_name(name).read_bytes() == piece
    assert len(list(path.parent.glob("*.torn-*"))) == 1
    assert verify(path).ok


async def test_a_crash_while_telling_of_a_repair_leaves_both_pieces_told_of(path):
    name = f"{path.name}.torn-2031-05-04-120000-0"
    await write(path, FETCH)
    path.with_name(name + ".pending").write_bytes(b"first piece")
    with path.open("ab") as log:
        log.write(b"second piece")

    await write(path, FETCH)

    digests = {row["canonical_digest"] for row in rows(path) if row["event"] == "log_repaired"}
    pieces = {file.read_bytes() for file in path.parent.glob("*.torn-*")}
    assert pieces == {b"first piece", b"second piece"}
    assert digests == {hashlib.sha256(piece).hexdigest() for piece in pieces}
    assert verify(path).ok


# Damage


@pytest.mark.parametrize("line", [1, 3, 5])
async def test_a_damaged_line_stops_appending_and_is_left_as_it_is(path, line):
    await write(path, *numbered(5))
    lines = path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b"10.1/", b"10.9/")
    path.write_bytes(b"".join(lines))

    with pytest.raises(LogError, match=f"line {line} "):
        await write(path, FETCH)

    assert path.read_bytes() == b"".join(lines)
    assert kinds(path) == ["this-hash"]


async def test_a_damaged_line_before_a_torn_one_keeps_the_torn_one_where_it_is(path):
    await write(path, *numbered(2))
    damaged = path.read_bytes().replace(b"10.1/1", b"10.1/7") + b"{"
    path.write_bytes(damaged)

    with pytest.raises(LogError, match="line 2 "):
        await write(path, FETCH)

    assert path.read_bytes() == damaged
    assert not list(path.parent.glob("*.torn*"))


async def test_a_whole_line_that_is_no_json_is_named_and_not_repaired(path):
    await write(path, *numbered(2))
    with path.open("ab") as log:
        log.write(b"not json\n")

    with pytest.raises(LogError, match="line 3 "):
        await write(path, FETCH)

    assert kinds(path) == ["parse"]
    with pytest.raises(LogError, match="line 3 "):
        list(rows(path))


async def test_a_line_without_end_is_bounded_and_reported(path):
    await write(path, FETCH)
    with path.open("ab") as log:
        log.write(b"x" * 3_000_000 + b"\n")

    report = verify(path)
    assert [(issue.kind, issue.line) for issue in report.issues] == [("parse", 2)]
    with pytest.raises(LogError, match="line 2 "):
        await write(path, FETCH)


# Rotation and retention


async def test_a_full_log_is_rotated_to_gzip_and_the_chain_goes_on(path):
    await write(path, *numbered(12), rotate_bytes=1500)

    packed = sorted(path.parent.glob("*.gz"))
    kept = list(rows(path))
    assert {file.name for file in packed} >= {
        "access.jsonl.2031-05-04-120000.gz",
        "access.jsonl.2031-05-04-120000-1.gz",
    }
    assert [row["prev_hash"] for row in kept] == [
        "GENESIS",
        *(row["this_hash"] for row in kept[:-1]),
    ]
    assert [row["ts_seq"] for row in kept] == list(range(1, 13))
    assert refs(path) == [f"10.1/{number}" for number in range(12)]
    assert verify(path).segments == len(packed)


async def test_zero_never_rotates(path):
    await write(path, *numbered(30), rotate_bytes=0)

    assert verify(path).segments == 0


@pytest.mark.parametrize("half_packed", [b"", b"\x1f\x8b half a file"])
async def test_a_segment_whose_packing_was_cut_off_is_kept_once_and_packed_later(
    path, half_packed
):
    await write(path, *numbered(3))
    segment = path.rename(path.with_name(path.name + ".2031-05-04-110000"))
    segment.with_name(segment.name + ".gz.tmp").write_bytes(half_packed)
    before = refs(path)

    await write(path, *numbered(1, start=3))

    assert before == ["10.1/0", "10.1/1", "10.1/2"]
    assert not segment.exists()
    assert not list(path.parent.glob("*.tmp"))
    assert refs(path) == [*before, "10.1/3"]
    assert verify(path).ok


async def test_a_crash_between_packing_and_removing_does_not_show_rows_twice(path):
    await write(path, *numbered(3))
    segment = path.rename(path.with_name(path.name + ".2031-05-04-110000"))
    packed = segment.with_name(segment.name + ".gz")
    packed.write_bytes(gzip.compress(segment.read_bytes()))

    assert len(refs(path)) == 3
    assert verify(path).segments == 1

    await write(path, FETCH)

    assert not segment.exists()
    assert len(refs(path)) == 4


async def test_a_file_with_a_similar_name_is_neither_a_segment_nor_removed(path):
    other = _made(path).with_name("access.jsonl.2001-01-01-000000.gz.bak")
    other.write_bytes(b"mine")

    await write(path, FETCH, retention_days=1)

    assert other.read_bytes() == b"mine"
    assert verify(path).segments == 0


# Failing closed


async def test_a_log_that_another_process_holds_is_a_lock_timeout_and_stays_as_it_was(path):
    await write(path, FETCH)
    before = path.read_bytes()

    with locked(lock_of(path), clock=SystemClock()), pytest.raises(LockTimeout, match="held"):
        await write(path, FETCH)

    assert path.read_bytes() == before
    await write(path, FETCH)
    assert verify(path).rows == 2


async def test_a_log_that_cannot_be_there_is_a_log_error(path):
    _made(path).parent.joinpath("file").touch()

    with pytest.raises(LogError, match="could not be written"):
        await write(path.parent / "file" / "access.jsonl", FETCH)
    path.mkdir()
    with pytest.raises(LogError, match="could not be written"):
        await write(path, FETCH)


UNPRIVILEGED = """
import asyncio, os, resource, sys
from pathlib import Path
from sourcewright.base.errors import LogError
from sourcewright.base.clocks import SystemClock
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.logs.provenance import ProvenanceLog

async def main(path, most_bytes):
    log = ProvenanceLog(path, clock=SystemClock(), session_id="s")
    if most_bytes:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most_bytes, most_bytes))
    elif os.geteuid() == 0:
        os.seteuid(65534)
    kept = 0
    try:
        while kept < 1000:
            await log.record(ProvenanceRow(event="fetch", result="ok", capability="oa", ref=str(kept)))
            kept += 1
    except LogError as error:
        sys.stdout.write(f"{kept} {error}")
    await log.aclose()

asyncio.run(main(Path(sys.argv[1]), int(sys.argv[2])))
"""


def write_in_limited_process(path, most_bytes):
    """The rows written and the error, with a limit of file size; 0 for no write permission."""
    done = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, path, str(most_bytes)],
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    kept, _, error = done.stdout.partition(" ")
    return int(kept), error


async def test_a_full_disk_is_a_log_error_and_leaves_whole_rows_only(path):
    _made(path)

    kept, error = write_in_limited_process(path, 5000)

    assert "could not be written" in error
    assert 5 < kept < 20
    assert verify(path).ok
    assert refs(path) == [str(number) for number in range(kept)]


async def test_a_folder_that_may_not_be_written_is_a_log_error_and_is_left_alone():
    # Not under the test's own folder, which only its owner may enter.
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "access.jsonl"
        await write(path, FETCH)
        before = {file: file.read_bytes() for file in path.parent.iterdir()}
        path.parent.chmod(0o555)

        kept, error = write_in_limited_process(path, 0)

        path.parent.chmod(0o700)
        assert kept == 0
        assert "could not be written (permission denied)" in error
        assert {file: file.read_bytes() for file in path.parent.iterdir()} == before


# Verifying and showing


async def test_a_segment_that_is_no_gzip_is_an_issue_and_the_rest_is_still_checked(path):
    await write(path, *numbered(9), rotate_bytes=1500)
    packed = min(path.parent.glob("*.gz"))
    packed.write_bytes(packed.read_bytes()[:-40])

    report = verify(path)
    assert [issue.kind for issue in report.issues] == ["parse"]
    assert report.rows > 3


async def test_rows_are_chosen_by_time_source_session_and_reference(path):
    other = ProvenanceRow(
        event="resolve", result="err", capability="metadata", ref="10.2/B", source="arxiv"
    )
    await write(path, FETCH, other)
    await write(path, other, clock=Clock(NOON + DAY), session_id=new_ulid(NOON))

    later = datetime.fromtimestamp(NOON + 10, UTC)
    assert [row["ts_seq"] for row in rows(path, since=later)] == [3]
    assert [row["ts_seq"] for row in rows(path, source="arxiv")] == [2, 3]
    assert [row["ts_seq"] for row in rows(path, session=SESSION)] == [1, 2]
    assert [row["ts_seq"] for row in rows(path, ref="10.2/b", session=SESSION)] == [2]
    assert [row["ts_seq"] for row in rows(path, limit=2)] == [2, 3]
    assert list(rows(path, source="nobody")) == []


async def test_a_log_of_the_published_server_with_its_own_key_order_verifies(path):
    """It writes its keys in another order and its times more finely; the chain is the same."""
    await write(path, FETCH)
    row = json.loads(path.read_bytes())
    row["ts"] = "2031-05-04T12:00:00.123456789Z"
    del row["this_hash"]
    text = json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    row["this_hash"] = hashlib.sha256(text.encode()).hexdigest()
    reordered = dict(reversed(row.items()))
    path.write_text(json.dumps(reordered, separators=(",", ":"), ensure_ascii=False) + "\n")

    await write(path, FETCH)

    assert verify(path).ok
    assert len(list(rows(path, since=datetime.fromtimestamp(NOON - 1, UTC)))) == 2


def test_ulids_are_26_letters_that_sort_by_time():
    made = [new_ulid(NOON + second) for second in range(50)]

    assert made == sorted(made)
    assert len(set(made)) == 50
    assert all(re.fullmatch(r"[0-7][0-9A-HJKMNP-TV-Z]{25}", one) for one in made)
    assert new_ulid(0)[:10] == "0" * 10
    assert new_ulid(NOON) != new_ulid(NOON)


def _made(path: Path) -> Path:
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    return path
