"""A minimal MCP client over stdio, for the demo."""

import json
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

import click

PROTOCOL = "2025-11-25"
_END_SECONDS = 30.0
"""How long the server may take to end, before it is killed."""


class PipeClient:
    """Starts a server process and exchanges JSON-RPC messages with it, one request at a time."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._server = subprocess.Popen(
            [sys.executable, "-m", "sourcewright", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=dict(environment),
        )
        self._last_id = 0

    def __enter__(self) -> Self:
        self._request(
            "initialize",
            {
                "protocolVersion": PROTOCOL,
                "capabilities": {},
                "clientInfo": {"name": "sourcewright-demo", "version": "1"},
            },
        )
        self._send({"method": "notifications/initialized"})
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if self._server.stdin:
            with suppress(BrokenPipeError):
                self._server.stdin.close()
        if isinstance(error, KeyboardInterrupt):
            self._server.terminate()  # The server may still be writing a response that is not read any more.
        try:
            self._server.wait(timeout=_END_SECONDS)
        except subprocess.TimeoutExpired:
            self._server.kill()
            self._server.wait()
        if self._server.stdout:
            self._server.stdout.close()

    def tools(self) -> list[str]:
        return [tool["name"] for tool in self._request("tools/list", {})["tools"]]

    def call(self, name: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Call a tool; returns its structured content."""
        result = self._request("tools/call", {"name": name, "arguments": dict(arguments)})
        content: dict[str, Any] = result["structuredContent"]
        return content

    def _request(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        while True:
            message = self._receive()
            if message.get("id") == self._last_id:
                return _result(message)

    def _send(self, message: Mapping[str, Any]) -> None:
        line = json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"
        # If the server has ended, the next read reports it.
        if self._server.stdin:
            with suppress(BrokenPipeError):
                self._server.stdin.write(line)
                self._server.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        line = self._server.stdout.readline() if self._server.stdout else b""
        if not line:
            raise click.ClickException("the server ended early; its output is above")
        message: dict[str, Any] = json.loads(line)
        return message


def _result(message: Mapping[str, Any]) -> dict[str, Any]:
    if "error" in message:
        raise click.ClickException(f"the server returned an error: {message['error']['message']}")
    result: dict[str, Any] = message["result"]
    return result
