"""The DevTools protocol over a pipe: commands with answers, events by session."""

import asyncio
import json
from collections.abc import Callable, Mapping
from typing import Any

Listener = Callable[[str, Mapping[str, Any]], None]
"""Is told the name of an event and what it carries."""

LONGEST = 64 * 1024 * 1024
"""Bytes of one message: the markup of the largest page that is taken, with every character
escaped, and more than any request of a page may carry."""

_END = b"\0"


_ENDS = (EOFError, OSError, ValueError, RecursionError, asyncio.LimitOverrunError)
"""How a conversation ends: there is no more, or what there is cannot be read."""


class Gone(Exception):
    """The browser is no longer there, or says what no browser says."""


class Declined(Exception):
    """The browser would not do it: the page has gone on meanwhile, say."""


class Devtools:
    """One conversation with one browser; `listen` starts it, and `gone` says when it is over."""

    def __init__(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        self._source = source
        self._sink = sink
        self._count = 0
        self._asked: dict[int, asyncio.Future[Mapping[str, Any]]] = {}
        self._listeners: dict[str, Listener] = {}
        self.gone = asyncio.Event()

    async def listen(self) -> None:
        """Take in what the browser says until it says no more."""
        try:
            while True:
                self._hear(json.loads((await self._source.readuntil(_END))[:-1]))
        except (*_ENDS, Gone):
            pass
        finally:
            self.gone.set()
            for answer in self._asked.values():
                if not answer.done():
                    answer.set_exception(Gone())
            self._asked.clear()

    def on(self, session: str, listener: Listener | None) -> None:
        """Tell a listener about a session's events from now on; the browser's own is ''."""
        if listener is None:
            self._listeners.pop(session, None)
        else:
            self._listeners[session] = listener

    async def ask(
        self, method: str, params: Mapping[str, Any] | None = None, *, session: str = ""
    ) -> Mapping[str, Any]:
        """Have something done, and give what came of it.

        Raises:
            Gone: The browser ended before it answered.
            Declined: It would not do it.
        """
        answer: asyncio.Future[Mapping[str, Any]] = asyncio.get_running_loop().create_future()
        number = self.tell(method, params, session=session)
        self._asked[number] = answer
        try:
            said = await answer
        finally:
            self._asked.pop(number, None)
        result = said.get("result")
        if not isinstance(result, Mapping):
            raise Declined(str(said.get("error"))[:200])
        return result

    def tell(
        self, method: str, params: Mapping[str, Any] | None = None, *, session: str = ""
    ) -> int:
        """Have something done without waiting for it.

        Raises:
            Gone: There is no browser.
        """
        if self.gone.is_set() or self._sink.is_closing():
            raise Gone
        self._count += 1
        message = {"id": self._count, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._sink.write(json.dumps(message).encode() + _END)
        return self._count

    async def drain(self) -> None:
        """Wait until the browser has taken what it was told.

        Raises:
            Gone: It takes nothing any more.
        """
        try:
            await self._sink.drain()
        except OSError as error:
            raise Gone from error

    def close(self) -> None:
        """End the pipe, at which Chromium ends itself."""
        self._sink.close()

    def _hear(self, message: Any) -> None:
        if not isinstance(message, Mapping):
            raise Gone
        number, session = message.get("id"), message.get("sessionId", "")
        if isinstance(number, int):
            answer = self._asked.get(number)
            if answer is not None and not answer.done():
                answer.set_result(message)
            return
        method, params = message.get("method"), message.get("params")
        listener = self._listeners.get(session) if isinstance(session, str) else None
        if listener is not None and isinstance(method, str) and isinstance(params, Mapping):
            listener(method, params)
