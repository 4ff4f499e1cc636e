"""Heads of responses: sent with the body in one write, and never withheld."""

import asyncio

import pytest

from sourcewright.web.response_writes import JoinedWrites

HEAD, BODY = b"HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\n", b"body"


class Recorder(asyncio.Transport):
    """A transport that lists what it is told to do."""

    def __init__(self):
        super().__init__({"peername": ("127.0.0.1", 1)})
        self.steps = []

    def write(self, data):
        self.steps.append(data)

    def close(self):
        self.steps.append("close")

    def abort(self):
        self.steps.append("abort")


@pytest.fixture
async def recorder():
    return Recorder()


@pytest.fixture
async def joined(recorder):
    return JoinedWrites(recorder, asyncio.get_running_loop())


async def test_a_head_and_its_body_are_one_write(joined, recorder):
    joined.write(HEAD)
    joined.write(BODY)
    await asyncio.sleep(0)

    assert recorder.steps == [HEAD + BODY]


async def test_a_head_without_a_body_is_sent_when_the_loop_goes_on(joined, recorder):
    joined.write(HEAD)
    await asyncio.sleep(0)
    joined.write(BODY)

    assert recorder.steps == [HEAD, BODY]


async def test_a_head_is_sent_before_the_connection_closes(joined, recorder):
    joined.write(HEAD)
    joined.close()
    await asyncio.sleep(0)

    assert recorder.steps == [HEAD, "close"]


async def test_parts_of_a_body_are_sent_as_they_come(joined, recorder):
    for part in (HEAD, b"1", b"2", HEAD, b"3"):
        joined.write(part)

    assert recorder.steps == [HEAD + b"1", b"2", HEAD + b"3"]


async def test_everything_else_is_done_by_the_transport(joined, recorder):
    assert joined.get_extra_info("peername") == ("127.0.0.1", 1)
    joined.abort()

    assert recorder.steps == ["abort"]
