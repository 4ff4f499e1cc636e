"""Many clients of one HTTP server for ten minutes: errors, memory, and how even the answers are.

Each client keeps a connection open and calls a cached search about once a second. Memory is that
of the server's process: the mean of the last minute against that of the second one. In shorter
runs the last tenth is compared with the second.
"""

import argparse
import asyncio
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import fmean, quantiles
from time import perf_counter

from http_call import UNREACHED
from http_talk import CURRENT, OLDER, HttpTalk, call_request, serving
from search_calls import searching
from sourcewright.world.internet import World

GOAL = 1.1
CLIENTS, SECONDS, PAUSE_SECONDS = 200, 600.0, 1.0
_ANSWER_SECONDS = 60.0


@dataclass(slots=True)
class Record:
    """What all clients saw, and the memory of the server meanwhile."""

    milliseconds: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)
    memory: list[tuple[float, float]] = field(default_factory=list)
    """Seconds since the start, and MB."""

    def growth(self, seconds: float) -> float:
        """Return the memory of the last part of the run against that of the second part."""
        part = 60.0 if seconds >= 180 else seconds / 10
        second = [used for at, used in self.memory if part <= at < 2 * part]
        last = [used for at, used in self.memory if at >= seconds - part]
        return fmean(last) / fmean(second)


class Client:
    """One connection that is kept open."""

    def __init__(self, port: int, request: tuple[bytes, Mapping[str, str]]) -> None:
        body, headers = request
        named = {**headers, "Host": f"127.0.0.1:{port}", "Content-Length": str(len(body))}
        head = "".join(f"{name}: {value}\r\n" for name, value in named.items())
        self._port = port
        self._request = f"POST /mcp HTTP/1.1\r\n{head}\r\n".encode() + body

    async def run(self, record: Record, *, first: float, until: float, pause: float) -> None:
        """Call until the time is over; clients begin one after the other."""
        await asyncio.sleep(first)
        source, sink = await asyncio.open_connection("127.0.0.1", self._port)
        try:
            while (start := perf_counter()) < until:
                async with asyncio.timeout(_ANSWER_SECONDS):
                    sink.write(self._request)
                    answer = await _read_answer(source)
                record.milliseconds.append((perf_counter() - start) * 1000)
                if b'"result"' not in answer or b'"isError":true' in answer:
                    record.errors.append(answer[:300].decode(errors="replace"))
                await asyncio.sleep(pause)
        except (OSError, EOFError, TimeoutError, ValueError) as error:
            record.errors.append(repr(error))
        finally:
            sink.close()


async def _read_answer(source: asyncio.StreamReader) -> bytes:
    """Read one response; return its body, or all of it if it reports an error."""
    head = await source.readuntil(b"\r\n\r\n")
    fields = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:-2])
    if b"content-length" in fields:
        body = await source.readexactly(int(fields[b"content-length"]))
    else:
        body = await _read_chunks(source)
    return body if head.startswith(b"HTTP/1.1 200") else head + body


async def _read_chunks(source: asyncio.StreamReader) -> bytes:
    parts = bytearray()
    while size := int(await source.readuntil(b"\r\n"), 16):
        parts += await source.readexactly(size)
        await source.readexactly(2)
    await source.readexactly(2)
    return bytes(parts)


async def _watch_memory(pid: int, record: Record, seconds: float) -> None:
    start = perf_counter()
    while (at := perf_counter() - start) < seconds:
        record.memory.append((at, _resident_mb(pid)))
        await asyncio.sleep(min(1.0, seconds / 30))


def _resident_mb(pid: int) -> float:
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    line = next(line for line in status.splitlines() if line.startswith("VmRSS:"))
    return int(line.split()[1]) / 1024


Request = tuple[bytes, dict[str, str]]


async def talk(
    server: tuple[int, int], requests: Sequence[Request], options: argparse.Namespace
) -> Record:
    """Let all clients call; half of them in each era of the protocol."""
    port, pid = server
    record = Record()
    until = perf_counter() + options.seconds
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(_watch_memory(pid, record, options.seconds))
        for number in range(options.clients):
            client = Client(port, requests[number % len(requests)])
            first = options.pause * number / options.clients
            tasks.create_task(client.run(record, first=first, until=until, pause=options.pause))
    return record


@contextmanager
def own_server(
    redis: str | None,
) -> Iterator[tuple[tuple[int, int], list[Request]]]:
    """Start our server on the invented internet, with the answer in its cache."""
    shared = {"REDIS_URL": redis, "CACHE_ENCRYPTION_KEY": "5a" * 32} if redis else {}
    with tempfile.TemporaryDirectory() as folder, World() as world:
        ours = searching(world, folder, **UNREACHED, **shared)
        with serving([*ours.command, "--http"], ours.environment) as server:
            requests = [call_request(ours.tool, ours.arguments, era) for era in (CURRENT, OLDER)]
            HttpTalk(server[0], requests[0]).answer()
            yield server, requests


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=CLIENTS)
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--pause", type=float, default=PAUSE_SECONDS, help="between two calls")
    parser.add_argument("--redis", metavar="URL", help="keep cache, records and limits there")
    options = parser.parse_args()
    with own_server(options.redis) as (server, requests):
        record = asyncio.run(talk(server, requests, options))
    percentiles = quantiles(record.milliseconds, n=100)
    median, slowest = percentiles[49], percentiles[98]
    growth = record.growth(options.seconds)
    print(
        f"{options.clients} clients, {options.seconds:g} s: {len(record.milliseconds)} calls,"
        f" {len(record.errors)} errors"
        f"\np50 {median:.1f} ms, p99 {slowest:.1f} ms: {slowest / median:.2f}"
        f"\nmemory {record.memory[0][1]:.0f} MB at first, {record.memory[-1][1]:.0f} at last;"
        f" late against early {growth:.3f}, goal {GOAL}: {'PASS' if growth <= GOAL else 'MISS'}"
    )
    print(json.dumps(sorted(set(record.errors))[:5], indent=1) if record.errors else "")
    return 1 if record.errors or growth > GOAL else 0


if __name__ == "__main__":
    sys.exit(main())
