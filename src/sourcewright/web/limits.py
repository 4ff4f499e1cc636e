"""Limits of one HTTP request: size of its headers, size and time of its body and response.

How long a client may leave a response unread is limited by the connection.
"""

import asyncio
import logging
from collections.abc import Collection
from dataclasses import dataclass

from starlette.responses import PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sourcewright.server.http.asgi import header_of, replay_body

logger = logging.getLogger(__name__)

_CLOSE = {"connection": "close"}
SMALL_BODY_BYTES = 128 * 1024
"""The largest body of a request that is read before anybody has signed in."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestLimits:
    """Limits of size and time."""

    header_bytes: int
    body_bytes: int
    body_seconds: float
    response_seconds: float
    """The whole response; 0 for no limit."""


class BoundedBody:
    """Reads the body before the application runs."""

    def __init__(self, app: ASGIApp, limits: RequestLimits) -> None:
        self._app = app
        self._limits = limits
        self._body_bytes = limits.body_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        body = await self._read(scope, receive)
        if isinstance(body, Response):
            await body(scope, receive, send)
        elif body is not None:
            await self._respond(scope, replay_body(body, receive), send)

    async def _read(self, scope: Scope, receive: Receive) -> bytes | Response | None:
        """Return the body, the refusal of one beyond the limits, or None if the client has gone."""
        declared = header_of(scope, b"content-length") or "0"
        if not declared.isdecimal() or int(declared[:18]) > self._body_bytes:
            return _too_large()
        body = bytearray()
        try:
            async with asyncio.timeout(self._limits.body_seconds):
                while True:
                    message = await receive()
                    if message["type"] != "http.request":
                        return None
                    body += message.get("body", b"")
                    if len(body) > self._body_bytes:
                        return _too_large()
                    if not message.get("more_body", False):
                        return bytes(body)
        except TimeoutError:
            return PlainTextResponse("Request Timeout", 408, headers=_CLOSE)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)


class BoundedRequests(BoundedBody):
    """Refuses large headers, reads small bodies, and ends responses that take too long.

    At some paths the application reads the body itself, when it knows whose it is: a stranger
    must not fill the memory.
    """

    def __init__(
        self, app: ASGIApp, limits: RequestLimits, *, reading_later: Collection[str]
    ) -> None:
        super().__init__(app, limits)
        self._body_bytes = min(limits.body_bytes, SMALL_BODY_BYTES)
        self._reading_later = reading_later

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        # The parser limits only headers that arrive in several pieces.
        if _head_bytes(scope) > self._limits.header_bytes:
            refusal = PlainTextResponse("Request Header Fields Too Large", 431, headers=_CLOSE)
            await refusal(scope, receive, send)
        elif scope["path"] in self._reading_later:
            await self._respond(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def _respond(self, scope: Scope, receive: Receive, send: Send) -> None:
        if not self._limits.response_seconds:
            await self._app(scope, receive, send)
            return
        is_started = False

        async def sending(message: Message) -> None:
            nonlocal is_started
            is_started = True
            await send(message)

        try:
            async with asyncio.timeout(self._limits.response_seconds) as limit:
                await self._app(scope, _pausing(limit, receive), sending)
        except TimeoutError:
            if not limit.expired():
                raise
            # What was begun is cut off: the server closes a connection without a whole response.
            logger.warning("a response took longer than HTTP_WRITE_TIMEOUT, and was ended")
            if not is_started:
                await PlainTextResponse("Response Timeout", 503, headers=_CLOSE)(
                    scope, receive, send
                )


def _pausing(limit: asyncio.Timeout, receive: Receive) -> Receive:
    """Pause the time of a response while the client sends the body, which has a limit of its own."""
    is_sending = True

    async def receiving() -> Message:
        nonlocal is_sending
        if not is_sending:
            return await receive()
        loop, end = asyncio.get_running_loop(), limit.when()
        begin = loop.time()
        limit.reschedule(None)
        message = await receive()
        if end is not None:
            limit.reschedule(end + loop.time() - begin)
        is_sending = message.get("more_body", False)
        return message

    return receiving


def _too_large() -> Response:
    return PlainTextResponse("Content Too Large", 413, headers=_CLOSE)


def _head_bytes(scope: Scope) -> int:
    line = len(scope["method"]) + len(scope["raw_path"]) + len(scope["query_string"])
    return line + sum(len(name) + len(value) for name, value in scope["headers"])
