"""Rows that wait together are written together."""

import anyio
import pytest

from sourcewright.stores.logs.writer import Committer

pytestmark = pytest.mark.anyio


async def test_what_comes_while_the_first_lingers_is_written_with_it_and_closing_ends_the_wait():
    written = []
    committer = Committer("log", written.append, lambda: None, linger_seconds=3600.0)

    futures = [committer.submit(number) for number in range(3)]
    with anyio.fail_after(5):
        await committer.aclose()

    assert written == [[0, 1, 2]]
    assert all(future.done() for future in futures)
