"""A stdio server that is sent one line at a time, so that it can be killed between two answers."""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import warm_python

HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


class Server:
    """A server process, after the handshake."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self.process = process
        self._number = 0
        self.ask("initialize", HELLO)
        self._write({"method": "notifications/initialized"})

    def ask(self, method: str, params: Mapping[str, Any]) -> dict[str, Any]:
        return self.answer_to(self.send(method, params))

    def send(self, method: str, params: Mapping[str, Any]) -> int:
        """Send a request without waiting for the answer; return its number."""
        self._number += 1
        self._write({"id": self._number, "method": method, "params": params})
        return self._number

    def answer_to(self, number: int) -> dict[str, Any]:
        while (message := json.loads(self.process.stdout.readline())).get("id") != number:
            pass
        return message["result"]

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        return self.ask("tools/call", {"name": name, "arguments": arguments})

    def _write(self, body: Mapping[str, Any]) -> None:
        self.process.stdin.write(json.dumps({"jsonrpc": "2.0", **body}).encode() + b"\n")
        self.process.stdin.flush()


S = TypeVar("S", bound=Server)


@contextmanager
def serving(
    environment: Mapping[str, str], folder: Path, client: type[S] = Server, **options: Any
) -> Iterator[S]:
    """A server of one's own, which is killed at the end at the latest."""
    process = warm_python.Popen(
        [sys.executable, "-m", "sourcewright", "serve"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
        cwd=folder,
        **options,
    )
    with process:
        try:
            yield client(process)
        finally:
            process.kill()
