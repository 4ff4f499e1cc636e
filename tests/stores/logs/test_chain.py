"""The hash chain: whatever is written verifies, and whatever is changed shows."""

import asyncio
import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sourcewright.base.clocks import SystemClock
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.logs.provenance import ProvenanceLog, rows, verify

TEXT = st.text(max_size=30) | st.none()
ROWS = st.builds(
    ProvenanceRow,
    event=st.sampled_from(["fetch", "resolve", "store_write", "session_end"]),
    result=st.sampled_from(["ok", "err", "denied"]),
    capability=st.sampled_from(["oa", "metadata"]),
    ref=TEXT,
    source=TEXT,
    license=TEXT,
    size_bytes=st.integers(min_value=0, max_value=2**60) | st.none(),
    store_path=TEXT,
    error_code=TEXT,
    canonical_digest=TEXT,
)
PLENTY = settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


@pytest.fixture(scope="module")
def whole(folder):
    """The lines of a log of five rows, with letters, escapes and numbers in them."""
    written = [
        ProvenanceRow(
            event="fetch", result="ok", capability="oa", ref=f'é"\\\x1f{number}', size_bytes=number
        )
        for number in range(5)
    ]
    path = folder / "whole.jsonl"
    write(path, written)
    return path.read_bytes().splitlines(keepends=True)


def write(path, written):
    """The rows, appended by one log that is opened for them and closed again."""

    async def main():
        log = ProvenanceLog(path, clock=SystemClock(), session_id="S", rotate_bytes=3000)
        await asyncio.gather(*(log.record(row) for row in written))
        await log.aclose()

    asyncio.run(main())


def is_whole(folder, data):
    changed = folder / "changed.jsonl"
    changed.write_bytes(data)
    return verify(changed).ok


@PLENTY
@given(batches=st.lists(st.lists(ROWS, min_size=1, max_size=6), min_size=1, max_size=3))
def test_whatever_is_written_in_whatever_batches_verifies_and_comes_back(batches):
    with tempfile.TemporaryDirectory() as name:
        path = Path(name) / "access.jsonl"
        for batch in batches:
            write(path, batch)

        report = verify(path)
        back = [(row["event"], row["size_bytes"]) for row in rows(path)]
    assert report.ok, report.issues
    assert back == [(row.event, row.size_bytes) for batch in batches for row in batch]


@pytest.mark.promise("kept.tampering-shows")
@pytest.mark.parametrize("flip", [0x01, 0x20, 0x80])
def test_no_byte_of_a_log_can_be_changed_unseen(folder, whole, flip):
    """0x20 is the bit between small and capital letters, which hex and escapes could hide."""
    data = b"".join(whole[:2])

    unseen = [
        at
        for at in range(len(data))
        if is_whole(folder, data[:at] + bytes([data[at] ^ flip]) + data[at + 1 :])
    ]
    assert unseen == []


@PLENTY
@given(at=st.integers(0, 10_000), byte=st.binary(min_size=1, max_size=3))
def test_no_bytes_can_be_put_in_place_of_others_unseen(folder, whole, at, byte):
    data = b"".join(whole)
    at %= len(data)
    changed = data[:at] + byte + data[at + len(byte) :]

    assert is_whole(folder, changed) == (changed == data)


@pytest.mark.promise("kept.tampering-shows")
@pytest.mark.parametrize("gone", range(4))
def test_a_removed_row_shows(folder, whole, gone):
    left = whole[:gone] + whole[gone + 1 :]

    assert not is_whole(folder, b"".join(left))


@pytest.mark.parametrize("twice", range(5))
def test_a_repeated_row_shows(folder, whole, twice):
    more = whole[: twice + 1] + whole[twice:]

    assert not is_whole(folder, b"".join(more))


@pytest.mark.promise("kept.tampering-shows")
@pytest.mark.parametrize(("one", "other"), [(0, 1), (0, 4), (1, 3), (3, 4)])
def test_rows_in_another_order_show(folder, whole, one, other):
    swapped = list(whole)
    swapped[one], swapped[other] = swapped[other], swapped[one]

    assert not is_whole(folder, b"".join(swapped))


@pytest.mark.parametrize("inserted", [b"\n", b" \n", b"{}\n", b"[]\n", b"null\n", b"1\n"])
def test_a_line_from_elsewhere_shows(folder, whole, inserted):
    assert not is_whole(folder, whole[0] + inserted + b"".join(whole[1:]))
    assert not is_whole(folder, b"".join(whole) + inserted)


@pytest.mark.parametrize("hostile", [b"[" * 100_000, b'{"a":1e999}', b"9" * 5000, b"NaN"])
def test_a_line_made_to_break_a_parser_is_only_another_unreadable_line(folder, whole, hostile):
    path = folder / "hostile.jsonl"
    path.write_bytes(whole[0] + hostile + b"\n")

    [issue] = verify(path).issues
    assert (issue.kind, issue.line) == ("parse", 2)


def test_rows_cut_off_the_end_show_only_against_a_head_kept_elsewhere(folder, whole):
    """A chain cannot know what came after it; the report's head is there to be compared."""
    path = folder / "cut.jsonl"
    path.write_bytes(b"".join(whole))
    head = verify(path).head

    path.write_bytes(b"".join(whole[:-1]))

    assert verify(path).ok
    assert verify(path).head != head


def test_the_list_of_issues_is_bounded_and_the_count_is_not(folder):
    path = folder / "noise.jsonl"
    path.write_bytes(b"noise\n" * 1500)

    report = verify(path)
    assert (report.count, len(report.issues)) == (1500, 1000)
