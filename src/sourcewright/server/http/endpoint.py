"""MCP over Streamable HTTP: the SDK's server behind one ASGI endpoint, without sessions."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from sse_starlette.sse import AppStatus

from sourcewright.server import identity
from sourcewright.server.backend import Backend
from sourcewright.server.http.asgi import Receive, Scope, Send
from sourcewright.server.http.cancellation import HttpCalls
from sourcewright.server.mcp import Calls, build

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
        if self._stateless:
            await self._requests.handle(self._manager.handle_request, scope, receive, send)
        else:
            await self._manager.handle_request(scope, receive, send)
