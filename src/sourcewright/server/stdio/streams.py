"""Message streams between the stdio connection and the SDK's server."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

import anyio
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCError, JSONRPCResponse

from sourcewright.server.stdio.frames import RequestId
from sourcewright.server.structured_content import fill_in

WaitForRoom = Callable[[], Awaitable[None]]
WriteLine = Callable[[bytes, RequestId | None], None]


class _Stream:
    """Base of both streams; they are closed with the connection, not by `async with`."""

    async def aclose(self) -> None:
        """Do nothing: a stream holds no resources."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        await self.aclose()


class Inbox(_Stream):
    """Messages for the SDK's server, in order of arrival."""

    def __init__(self) -> None:
        self._items: deque[SessionMessage] = deque()
        self._arrived = asyncio.Event()
        self._closed = False

    def put(self, item: SessionMessage) -> None:
        self._items.append(item)
        self._arrived.set()

    def close(self) -> None:
        self._closed = True
        self._arrived.set()

    async def receive(self) -> SessionMessage | Exception:
        while not self._items:
            if self._closed:
                raise anyio.EndOfStream
            self._arrived.clear()
            await self._arrived.wait()
        return self._items.popleft()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> SessionMessage | Exception:
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None


class Outbox(_Stream):
    """Messages from the SDK's server, each written as one line."""

    def __init__(self, room: WaitForRoom, write: WriteLine) -> None:
        self._room = room
        self._write = write

    async def send(self, item: SessionMessage, /) -> None:
        # Encoded only once there is room: the message object takes less memory than both.
        await self._room()
        message = item.message
        line = message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
        answers = message.id if isinstance(message, JSONRPCResponse | JSONRPCError) else None
        if isinstance(message, JSONRPCResponse):
            line = fill_in(line, message.result)
        self._write(line, answers)
