"""Repair of a damaged log deletes nothing."""

import gzip
import hashlib
import json

import pytest

from sourcewright.base.errors import LogError

ROTATED = {"rotate_bytes": 1500}


def bytes_beside(log):
    """Everything that is kept, as a set of lines, wherever it stands."""
    files = [file for file in log.path.parent.iterdir() if not file.name.endswith(".lock")]
    bodies = [
        gzip.decompress(file.read_bytes()) if _is_gzip(file) else file.read_bytes()
        for file in files
    ]
    return {line for body in bodies for line in body.splitlines()}


def _is_gzip(file):
    return file.read_bytes()[:2] == b"\x1f\x8b"


def repairs(log):
    rows = [json.loads(line) for line in log.path.read_bytes().splitlines()]
    return [row for row in rows if "log_repaired" in row.values()]


@pytest.mark.promise("kept.a-repair-deletes-nothing")
@pytest.mark.parametrize("line", [1, 3, 5])
def test_a_damaged_tail_is_moved_aside_and_the_log_goes_on(log, line):
    log.write(*range(5))
    lines = log.path.read_bytes().splitlines(keepends=True)
    lines[line - 1] = lines[line - 1].replace(b'"sandbox"', b'"x"').replace(b"S", b"T", 1) + b""
    lines[line - 1] = lines[line - 1][:-3] + b"0" + lines[line - 1][-2:]
    log.path.write_bytes(b"".join(lines))
    damaged = b"".join(lines[line - 1 :])
    with pytest.raises(LogError, match="log repair"):
        log.write(6)

    log.repair()
    log.write(6)

    [aside] = log.path.parent.glob("*.damaged-*")
    assert aside.read_bytes() == damaged
    assert hashlib.sha256(damaged).hexdigest() in json.dumps(repairs(log))
    report = log.verify()
    assert (report.ok, report.rows, report.repairs) == (True, line - 1 + 2, 1)


@pytest.mark.promise("kept.a-repair-deletes-nothing")
@pytest.mark.parametrize("which", [0, 1, -1])
def test_a_damaged_segment_is_moved_aside_whole(log, which):
    log.write(*range(20), **ROTATED)
    segment = log.segments()[which]
    broken = segment.read_bytes()[:-30]
    segment.write_bytes(broken)
    rows = log.verify().rows

    log.repair()
    log.write(21)

    [aside] = log.path.parent.glob("*.damaged-*")
    report = log.verify()
    assert aside.read_bytes() == broken
    assert hashlib.sha256(broken).hexdigest() in json.dumps(repairs(log))
    assert (report.ok, report.repairs) == (True, 1)
    assert report.rows < rows + 2


def test_rows_that_are_gone_without_a_trace_are_acknowledged_and_still_counted(log):
    log.write(*range(20), **ROTATED)
    log.segments()[1].unlink()

    log.repair()

    report = log.verify()
    assert (report.ok, report.repairs) == (True, 1)
    log.segments()[1].unlink()
    assert not log.verify().ok


def test_several_damages_are_mended_at_once_and_no_line_is_lost(log):
    log.write(*range(24), **ROTATED)
    segment = log.segments()[1]
    segment.write_bytes(gzip.compress(gzip.decompress(segment.read_bytes()).replace(b"1", b"2")))
    with log.path.open("ab") as file:
        file.write(b"no row of this log\n")
    before = bytes_beside(log)

    steps = log.diagnose()
    log.repair()

    assert len(steps) == 2
    assert before <= bytes_beside(log)
    assert log.verify().ok


def test_a_log_in_order_needs_no_repair_and_stays_as_it_is(log):
    log.write(*range(12), **ROTATED)
    before = log.path.read_bytes()

    log.repair()

    assert log.diagnose() == []
    assert log.path.read_bytes() == before


def test_a_repair_that_was_cut_off_is_finished_by_the_next_writer(log):
    log.write(*range(3))
    whole = log.path.read_bytes()
    # As a kill leaves it between moving a tail aside and telling of it.
    log.path.with_name(f"{log.path.name}.damaged-2031-05-04-120000-0.pending").write_bytes(b"x\n")

    log.write(4)

    assert log.path.read_bytes().startswith(whole)
    assert len(repairs(log)) == 1
    assert log.path.with_name(f"{log.path.name}.damaged-2031-05-04-120000-0").exists()
