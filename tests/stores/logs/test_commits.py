"""Group commit: rows that wait together are written together."""

import asyncio
from threading import Event

import anyio
import pytest

from sourcewright.domain.errors import LogError
from sourcewright.domain.ports import SystemClock
from sourcewright.logic.text.redaction import Masker
from sourcewright.stores.logs.audit import AuditLog, AuditPolicy, EventBuilder, verify
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


@pytest.mark.parametrize("synced", [False, True], ids=["written at once", "written by the thread"])
async def test_a_row_that_is_too_long_is_refused_and_the_others_are_written(tmp_path, synced):
    path = tmp_path / "audit.jsonl"
    policy = AuditPolicy(wait_for_disk=synced)
    plan = AuditLog(path, clock=SystemClock(), mask=Masker(()), policy=policy).plan
    row = EventBuilder(Masker(()), policy).body({"tool_name": "web_search"}, 1_900_000_000.5)
    log = ChainedLog(path, plan, clock=SystemClock(), retention_days=0)

    # The first row is always written by the thread, which opens the file.
    await asyncio.wrap_future(log.submit(row))
    with pytest.raises(LogError, match="a row may not be longer than 262144 bytes"):
        await asyncio.wrap_future(log.submit({**row, "metadata": {"text": "é" * 150_000}}))
    await asyncio.wrap_future(log.submit(row))
    await log.aclose()

    assert verify(path).rows == 2
    assert verify(path).ok
