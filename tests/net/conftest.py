"""A scripted web server on loopback, and a record of every connection that is opened."""

import asyncio
import sys

import pytest

from sourcewright.net.http.backend import Route
from sourcewright.net.http.client import Client

ROUTE = {"resolve", "ssl_context", "proxy_url"}

_watched: list[list[tuple[str, int]]] = []


def _on_audit(event, args):
    if event != "socket.connect" or not _watched or not isinstance(args[1], tuple):
        return
    host, port = args[1][:2]
    _watched[-1].append((host, port))
    if not host.startswith("127.") and host != "::1":
        raise ConnectionRefusedError(f"a test tried to reach {host}")


sys.addaudithook(_on_audit)


@pytest.fixture
def dialled():
    """Every address that is connected to, recorded by an audit hook of the interpreter."""
    _watched.append([])
    yield _watched[-1]
    _watched.pop()


@pytest.fixture
def say():
    """Format an HTTP response, with its length."""

    def spell(status=200, *headers, body=b""):
        head = [f"HTTP/1.1 {status} So", f"Content-Length: {len(body)}", *headers]
        return "\r\n".join(head).encode("utf-8") + b"\r\n\r\n" + body

    return spell


class Site:
    """One loopback server, and the requests that it received."""

    def __init__(self, script):
        self.script = script
        self.heads: list[bytes] = []
        self.bodies: list[bytes] = []
        self.requested = asyncio.Event()
        self.hung_up = asyncio.Event()
        self.port = 0
        self.tasks: list[asyncio.Task] = []

    async def stop(self):
        for task in self.tasks:
            task.cancel()
        await asyncio.gather(*self.tasks, return_exceptions=True)

    @property
    def origin(self):
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader, writer):
        self.tasks.append(asyncio.current_task())
        try:
            while True:
                await self.exchange(reader, writer)
        except (ConnectionError, asyncio.IncompleteReadError):
            self.hung_up.set()
        finally:
            writer.transport.abort()

    async def exchange(self, reader, writer):
        head = await reader.readuntil(b"\r\n\r\n")
        length = 0
        for line in head.lower().split(b"\r\n"):
            if line.startswith(b"content-length:"):
                length = int(line.partition(b":")[2])
        self.heads.append(head)
        self.bodies.append(await reader.readexactly(length))
        self.requested.set()
        if isinstance(self.script, bytes):
            writer.write(self.script)
        else:
            message = self.script(head, writer)
            writer.write(message if isinstance(message, bytes) else await message or b"")
        await writer.drain()


@pytest.fixture
async def serve():
    """Start a server that follows a script: bytes, or a function of the request's head."""
    sites, servers = [], []

    async def start(script, ssl=None):
        site = Site(script)
        server = await asyncio.start_server(site.serve, "127.0.0.1", 0, ssl=ssl)
        site.port = server.sockets[0].getsockname()[1]
        servers.append(server)
        sites.append(site)
        return site

    yield start
    for server in servers:
        server.close()
    for site in sites:
        await site.stop()


@pytest.fixture
async def connect():
    """Make clients, and close them when the test is over."""
    clients = []

    def make(**options):
        route = {name: options.pop(name) for name in list(options) if name in ROUTE}
        clients.append(Client(user_agent="tests", route=Route(**route), **options))
        return clients[-1]

    yield make
    for client in clients:
        await client.aclose()


ESTABLISHED = b"HTTP/1.1 200 Connection established\r\n\r\n"


class ConnectProxy:
    """A proxy whose tunnels all lead to one port of this machine; it records its requests."""

    def __init__(self, port: int, answer: bytes = ESTABLISHED) -> None:
        self.leads_to, self.answer = port, answer
        self.heads: list[str] = []
        self.port = 0
        self._tasks: set[asyncio.Task] = set()

    @property
    def targets(self) -> list[str]:
        return [head.split()[1] for head in self.heads]

    async def serve(self, reader, writer):
        self._tasks.add(asyncio.current_task())
        self.heads.append((await reader.readuntil(b"\r\n\r\n")).decode())
        writer.write(self.answer)
        if self.answer != ESTABLISHED:
            writer.close()
            return
        inner_reader, inner_writer = await asyncio.open_connection("127.0.0.1", self.leads_to)
        await asyncio.gather(pump(reader, inner_writer), pump(inner_reader, writer))

    def stop(self):
        for task in self._tasks:
            task.cancel()


async def pump(reader, writer):
    try:
        while data := await reader.read(65536):
            writer.write(data)
            await writer.drain()
    except ConnectionError:
        pass
    finally:
        writer.close()


@pytest.fixture
async def proxy_to():
    """Start a proxy whose tunnels lead to a port."""
    proxies, servers = [], []

    async def start(port, **options):
        proxy = ConnectProxy(port, **options)
        server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
        proxy.port = server.sockets[0].getsockname()[1]
        proxies.append(proxy)
        servers.append(server)
        return proxy

    yield start
    for server, proxy in zip(servers, proxies, strict=True):
        server.close()
        proxy.stop()
