"""The HTTP server on a loopback port, with the application and the simulated world behind it."""

import asyncio
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import pytest

from sourcewright.settings import Settings
from sourcewright.settings.process import sandbox_overrides
from sourcewright.web.start import HttpServer, http_server, listen
from sourcewright.wiring import build

HANDSHAKE = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Site:
    """A listening server, and clients for it."""

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

    async def exchange(self, data: bytes) -> bytes:
        """Send these bytes on a new connection, and return all that comes until it is closed."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(data)
        try:
            return await asyncio.wait_for(reader.read(), 300)
        finally:
            writer.close()


@asynccontextmanager
async def serving(environment: dict[str, str], folder: Path):
    settings = Settings.load(environment, cwd=folder)
    async with AsyncExitStack() as stack:
        application = await stack.enter_async_context(build(settings))
        server = http_server(settings, application)
        listener = stack.enter_context(listen("127.0.0.1", 0))
        port = listener.getsockname()[1]
        running = asyncio.create_task(server.serve(sockets=[listener]))

        async def stop() -> None:
            server.stop()
            server.stop()
            await running

        stack.push_async_callback(stop)
        await server.listening.wait()
        base = f"http://127.0.0.1:{port}"
        http = await stack.enter_async_context(httpx2.AsyncClient(base_url=base, timeout=300))
        yield Site(server=server, application=application, port=port, http=http)


@pytest.fixture
async def serve(environment, tmp_path):
    """Starts a server under the test's environment, with changes."""
    async with AsyncExitStack() as stack:
        yield lambda **changes: stack.enter_async_context(
            serving({**environment, **changes}, tmp_path)
        )


def own_environment(world: Any, folder: Path) -> dict[str, str]:
    return {
        "HOME": str(folder),
        **sandbox_overrides(world.url, str(folder)),
        "SOURCEWRIGHT_SANDBOX_PACE": "0",
        "CHROME_PATH": "disabled",
        "ALLOWED_ORIGINS": "https://app.example",
    }


@pytest.fixture(scope="module")
async def site(one_world, tmp_path_factory):
    """One server for all tests of a file that change nothing about it."""
    folder = tmp_path_factory.mktemp("site")
    async with serving(own_environment(one_world, folder), folder) as started:
        yield started


@pytest.fixture(scope="module")
async def hasty(one_world, tmp_path_factory):
    """One server with a short timeout for clients that send nothing."""
    folder = tmp_path_factory.mktemp("hasty")
    limits = ("HTTP_READ_TIMEOUT", "HTTP_READ_HEADER_TIMEOUT", "HTTP_IDLE_TIMEOUT")
    changes = dict.fromkeys(limits, "1s")
    async with serving(own_environment(one_world, folder) | changes, folder) as started:
        yield started


@pytest.fixture(scope="module")
async def narrow(one_world, tmp_path_factory):
    """One server with a small limit for headers."""
    folder = tmp_path_factory.mktemp("narrow")
    changes = {"HTTP_MAX_HEADER_BYTES": "4096"}
    async with serving(own_environment(one_world, folder) | changes, folder) as started:
        yield started


@pytest.fixture(scope="session")
def start_site():
    """Starts a server for a fixture of a wider scope: world, folder, changes of the settings."""
    return lambda world, folder, **changes: serving(
        own_environment(world, folder) | changes, folder
    )
