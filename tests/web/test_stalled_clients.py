"""Clients that do not read: their connections end, and hold nothing up for the others."""

import asyncio
import socket
from contextlib import asynccontextmanager

import pytest
import uvicorn

from sourcewright.web.connections import bounded_protocol
from sourcewright.web.start import HttpServer, listen

LARGE, SMALL = 30_000_000, 1_000_000


@pytest.fixture
async def hasty():
    """A server whose clients may leave a response unread for one second."""
    begun = asyncio.Event()

    async def answer(scope, receive, send):
        """Answer with as many bytes as the path says, in pieces."""
        begun.set()
        await receive()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(int(scope["path"][1:]) // 10_000):
            await send({"type": "http.response.body", "body": b"x" * 10_000, "more_body": True})
        await send({"type": "http.response.body", "body": b""})

    protocol = bounded_protocol(5.0, 65_536, stall_seconds=1.0)
    config = uvicorn.Config(answer, http=protocol, ws="none", lifespan="off", log_config=None)
    server = HttpServer(config, grace=0.0, interrupt=lambda: None)
    with listen("127.0.0.1", 0, stall_seconds=1.0) as listener:
        running = asyncio.create_task(server.serve(sockets=[listener]))
        await server.listening.wait()
        yield server, listener.getsockname()[1], begun
        server.stop()
        await running


@asynccontextmanager
async def unread_response(port, size):
    """Ask for so many bytes, and read none of them."""
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.setblocking(False)
        loop = asyncio.get_running_loop()
        await loop.sock_connect(client, ("127.0.0.1", port))
        head = f"GET /{size} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        await loop.sock_sendall(client, head.encode())
        yield


@pytest.mark.parametrize("size", [SMALL, LARGE])
async def test_a_connection_whose_response_nobody_reads_is_ended(hasty, size):
    server, port, begun = hasty

    async with unread_response(port, size), asyncio.timeout(300):
        await begun.wait()
        while server.server_state.connections:  # noqa: ASYNC110 -- uvicorn has no event for it
            await asyncio.sleep(0)


async def test_a_client_that_reads_gets_all_of_a_large_response(hasty):
    _, port, _ = hasty
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /{LARGE} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n".encode())

    received = 0
    while part := await asyncio.wait_for(reader.read(65_536), 300):
        received += part.count(b"x")
    writer.close()

    assert received == LARGE
