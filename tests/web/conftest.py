"""The HTTP server on a loopback port, with the application and the simulated world behind it."""

import asyncio
import socket
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import Any

import httpx2
import pytest

from sourcewright.settings import Settings
from sourcewright.web.start import HttpServer, http_server
from sourcewright.wiring import build

HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A server that listens, and the ways to it."""

    server: HttpServer
    application: Any
    port: int
    http: httpx2.AsyncClient

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    async def post(self, method: str, params: object = None, **headers: str) -> httpx2.Response:
        """Send one request of an older protocol version."""
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
        accept = {"accept": "application/json, text/event-stream"}
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return await self.http.post("/mcp", json=body, headers=accept | given)


@pytest.fixture
async def serve(environment, tmp_path):
    """Starts a server under the test's environment, with changes."""
    async with AsyncExitStack() as stack:

        async def start(**changes: str) -> Site:
            settings = Settings.load({**environment, **changes}, cwd=tmp_path)
            application = await stack.enter_async_context(build(settings))
            server = http_server(settings, application)
            listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
            port = listener.getsockname()[1]
            serving = asyncio.create_task(server.serve(sockets=[listener]))

            async def stop() -> None:
                server.stop()
                server.stop()
                await serving

            stack.push_async_callback(stop)
            await server.listening.wait()
            base = f"http://127.0.0.1:{port}"
            http = await stack.enter_async_context(httpx2.AsyncClient(base_url=base, timeout=60))
            return Site(server=server, application=application, port=port, http=http)

        yield start
