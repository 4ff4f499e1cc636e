"""A stdio client that only writes lines, reads lines and measures time."""

import json
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import IO, Any, NamedTuple

GREETING = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


class Contender(NamedTuple):
    """One server, and a call that it answers without going out."""

    name: str
    command: Sequence[str]
    tool: str
    arguments: dict[str, Any]
    environment: Mapping[str, str] = {}
    fails: bool = False
    """Whether the tool is expected to report an error, as a fetcher does without a network."""


class Talk:
    """One conversation with one server process."""

    def __init__(self, sink: IO[bytes], source: IO[bytes], server: int) -> None:
        self._sink = sink
        self._source = source
        self.server = server
        """The process id of the one that answers."""
        self._count = 0

    def tell(self, method: str) -> None:
        self._write({"method": method})

    def ask(self, method: str, params: dict[str, Any] | None = None) -> bytes:
        """Ask, and give the line that answers."""
        self._count += 1
        body = {"id": self._count, "method": method}
        self._write(body if params is None else {**body, "params": params})
        return self._answer(method)

    def greet(self) -> None:
        self.ask("initialize", GREETING)
        self.tell("notifications/initialized")

    def call(self, contender: Contender, **others: Any) -> bytes:
        """Call the contender's tool, with other arguments where some are given."""
        line = self.ask("tools/call", _named(contender, others))
        if (b'"isError":true' in line) is not contender.fails:
            raise RuntimeError(f"{contender.name} answered {line!r}")
        return line

    def call_many(self, contender: Contender, count: int, *, at_once: int) -> None:
        """Call so often, always with so many calls unanswered, as many callers would."""
        for number in range(count + at_once):
            if number >= at_once and b'"isError":true' in self._answer("tools/call"):
                raise RuntimeError(f"{contender.name} reported an error")
            if number < count:
                self._count += 1
                params = _named(contender, {})
                self._write({"id": self._count, "method": "tools/call", "params": params})

    def _answer(self, method: str) -> bytes:
        line = self._source.readline()
        if b'"result"' not in line:
            raise RuntimeError(f"{method} was answered with {line!r}")
        return line

    def _write(self, body: dict[str, Any]) -> None:
        self._sink.write(json.dumps({"jsonrpc": "2.0", **body}).encode() + b"\n")
        self._sink.flush()


@contextmanager
def started(contender: Contender) -> Iterator[tuple[Talk, float]]:
    """Start a server in an empty home; gives the conversation and the time of the start."""
    with tempfile.TemporaryDirectory() as home:
        start = time.perf_counter()
        process = subprocess.Popen(
            contender.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={
                "HOME": home,
                "PATH": "/usr/local/bin:/usr/bin:/bin",
                **contender.environment,
            },
            cwd=home,
        )
        if process.stdin is None or process.stdout is None:
            raise RuntimeError("a process without pipes")
        try:
            with process.stdin, process.stdout:
                yield Talk(process.stdin, process.stdout, process.pid), start
        finally:
            process.wait(timeout=60)


def _named(contender: Contender, others: Mapping[str, Any]) -> dict[str, Any]:
    return {"name": contender.tool, "arguments": {**contender.arguments, **others}}


def milliseconds_since(start: float) -> float:
    return (time.perf_counter() - start) * 1000
