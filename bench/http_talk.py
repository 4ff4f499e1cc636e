"""An HTTP client that only sends one request after the other, and servers for it."""

import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

OLDER, CURRENT = "2025-11-25", "2026-07-28"
_META = "io.modelcontextprotocol/"
_START_SECONDS = 60.0


def call_request(
    tool: str, arguments: Mapping[str, Any], revision: str, credential: str | None = None
) -> tuple[bytes, dict[str, str]]:
    """Return the body and the headers of a tool call in this revision of the protocol."""
    params: dict[str, Any] = {"name": tool, "arguments": arguments}
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": revision,
    }
    if revision == CURRENT:
        params["_meta"] = {f"{_META}protocolVersion": revision, f"{_META}clientCapabilities": {}}
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": tool}
    if credential is not None:
        headers["Authorization"] = f"Bearer {credential}"
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
    return json.dumps(body).encode(), headers


class HttpTalk:
    """One connection that is kept open."""

    def __init__(self, port: int, request: tuple[bytes, dict[str, str]]) -> None:
        self._connection = HTTPConnection("127.0.0.1", port, timeout=60)
        self._body, self._headers = request

    def call(self) -> bytes:
        """Send the request; return the JSON-RPC message that answers it."""
        self._connection.request("POST", "/mcp", self._body, self._headers)
        with self._connection.getresponse() as response:
            data = response.read()
        message = next((line for line in data.splitlines() if b'"result"' in line), data)
        if response.status != 200 or b'"result"' not in message or b'"isError":true' in message:
            raise RuntimeError(f"{response.status}: {data[:500]!r}")
        return message.removeprefix(b"data: ")

    def answer(self) -> dict[str, Any]:
        """Call; return the structured content."""
        content: dict[str, Any] = json.loads(self.call())["result"]["structuredContent"]
        return content

    def close(self) -> None:
        self._connection.close()


@contextmanager
def serving(command: Sequence[str], environment: Mapping[str, str]) -> Iterator[tuple[int, int]]:
    """Start a server whose last argument is its port; give the port and the process id."""
    port = _free_port()
    with tempfile.TemporaryDirectory() as home:
        log = Path(home, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                [*command, str(port)],
                stdout=output,
                stderr=output,
                env={"HOME": home, "PATH": "/usr/local/bin:/usr/bin:/bin", **environment},
                cwd=home,
            )
        try:
            _await_listener(process, port, log)
            yield port, process.pid
        finally:
            process.terminate()
            process.wait(timeout=60)


def _await_listener(process: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + _START_SECONDS
    while True:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None or time.monotonic() > until:
            raise RuntimeError(f"the server does not start: {log.read_text()}")
        time.sleep(0.05)


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
        return port
