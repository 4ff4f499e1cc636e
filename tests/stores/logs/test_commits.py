"""Group commit: rows that wait together are written together."""

import asyncio
from threading import Event

import anyio
import pytest

from sourcewright.base.clocks import SystemClock
from sourcewright.base.errors import LogError
from sourcewright.base.text.redaction import Masker
from sourcewright.stores.logs.audit import AuditLog, AuditPolicy, EventBuilder, verify
from sourcewright.stores.logs.journal import LogFile
from sourcewright.stores.logs.writer import ChainedLog, Committer

pytestmark = pytest.mark.anyio


async def test_what_comes_while_a_write_goes_on_is_written_together_after_it():
    written, begun, go_on = [], Event(), Event()

    def commit(items):
        begun.set()
        go_on.wait(30)
        written.append(list(items))

    committer = Committer("log", commit, lambda: None)
    futures = [committer.submit(0)]
    await anyio.to_thread.run_sync(begun.wait, 300)
    futures += [committer.submit(number) for number in (1, 2, 3)]
    go_on.set()
    with anyio.fail_after(300):
        await committer.aclose()

    assert written == [[0], [1, 2, 3]]
    assert all(future.done() for future in futures)


@pytest.fixture
def plan(tmp_path):
    return AuditLog(tmp_path / "audit.jsonl", clock=SystemClock(), mask=Masker(())).plan


ROW = EventBuilder(Masker(()), AuditPolicy()).body({"tool_name": "web_search"}, 1_900_000_000.5)
TOO_LONG = {**ROW, "metadata": {"text": "é" * 150_000}}


async def test_a_row_that_is_too_long_is_refused_and_the_others_are_written(tmp_path, plan):
    path = tmp_path / "audit.jsonl"
    log = ChainedLog(path, plan, clock=SystemClock(), retention_days=0)

    await asyncio.wrap_future(log.submit(ROW))
    with pytest.raises(LogError, match="a row may not be longer than 262144 bytes"):
        log.submit(TOO_LONG)
    await asyncio.wrap_future(log.submit(ROW))
    await log.aclose()

    assert (verify(path).rows, verify(path).ok) == (2, True)


def test_a_row_that_is_too_long_is_not_written_at_once_either(tmp_path, plan):
    path = tmp_path / "audit.jsonl"
    log = LogFile(path, plan, SystemClock())
    log.append([ROW])

    assert log.append_at_once([TOO_LONG]) is False
    assert log.append_at_once([ROW]) is True
    log.close()
    assert (verify(path).rows, verify(path).ok) == (2, True)
