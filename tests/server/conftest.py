"""A stdio server process with which tests exchange lines; every wait is bounded."""

import json
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import warm_python

STUB = Path(__file__).with_name("stub.py")
PATIENCE = 300.0


class Talk:
    """One client of one stdio server process."""

    def __init__(self, *words: str, **channels: Any) -> None:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        settings = {**pipes, "env": warm_python.environment(), **channels}
        self.process = warm_python.Popen([sys.executable, STUB, *words], **settings)
        self._held = b""

    def write(self, data: bytes) -> None:
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, *bodies: dict[str, Any]) -> None:
        self.write(b"".join(json.dumps({"jsonrpc": "2.0", **b}).encode() + b"\n" for b in bodies))

    def batch(self, *bodies: dict[str, Any]) -> None:
        self.write(json.dumps([{"jsonrpc": "2.0", **body} for body in bodies]).encode() + b"\n")

    def call(self, request_id: int | str, tool: str, word: str = "", **params: Any) -> None:
        named = {"name": tool, "arguments": {"word": word}, **params}
        self.send({"id": request_id, "method": "tools/call", "params": named})

    def receive(self) -> dict[str, Any]:
        """The next message; fails when none comes."""
        until = time.monotonic() + PATIENCE
        while b"\n" not in self._held:
            ready, _, _ = select.select([self.process.stdout], [], [], until - time.monotonic())
            data = self.process.stdout.read1() if ready else b""
            assert data, f"the server said nothing more: {self.finish()}"
            self._held += data
        line, _, self._held = self._held.partition(b"\n")
        return json.loads(line)

    def greet(self, version: str = "2025-11-25") -> dict[str, Any]:
        params = {
            "protocolVersion": version,
            "capabilities": {},
            "clientInfo": {"name": "test", "version": "1"},
        }
        self.send({"id": "greet", "method": "initialize", "params": params})
        answer = self.receive()
        self.send({"method": "notifications/initialized"})
        return answer

    def load(self) -> None:
        """Wait until the SDK has taken over."""
        self.call("load", "echo")
        assert self.receive()["id"] == "load"

    def finish(self) -> tuple[int, list[dict[str, Any]], str]:
        """Close the input; return the exit code, the remaining messages, and the error output."""
        if self.process.stdin is not None and self.process.stdin.closed:
            self.process.stdin = None
        output, errors = self.process.communicate(timeout=PATIENCE)
        rest = (self._held + output).splitlines()
        return self.process.returncode, [json.loads(line) for line in rest], errors.decode()


@contextmanager
def servers() -> Iterator[Callable[..., Talk]]:
    """Starts servers, and ends them after the test."""
    started: list[Talk] = []

    def run(*words: str, **channels: Any) -> Talk:
        started.append(Talk(*words, **channels))
        return started[-1]

    yield run
    for talk in started:
        talk.process.kill()
        talk.process.wait()
        for pipe in (talk.process.stdin, talk.process.stdout, talk.process.stderr):
            if pipe is not None and not pipe.closed:
                with suppress(BrokenPipeError):
                    pipe.close()


@pytest.fixture
def start() -> Iterator[Callable[..., Talk]]:
    with servers() as run:
        yield run


@pytest.fixture
def talk(start: Callable[..., Talk]) -> Talk:
    """A server after the handshake that is still loading."""
    server = start()
    server.greet()
    return server


@pytest.fixture(scope="module")
def loaded() -> Iterator[Talk]:
    """A server that the SDK has taken over, shared by the tests that leave it as it was."""
    with servers() as run:
        server = run()
        server.greet()
        server.load()
        yield server


@pytest.fixture(scope="module")
def batching() -> Iterator[Talk]:
    """A server with the one protocol version that has batches."""
    with servers() as run:
        server = run()
        server.greet("2025-03-26")
        yield server
