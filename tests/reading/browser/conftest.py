"""A browser in the simulated world, pages for it, and a listener that no page may reach."""

import asyncio
import re
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

HOST = "pages.example"


@pytest.fixture(scope="session")
def chromium() -> str:
    from sourcewright.reading.browser.browser import find_chromium

    found = find_chromium()
    if found.path is None:
        pytest.skip(f"the browser's tests need one: {found.reason}")
    return found.path


class BrowserFactory:
    """Builds browsers in the simulated world; the options apply to one of them."""

    def __init__(self, path: str, sandbox: str, folder: Path, stack: AsyncExitStack) -> None:
        self.path = path
        self.sandbox = sandbox
        self.folder = folder
        self.stack = stack

    async def __call__(self, **changes: Any) -> Any:
        from sourcewright.net.fetch.subrequests import PageLimits, Subrequests
        from sourcewright.net.http.client import Client
        from sourcewright.reading.browser.browser import Browser, BrowserOptions

        path, hosts = changes.pop("path", self.path), changes.pop("hosts", None)
        shared = changes.pop("shared", False)
        client = changes.pop("client", None) or Client(user_agent="us", sandbox_url=self.sandbox)
        allowance = PageLimits(**changes.pop("allowance", {}))
        # A busy machine takes its time for each step.
        patient = {"quiet_seconds": 0.1, "page_seconds": 120.0, "snapshot_seconds": 40.0}
        browser = Browser(
            path,
            requests=Subrequests(client, hosts=hosts, allowance=allowance),
            options=BrowserOptions(**{**patient, **changes}),
        )
        self.stack.push_async_callback(client.aclose)
        if not shared:
            self.stack.push_async_callback(browser.aclose)
        return browser


@pytest.fixture(scope="session")
async def one_browser(
    chromium: str, one_world: Any, tmp_path_factory: pytest.TempPathFactory
) -> AsyncIterator[Any]:
    """The shared browser, without the network namespace, so that our own interception must hold."""
    folder = tmp_path_factory.mktemp("browser")
    async with AsyncExitStack() as stack:
        factory = BrowserFactory(chromium, one_world.url, folder, stack)
        yield await factory(without_network=False, pages_at_once=4, quiet_seconds=0.5)


@pytest.fixture
async def browser_with(chromium: str, internet: Any, tmp_path: Path) -> AsyncIterator[Any]:
    async with AsyncExitStack() as stack:
        yield BrowserFactory(chromium, internet.url, tmp_path, stack)


@pytest.fixture
async def sharing(browser_with: Any, one_browser: Any) -> Callable[..., Any]:
    """Builds a browser with its own HTTP client that renders in the shared Chromium process."""

    async def make(**changes: Any) -> Any:
        other = await browser_with(**changes, shared=True, quiet_seconds=0.5)
        other._get_renderer().supply = one_browser._get_renderer().supply
        return other

    return make


@pytest.fixture
def serve(internet: Any) -> Callable[..., str]:
    """Puts pages and their resources into the simulated world; returns the URL of the first."""

    def put(*, host: str = HOST, **parts: str | bytes) -> str:
        first = ""
        for name, body in parts.items():
            stem, _, suffix = name.rpartition("_")
            path = f"/{stem}.{suffix}" if stem else f"/{name}"
            kind = {"js": "text/javascript", "css": "text/css", "json": "application/json"}
            content = body if isinstance(body, bytes) else body.encode()
            internet.says(
                host,
                content,
                path=path,
                content_type=kind.get(suffix if stem else "", "text/html"),
            )
            first = first or f"https://{host}{path}"
        return first

    return put


@pytest.fixture
def render(one_browser: Any) -> Callable[..., Any]:
    """Renders a page; returns its markup."""

    async def shown(url: str, **more: Any) -> str:
        visit = await one_browser.render(url, **more)
        return str(visit.body.decode())

    return shown


class LoopbackServer:
    """A server on loopback with scripted responses, which records the methods of its requests."""

    def __init__(self, say: Callable[[str], str]) -> None:
        self.say = say
        self.url = ""
        self.methods: list[str] = []

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                length = re.search(rb"content-length: (\d+)", head.lower())
                await reader.readexactly(int(length[1]) if length else 0)
                method = head.split(b" ", 1)[0].decode()
                self.methods.append(method)
                writer.write(self.say(method).encode())
        except (OSError, EOFError):
            pass
        finally:
            writer.close()


@pytest.fixture
async def answering() -> AsyncIterator[Callable[..., Any]]:
    async with AsyncExitStack() as stack:

        async def make(say: Callable[[str], str]) -> LoopbackServer:
            server = LoopbackServer(say)
            socket_server = await asyncio.start_server(server.answer, "127.0.0.1", 0)
            stack.callback(socket_server.close)
            server.url = f"http://127.0.0.1:{socket_server.sockets[0].getsockname()[1]}"
            return server

        yield make


class Listener:
    """Records every connection and every datagram to one port of this machine."""

    def __init__(self) -> None:
        self.connections: list[str] = []
        self.port = 0

    def connection_made(self, _transport: Any) -> None:
        return

    def connection_lost(self, _error: Any) -> None:
        return

    def datagram_received(self, data: bytes, _where: Any) -> None:
        self.connections.append(f"UDP {data[:20]!r}")

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        place = len(self.connections)
        self.connections.append("TCP")
        try:
            async with asyncio.timeout(300):
                self.connections[place] = f"TCP {(await reader.read(60))!r}"
        except (TimeoutError, OSError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def listening() -> AsyncIterator[Listener]:
    listener = Listener()
    loop = asyncio.get_running_loop()
    async with AsyncExitStack() as stack:
        for host in ("127.0.0.1", "::1"):
            server = await asyncio.start_server(listener.answer, host, listener.port)
            stack.callback(server.close)
            listener.port = server.sockets[0].getsockname()[1]
            transport, _ = await loop.create_datagram_endpoint(
                lambda: listener, (host, listener.port)
            )
            stack.callback(transport.close)
        yield listener


@pytest.fixture
async def listener() -> AsyncIterator[Listener]:
    async with listening() as one:
        yield one


@pytest.fixture
def free_port() -> Iterator[int]:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        yield one.getsockname()[1]
