"""Stored files compared with their rows: lost, changed, cut off by a kill, or healed."""

import asyncio
import hashlib

import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.logs.provenance import ProvenanceLog, verify

BODY = b"%PDF-1.7 a paper"


@pytest.fixture
def store(tmp_path):
    folder = tmp_path / "papers"
    folder.mkdir()
    return folder


@pytest.fixture
def log(tmp_path):
    return tmp_path / "state" / "access.jsonl"


def boundary(event):
    return ProvenanceRow(event=event, result="ok", capability="metadata", ref="10.1/a")


def stored(name="a.pdf", body=BODY):
    return ProvenanceRow(
        event="store_write",
        result="ok",
        capability="oa",
        ref="10.1/a",
        store_path=name,
        size_bytes=len(body),
        canonical_digest=hashlib.sha256(body).hexdigest(),
    )


WHOLE = [boundary("session_start"), stored(), boundary("session_end")]
KILLED = WHOLE[:2]


def write(path, rows, session="S1"):
    async def run():
        log = ProvenanceLog(path, clock=SystemClock(), session_id=session)
        for row in rows:
            await log.record(row)
        await log.aclose()

    asyncio.run(run())


def test_a_file_that_is_as_its_row_says_is_in_order(log, store):
    write(log, WHOLE)
    (store / "a.pdf").write_bytes(BODY)

    report = verify(log, store_root=store)

    assert (report.ok, report.files.checked, report.files.healed) == (True, 1, 0)


def test_a_file_that_is_lost_is_named_and_the_chain_still_holds(log, store):
    write(log, WHOLE)

    report = verify(log, store_root=store)

    [trouble] = report.files.problems
    assert (report.ok, report.chain_ok) == (False, True)
    assert (trouble.kind, trouble.line) == ("missing-file", 2)
    assert "a.pdf" in trouble.detail
    assert verify(log).ok


@pytest.mark.promise("kept.changed-files-show")
@pytest.mark.parametrize("body", [BODY.upper(), BODY + b"!", b""])
def test_a_file_with_other_bytes_is_named(log, store, body):
    write(log, WHOLE)
    (store / "a.pdf").write_bytes(body)

    [trouble] = verify(log, store_root=store).files.problems
    assert trouble.kind == "changed-file"


def test_a_write_that_a_kill_cut_off_is_not_called_lost(log, store):
    write(log, KILLED)

    report = verify(log, store_root=store)

    [trouble] = report.files.cut_off
    assert report.ok
    assert (trouble.kind, trouble.line) == ("cut-off", 2)


def test_a_write_that_was_cut_off_is_healed_by_the_next_one(log, store):
    write(log, KILLED)
    write(log, WHOLE, session="S2")
    (store / "a.pdf").write_bytes(BODY)

    files = verify(log, store_root=store).files

    assert (files.ok, files.healed, files.cut_off) == (True, 1, ())


def test_the_newest_row_about_a_file_counts(log, store):
    other = b"%PDF-1.7 a better copy"
    write(log, [*WHOLE, boundary("session_start"), stored(body=other), boundary("session_end")])
    (store / "a.pdf").write_bytes(other)

    assert verify(log, store_root=store).ok


@pytest.mark.parametrize("name", ["/etc/hostname", "../../etc/hostname"])
def test_a_path_outside_the_store_is_not_looked_at(log, store, name):
    write(log, [boundary("session_start"), stored(name), boundary("session_end")])

    report = verify(log, store_root=store)

    assert (report.ok, report.files.checked) == (True, 0)


def test_a_row_of_an_earlier_version_without_a_hash_asks_only_that_the_file_is_there(log, store):
    row = ProvenanceRow(
        event="store_write", result="ok", capability="oa", store_path="a.pdf", size_bytes=1
    )
    write(log, [row])
    missing = verify(log, store_root=store).ok
    (store / "a.pdf").write_bytes(BODY)

    assert not missing
    assert verify(log, store_root=store).ok
