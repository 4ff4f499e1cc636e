"""Group commit: rows that wait together are written together."""

from threading import Event

import anyio
import pytest

from sourcewright.stores.logs.writer import Committer

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
