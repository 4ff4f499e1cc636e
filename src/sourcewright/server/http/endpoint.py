"""MCP over Streamable HTTP: the SDK's server behind one ASGI endpoint, without sessions."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from sse_starlette.sse import AppStatus

from sourcewright.server import identity
from sourcewright.server.backend import Backend
from sourcewright.server.http.asgi import Receive, Scope, Send, replay_body
from sourcewright.server.http.cancellation import HttpCalls
from sourcewright.server.http.exchange import Exchange, PlainCall, plain_call
from sourcewright.server.http.messages import HttpMessage, read_message
from sourcewright.server.mcp import Calls, build
from sourcewright.server.stdio import frames
from sourcewright.server.stdio.frames import InvalidMessage

_UNLIMITED: Final = 2**62
"""The web application has limited the body before it comes here."""


class McpEndpoint:
    """Answers MCP requests of both protocol eras; every request stands alone.

    The web application in front of it has checked the request: host, origin, size, sign-in.
    """

    def __init__(self, backend: Backend, *, stateless: bool = True) -> None:
        self.calls = Calls()
        self._requests = HttpCalls()
        self._stateless = stateless
        self.server = build(backend, identity.instructions(backend.listing()), self.calls)
        self._manager = StreamableHTTPSessionManager(
            self.server, stateless=stateless, max_request_body_size=_UNLIMITED
        )

    @asynccontextmanager
    async def run(self) -> AsyncIterator[None]:
        """Serve requests inside; leaving it ends those that are left."""
        # Otherwise the SDK's streams would end at once when the process is asked to stop, and
        # calls in flight would be lost instead of finished.
        AppStatus.enable_automatic_graceful_drain = False
        async with self._manager.run():
            yield

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        message = await read_message(scope, receive)
        if message.problem is not None:
            await _refuse(message.problem, send)
            return
        if not self._stateless:
            replay = replay_body(message.body, receive)
            await self._manager.handle_request(scope, replay, send)
            return
        serve = partial(self._serve, message)
        await self._requests.handle(serve, message, scope, receive, send)

    async def _serve(
        self, message: HttpMessage, scope: Scope, receive: Receive, send: Send
    ) -> None:
        call = plain_call(scope, message.fields)
        if call is None or self._has_header_arguments(call):
            replay = replay_body(message.body, receive)
            await self._manager.handle_request(scope, replay, send)
        else:
            await Exchange(call, receive, send).run(self.server)

    def _has_header_arguments(self, call: PlainCall) -> bool:
        """Whether headers repeat arguments of the tool, which the SDK compares."""
        look_up = self.server.get_tool_input_schema
        name = call.params.get("name")
        return look_up is None or not isinstance(name, str) or look_up(name) is not None


async def _refuse(problem: InvalidMessage, send: Send) -> None:
    """Answer a message that is no request as the protocol has it, whatever its version."""
    body = frames.error(*problem)
    headers = [(b"content-type", b"application/json")]
    headers.append((b"content-length", str(len(body)).encode()))
    await send({"type": "http.response.start", "status": 400, "headers": headers})
    await send({"type": "http.response.body", "body": body, "more_body": False})
