"""A reverse proxy on loopback that gives each request to the next of several servers.

As a careful proxy does, it tries the next server if one accepts no connection, and answers 502 if
one breaks off: it never sends a request twice that may have had an effect.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from itertools import count
from typing import Self

_LENGTH = re.compile(rb"(?im)^content-length: *([0-9]+)\r$")
_CONNECTION = re.compile(rb"(?im)^connection:[^\r\n]*\r\n")
_BROKEN = b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"


class RoundRobin:
    """Forwards requests, one in each connection; `async with` runs it."""

    def __init__(self, ports: Sequence[int]) -> None:
        self._ports = list(ports)
        self._turns = count()
        self._connections: set[asyncio.Task[None]] = set()
        self.in_flight: Counter[int] = Counter()
        """Requests that wait for each server."""
        self.answers: list[tuple[int, bytes, int]] = []
        """The server, the first line and the status of each; the status 502 if it broke off."""

    @property
    def port(self) -> int:
        return int(self._server.sockets[0].getsockname()[1])

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        return self

    async def __aexit__(self, *_error: object) -> None:
        self._server.close()
        for task in self._connections:
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)

    def _accept(self, client: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._serve(client, out))
        self._connections.add(task)
        task.add_done_callback(self._connections.discard)

    async def _serve(self, client: asyncio.StreamReader, out: asyncio.StreamWriter) -> None:
        try:
            head = await client.readuntil(b"\r\n\r\n")
            length = _LENGTH.search(head)
            body = await client.readexactly(int(length[1])) if length else b""
            lines = _CONNECTION.sub(b"", head).removesuffix(b"\r\n") + b"connection: close\r\n\r\n"
            await self._forward(head.partition(b"\r\n")[0], lines + body, out)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass  # the client went away
        finally:
            out.close()

    async def _forward(self, line: bytes, request: bytes, out: asyncio.StreamWriter) -> None:
        port, upstream, to_server = await self._connected()
        self.in_flight[port] += 1
        status = 502
        try:
            to_server.write(request)
            first = await upstream.read(65_536)
            if not first:
                out.write(_BROKEN)
                return
            status = int(first.split(b" ", 2)[1])
            while first:
                out.write(first)
                await out.drain()
                first = await upstream.read(65_536)
        except ConnectionError:
            out.write(_BROKEN)
        finally:
            self.in_flight[port] -= 1
            self.answers.append((port, line, status))
            to_server.close()

    async def _connected(self) -> tuple[int, asyncio.StreamReader, asyncio.StreamWriter]:
        # Each server once, whatever requests come in the meantime and take their turns.
        turn = next(self._turns)
        *ports, last = (
            self._ports[(turn + n) % len(self._ports)] for n in range(len(self._ports))
        )
        for port in ports:
            try:
                return port, *await asyncio.open_connection("127.0.0.1", port)
            except ConnectionError:
                continue
        return last, *await asyncio.open_connection("127.0.0.1", last)
