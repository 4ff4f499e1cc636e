"""Many connections: whoever opens them keeps nobody else out, and does not take all files."""

import asyncio
import resource
from contextlib import asynccontextmanager, contextmanager

import pytest
import uvicorn

from sourcewright.web.connections import MAX_CONNECTIONS, bounded_protocol
from sourcewright.web.open_files import connections_that_fit
from sourcewright.web.start import HttpServer, listen

AT_MOST = 5
SILENT = {
    "nothing at all": b"",
    "a part of a head": b"POST / HTTP/1.1\r\nHost: localhost\r\n",
    "a head without its body": b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n",
    "a request, then nothing": b"GET /soon HTTP/1.1\r\nHost: localhost\r\n\r\n",
}
REQUEST = b"GET /soon HTTP/1.1\r\nHost: localhost\r\n\r\n"


@pytest.fixture
async def small():
    """A server with room for few connections; `/late` is answered when the event is set."""
    late = asyncio.Event()

    async def answer(scope, receive, send):
        while (await receive()).get("more_body"):
            pass
        if scope["path"] == "/late":
            await late.wait()
        headers = [(b"content-length", b"2")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"ok"})

    protocol = bounded_protocol(300.0, 65_536, connections_at_most=AT_MOST)
    config = uvicorn.Config(
        *(answer, "127.0.0.1"),
        http=protocol,
        ws="none",
        lifespan="off",
        log_config=None,
        limit_concurrency=2 * AT_MOST,
    )
    server = HttpServer(config, grace=0.0, interrupt=late.set)
    with listen("127.0.0.1", 0) as listener:
        running = asyncio.create_task(server.serve(sockets=[listener]))
        await server.listening.wait()
        yield listener.getsockname()[1], late
        server.stop()
        server.stop()
        await running


@asynccontextmanager
async def connections(port, number, sent):
    """So many connections that have sent this; one after the other, so that their age is known."""
    opened = []
    try:
        for _ in range(number):
            opened.append(await asyncio.open_connection("127.0.0.1", port))
            opened[-1][1].write(sent)
            if b"/soon" in sent:
                await status(opened[-1][0])
        yield opened
    finally:
        for _, writer in opened:
            writer.close()


async def status(reader):
    async with asyncio.timeout(300):
        head = await reader.readuntil(b"\r\n\r\n")
        await reader.readexactly(2)
    return int(head.split()[1])


@pytest.mark.parametrize("silent", SILENT)
async def test_no_number_of_connections_keeps_a_client_out(small, silent):
    port, _ = small

    async with connections(port, 4 * AT_MOST, SILENT[silent]) as opened:
        async with connections(port, 1, b"") as ((reader, writer),):
            writer.write(REQUEST)
            assert await status(reader) == 200
        async with asyncio.timeout(300):
            assert await opened[0][0].read() == b""


async def test_a_call_in_flight_is_not_ended_for_a_new_connection(small):
    port, late = small
    call = b"GET /late HTTP/1.1\r\nHost: localhost\r\n\r\n"

    async with (
        connections(port, AT_MOST, call) as calls,
        connections(port, 3 * AT_MOST, b""),
        connections(port, 1, REQUEST),
    ):
        late.set()
        assert [await status(reader) for reader, _ in calls] == [200] * AT_MOST


@contextmanager
def file_limit(soft):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def test_the_limit_of_files_is_raised_for_the_connections():
    with file_limit(1024):
        fitting = connections_that_fit(MAX_CONNECTIONS)
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)

    assert soft >= min(2 * MAX_CONNECTIONS, hard)
    assert 2 * fitting < soft


def test_no_more_connections_are_allowed_than_files_can_be_open():
    with file_limit(1024):
        fitting = connections_that_fit(10**9)
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)

    assert 2 * fitting < soft
