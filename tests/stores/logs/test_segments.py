"""The chain over rotated segments: whatever is done to one of them shows."""

import gzip
import json

import pytest

ROTATED = {"rotate_bytes": 1500}


def rotated(log, rows=20):
    """A log of several segments."""
    log.write(*range(rows), **ROTATED)
    assert len(log.segments()) >= 4
    return log.segments()


def issues(log):
    return [(issue.file, issue.kind) for issue in log.verify().issues]


def test_segments_are_links_of_one_chain(log):
    rotated(log)

    report = log.verify()

    assert (report.ok, report.rows, report.unlinked) == (True, 20, 0)


@pytest.mark.promise("kept.tampering-shows")
@pytest.mark.parametrize("which", [0, 1, -1])
def test_a_segment_that_was_taken_away_is_a_gap(log, which):
    segments = rotated(log)
    head = log.verify().head

    segments[which].unlink()

    report = log.verify()
    assert [issue.kind for issue in report.issues] == ["gap"]
    assert not report.chain_ok
    assert report.head == head


@pytest.mark.promise("kept.tampering-shows")
def test_segments_that_changed_places_do_not_follow_each_other(log):
    first, second, *_ = rotated(log)
    other = first.read_bytes()

    first.write_bytes(second.read_bytes())
    second.write_bytes(other)

    assert [kind for _, kind in issues(log)] == ["gap", "gap", "gap"]


@pytest.mark.promise("kept.tampering-shows")
def test_a_segment_that_is_there_twice_is_named(log):
    first, *_ = rotated(log)
    copy = first.with_name(f"{log.path.name}.2099-01-01-000000.gz")

    copy.write_bytes(first.read_bytes())

    found = log.verify().issues
    assert found[0].file == copy.name.removesuffix(".gz")
    assert "same row as" in found[0].detail


@pytest.mark.promise("kept.tampering-shows")
@pytest.mark.parametrize("cut", ["first row", "last row", "everything"])
def test_rows_that_were_cut_off_a_segment_are_missed(log, cut):
    segment = rotated(log)[1]
    lines = gzip.decompress(segment.read_bytes()).splitlines(keepends=True)
    left = {"first row": lines[1:], "last row": lines[:-1], "everything": []}[cut]

    segment.write_bytes(gzip.compress(b"".join(left)))

    assert {kind for _, kind in issues(log)} == {"gap"}


def test_the_oldest_rows_cannot_be_cut_off_the_log_in_use(log):
    rotated(log)
    for segment in log.segments():
        segment.unlink()

    [issue] = log.verify().issues
    assert (issue.file, issue.line, issue.kind) == (log.path.name, 1, "gap")
    assert "no row records their deletion" in issue.detail


def test_segments_of_an_earlier_version_are_called_unlinked(log):
    log.write(1, 2)
    log.path.rename(log.path.with_name(f"{log.path.name}.2031-01-01-000000"))
    old = log.path.with_name(f"{log.path.name}.2031-01-01-000000")
    whole = old.read_bytes()
    old.rename(old.with_name("elsewhere"))
    log.write(3, 4)
    old.write_bytes(whole)
    before = log.verify()

    log.write(*range(5, 20), **ROTATED)

    after = log.verify()
    assert (before.ok, before.unlinked) == (True, 1)
    assert (after.ok, after.unlinked) == (True, 1)
    log.segments()[1].unlink()
    assert not log.verify().ok


def test_a_segment_that_begins_anew_after_linked_ones_is_no_earlier_versions(log):
    rotated(log)
    log.path.rename(log.path.with_name("elsewhere"))
    for segment in log.segments():
        segment.rename(segment.with_name("aside-" + segment.name))
    log.write(99)
    stray = log.path.rename(log.path.with_name(f"{log.path.name}.2099-01-01-000000"))
    log.path.with_name("elsewhere").rename(log.path)
    for segment in log.path.parent.glob("aside-*"):
        segment.rename(segment.with_name(segment.name.removeprefix("aside-")))

    assert (stray.name, "gap") in issues(log)
    assert log.verify().unlinked == 0


def test_a_kill_between_rotating_and_writing_keeps_the_chain(log):
    log.write(*range(3))
    log.path.rename(log.path.with_name(f"{log.path.name}.2031-05-04-110000"))

    log.write(3)
    log.write(4)

    report = log.verify()
    first = json.loads(log.path.read_bytes().splitlines()[0])
    assert (report.ok, report.rows, report.segments) == (True, 5, 1)
    assert first["prev_hash"] != "GENESIS"
