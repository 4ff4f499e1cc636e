"""Retention: old segments are removed on record, and never after one reading of the clock."""

import gzip
import json

import pytest

from sourcewright.stores.logs.removals import digest_of

from .conftest import NOON

DAY = 86_400.0
LATER = NOON + 60 * DAY


def old_segments(log):
    log.write(*range(12), rotate_bytes=1500)
    return {segment.name: digest_of(segment) for segment in log.segments()}


def rows_of(log):
    return [json.loads(line) for line in log.path.read_bytes().splitlines()]


def removals(log):
    """The log's entries about removed segments."""
    found = [row for row in rows_of(log) if "log_expired" in row.values()]
    return [row.get("details") or row.get("metadata") for row in found]


def test_old_segments_go_when_two_runs_a_day_apart_find_them_old(log):
    segments = old_segments(log)

    log.write(50, now=LATER, retention_days=30)
    after_one = len(log.segments())
    log.write(51, now=LATER + DAY, retention_days=30)

    report = log.verify()
    assert after_one == len(segments)
    assert log.segments() == []
    assert (report.ok, report.expired) == (True, len(segments))
    assert [(one["file"], one["sha256"]) for one in removals(log)] == list(segments.items())


def test_what_was_removed_is_told_with_its_hashes_its_times_and_its_number_of_rows(log):
    old_segments(log)
    lines = gzip.decompress(log.segments()[0].read_bytes()).splitlines()
    first, last = json.loads(lines[0]), json.loads(lines[-1])
    key = "hash" if "hash" in first else "this_hash"
    time = "timestamp" if "hash" in first else "ts"

    for run in (0, 1):
        log.write(50, now=LATER + run * DAY, retention_days=30)

    message = removals(log)[0]
    assert message["rows"] == len(lines)
    assert (message["prev_hash"], message["first_hash"]) == ("GENESIS", first[key])
    assert message["last_hash"] == last[key]
    assert (message["first_time"], message["last_time"]) == (first[time], last[time])


@pytest.mark.promise("kept.logs-outlive-a-wrong-clock")
@pytest.mark.parametrize("runs", [1, 5])
def test_a_clock_that_jumped_ahead_removes_nothing(log, runs):
    segments = old_segments(log)

    for run in range(runs):
        log.write(50, now=NOON + 400 * DAY + run, retention_days=30)
    for run in range(3):
        log.write(51, now=NOON + run * DAY, retention_days=30)

    assert [segment.name for segment in log.segments()] == list(segments)
    assert log.verify().ok


def test_a_jump_does_not_count_later_as_an_earlier_finding(log):
    segments = old_segments(log)

    log.write(50, now=NOON + 400 * DAY, retention_days=30)
    log.write(51, now=NOON + DAY, retention_days=30)
    log.write(52, now=NOON + 40 * DAY, retention_days=30)

    assert len(log.segments()) == len(segments)


@pytest.mark.parametrize("days", [90, 0])
def test_what_is_young_stays_and_zero_keeps_everything(log, days):
    segments = old_segments(log)

    for run in range(3):
        log.write(50, now=LATER + run * DAY, retention_days=days)

    assert len(log.segments()) == len(segments)
    assert removals(log) == []


def test_a_segment_whose_rows_are_younger_than_its_name_stays(log):
    log.write(*range(12), rotate_bytes=1500)
    oldest = log.segments()[0]
    oldest.rename(oldest.with_name(f"{log.path.name}.2001-01-01-000000.gz"))

    for run in (1, 2, 3):
        log.write(50, now=NOON + run * DAY, retention_days=30)

    assert log.segments()[0].name.endswith("2001-01-01-000000.gz")


def test_a_removal_that_was_recorded_and_not_done_is_done_later(log):
    old_segments(log)
    keep = {segment: segment.read_bytes() for segment in log.segments()[:1]}
    for run in (0, 1):
        log.write(50, now=LATER + run * DAY, retention_days=30)
    for segment, body in keep.items():
        segment.write_bytes(body)

    still_whole = log.verify().ok
    for run in (2, 3):
        log.write(50, now=LATER + run * DAY, retention_days=30)

    assert still_whole
    assert log.segments() == []
    assert log.verify().ok


def test_what_somebody_took_away_is_told_from_what_retention_removed(log):
    log.write(*range(12), rotate_bytes=1500)
    log.write(*range(12, 24), now=NOON + 40 * DAY, rotate_bytes=1500)
    for run in (0, 1):
        log.write(50, now=NOON + (45 + run) * DAY, retention_days=30)
    removed_by_the_rules = log.verify()

    log.segments()[0].unlink()

    assert (removed_by_the_rules.ok, removed_by_the_rules.expired >= 2) == (True, True)
    assert [issue.kind for issue in log.verify().issues] == ["gap"]
