"""Malformed DevTools messages, as a compromised renderer could send them."""

import asyncio
import base64
import os

import pytest

from sourcewright.reading.browser.devtools import BrowserGone, CommandRejected, Devtools
from sourcewright.reading.browser.interception import read_paused_request

pytestmark = pytest.mark.anyio
PAUSED = {
    "requestId": "job-1",
    "frameId": "f",
    "resourceType": "XHR",
    "request": {"url": "https://a.example/", "method": "post", "headers": {"X-A": "b"}},
}


@pytest.fixture
def devtools_of():
    """DevTools connected to a program that writes exactly these bytes."""

    async def make(output):
        pipe = asyncio.subprocess.PIPE
        program = await asyncio.create_subprocess_exec(
            "cat", stdin=pipe, stdout=pipe, limit=1 << 16
        )
        devtools = Devtools(program.stdout, program.stdin)
        program.stdin.write(output)
        return devtools, program

    return make


@pytest.mark.parametrize(
    "output",
    [
        b"no JSON\0",
        b"[1]\0",
        b"\xff\xfe\0",
        b"[" * 60_000 + b"\0",
        b"x" * (1 << 18),
    ],
)
async def test_what_no_browser_says_ends_the_conversation(devtools_of, output):
    devtools, program = await devtools_of(output)

    await asyncio.wait_for(devtools.listen(), 300)

    assert devtools.gone.is_set()
    with pytest.raises(BrowserGone):
        await devtools.ask("Browser.getVersion")
    program.kill()
    await program.communicate()


@pytest.mark.parametrize(
    ("output", "kind"),
    [
        (b'{"id":1,"result":7}\0', CommandRejected),
        (b'{"id":1,"error":{"message":"no"}}\0', CommandRejected),
        (b'{"id":[],"result":{}}\0{"id":"1","result":{}}\0{"id":99,"result":{}}\0', BrowserGone),
        (b'{"method":7,"params":{}}\0{"method":"a","params":[],"sessionId":[]}\0', BrowserGone),
    ],
)
async def test_an_answer_that_is_none_is_not_taken_for_one(output, kind):
    read, write = os.pipe()
    pipe = asyncio.subprocess.PIPE
    program = await asyncio.create_subprocess_exec(
        "cat", stdin=read, stdout=pipe, start_new_session=True
    )
    sink = await asyncio.create_subprocess_exec(
        "cat", stdin=pipe, stdout=asyncio.subprocess.DEVNULL
    )
    devtools = Devtools(program.stdout, sink.stdin)
    asking = asyncio.create_task(devtools.ask("Browser.getVersion"))
    await asyncio.sleep(0)

    os.write(write, output)
    os.close(write)
    os.close(read)
    await asyncio.wait_for(devtools.listen(), 300)

    with pytest.raises(kind):
        await asking
    devtools.close()
    await asyncio.gather(program.wait(), sink.wait())


def test_a_request_is_read_byte_for_byte():
    part = {"bytes": base64.b64encode(b"\xff{}").decode()}
    request = {**PAUSED["request"], "hasPostData": True, "postDataEntries": [part, part]}

    paused = read_paused_request({**PAUSED, "request": request})

    assert (paused.method, paused.url) == ("POST", "https://a.example/")
    assert paused.headers == {"x-a": "b"}
    assert paused.body == b"\xff{}\xff{}"


@pytest.mark.parametrize(
    "change",
    [
        {"requestId": 7},
        {"frameId": []},
        {"resourceType": None},
        {"request": None},
        {"request": {**PAUSED["request"], "headers": []}},
        {"request": {**PAUSED["request"], "headers": {"a": 1}}},
        {"request": {**PAUSED["request"], "url": 1}},
        {"request": {**PAUSED["request"], "url": "https://a.example/\ud800"}},
        {"request": {**PAUSED["request"], "hasPostData": True}},
        {"request": {**PAUSED["request"], "hasPostData": True, "postDataEntries": [{}]}},
        {
            "request": {
                **PAUSED["request"],
                "hasPostData": True,
                "postDataEntries": [{"bytes": "x"}],
            }
        },
    ],
)
def test_a_request_that_cannot_be_understood_is_none(change):
    assert read_paused_request({**PAUSED, **change}) is None
