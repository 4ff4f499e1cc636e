"""The Chrome DevTools protocol over a pipe: commands with responses, events by session."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

EventListener = Callable[[str, Mapping[str, Any]], None]
"""Callback for an event: its name and its parameters."""

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
"""Limit of one message in bytes: the markup of the largest accepted page with every character
escaped, and more than any request of a page may carry.
"""

_SEPARATOR = b"\0"


_CONNECTION_ERRORS = (EOFError, OSError, ValueError, RecursionError, asyncio.LimitOverrunError)
"""Errors that end the connection: end of file, or an invalid message."""


class BrowserGone(Exception):
    """The browser has exited, or sent an invalid message."""


class CommandRejected(Exception):
    """The browser rejected a command, for example because the page has navigated."""


class Devtools:
    """A connection to one browser; `listen` reads it, and `gone` is set when it ends."""

    def __init__(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        self._source = source
        self._sink = sink
        self._count = 0
        self._pending: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._listeners: dict[str, EventListener] = {}
        self.gone = asyncio.Event()

    async def listen(self) -> None:
        """Dispatch messages until the connection ends."""
        try:
            while True:
                self._dispatch(json.loads((await self._source.readuntil(_SEPARATOR))[:-1]))
        except (*_CONNECTION_ERRORS, BrowserGone):
            pass
        finally:
            self.gone.set()
            for answer in self._pending.values():
                if not answer.done():
                    answer.set_exception(BrowserGone())
            self._pending.clear()

    def on(self, session: str, listener: EventListener | None) -> None:
        """Set or remove the listener for a session's events; the browser's own session is ''."""
        if listener is None:
            self._listeners.pop(session, None)
        else:
            self._listeners[session] = listener

    async def ask(
        self, method: str, params: Mapping[str, Any] | None = None, *, session: str = ""
    ) -> Mapping[str, Any]:
        """Send a command and return its result.

        Raises:
            BrowserGone: The browser exited before it responded.
            CommandRejected: It rejected the command.
        """
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        number = self.send(method, params, session=session)
        self._pending[number] = answer
        try:
            response = await answer
        finally:
            self._pending.pop(number, None)
        result = response.get("result")
        if not isinstance(result, Mapping):
            raise CommandRejected(str(response.get("error"))[:200])
        return result

    def send(
        self, method: str, params: Mapping[str, Any] | None = None, *, session: str = ""
    ) -> int:
        """Send a command without waiting for the result; returns its id.

        Raises:
            BrowserGone: The browser has exited.
        """
        if self.gone.is_set() or self._sink.is_closing():
            raise BrowserGone
        self._count += 1
        message = {"id": self._count, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._sink.write(json.dumps(message).encode() + _SEPARATOR)
        return self._count

    async def drain(self) -> None:
        """Wait until the write buffer has been flushed.

        Raises:
            BrowserGone: The pipe is broken.
        """
        try:
            await self._sink.drain()
        except OSError as error:
            raise BrowserGone from error

    def close(self) -> None:
        """Close the pipe, which makes Chromium exit."""
        self._sink.close()

    def _dispatch(self, message: Any) -> None:
        if not isinstance(message, Mapping):
            raise BrowserGone
        number, session = message.get("id"), message.get("sessionId", "")
        if isinstance(number, int):
            answer = self._pending.get(number)
            if answer is not None and not answer.done():
                answer.set_result(message)
            return
        method, params = message.get("method"), message.get("params")
        listener = self._listeners.get(session) if isinstance(session, str) else None
        if listener is not None and isinstance(method, str) and isinstance(params, Mapping):
            listener(method, params)
