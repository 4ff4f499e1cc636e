"""What one call over HTTP costs that is answered from the cache, against the SDK's own server.

The peer is the SDK's web application, without sessions as ours, with one tool that has the very
answer at hand, so that both write the same content. It counts no requests, keeps no log, checks
no host and looks into no cache. It runs twice: with the parser of HTTP that is installed with the
SDK, h11, which the goal is about, and with the one that ours uses, httptools. Both eras of the
protocol are measured.

Each row is printed by the clock, as the median of all calls, and by the time of the processor
that the server's process took for a call, which a busy machine changes less.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from http_talk import CURRENT, OLDER, HttpTalk, call_request, serving
from search_calls import Row, searching
from sourcewright.world.internet import World
from talking import milliseconds_since

GOAL = 1.3
CALLS, WARM_UP, TURN = 1000, 100, 50
PARSERS = ("h11", "httptools")
UNREACHED = {
    "RATE_LIMIT_PER_IP": "1000000",
    "RATE_LIMIT_PER_TENANT": "1000000",
    "RATE_LIMIT_GLOBAL": "100000",
    "DAILY_QUOTA_PER_TENANT": "10000000",
    "CHROME_PATH": "disabled",
}
"""Every limit is counted, and none is reached."""


@dataclass(slots=True)
class Contestant:
    """One server: the way to it, and what its calls took."""

    talk: HttpTalk
    pid: int
    milliseconds: list[float] = field(default_factory=list)
    processor: float = 0.0

    def take_turn(self, calls: int) -> None:
        """Call so often; processor time is that of all threads of the process."""
        before = _processor_milliseconds(self.pid)
        for _ in range(calls):
            start = time.perf_counter()
            self.talk.call()
            self.milliseconds.append(milliseconds_since(start))
        self.processor += _processor_milliseconds(self.pid) - before

    def figures(self) -> tuple[float, float]:
        return median(self.milliseconds), self.processor / len(self.milliseconds)


def _processor_milliseconds(pid: int) -> float:
    # Linux numbers the clock of a process like this (clock_getcpuclockid).
    return time.clock_gettime((~pid << 3) | 2) * 1000


def measure() -> Iterator[Row]:
    """Give the rows of each era: by the clock and by the processor, against each peer."""
    with tempfile.TemporaryDirectory() as folder, World() as world, ExitStack() as stack:
        ours = searching(world, folder, **UNREACHED)
        own = stack.enter_context(serving([*ours.command, "--http"], ours.environment))
        request = call_request(ours.tool, ours.arguments, CURRENT)
        answer = Path(folder, "answer.json")
        answer.write_text(json.dumps(HttpTalk(own[0], request).answer()), encoding="utf-8")
        peers = [stack.enter_context(serving(_echo(answer, parser), {})) for parser in PARSERS]
        for era in (CURRENT, OLDER):
            requests = [call_request(tool, ours.arguments, era) for tool in (ours.tool, "echo")]
            contestants = [
                Contestant(HttpTalk(port, requests[number > 0]), pid)
                for number, (port, pid) in enumerate([own, *peers])
            ]
            yield from _rows(era, contestants)


def _echo(answer: Path, parser: str) -> list[str]:
    script = str(Path(__file__).with_name("echo_server.py"))
    return [sys.executable, script, str(answer), "--parser", parser, "--http"]


def _rows(era: str, contestants: Sequence[Contestant]) -> Iterator[Row]:
    """Let all call in turns, so that they run under the same load."""
    for one in contestants:
        for _ in range(WARM_UP):
            one.talk.call()
    for _ in range(CALLS // TURN):
        for one in contestants:
            one.take_turn(TURN)
    for one in contestants:
        one.talk.close()
    own, *peers = [one.figures() for one in contestants]
    for parser, theirs in zip(PARSERS, peers, strict=True):
        for number, unit in enumerate(("clock", "processor")):
            name = f"a cached search, HTTP {era}, {unit}"
            yield name, f"SDK echo, {parser}", own[number], theirs[number], GOAL


if __name__ == "__main__":
    for name, peer, ours_ms, theirs_ms, goal in measure():
        print(
            f"{name:<44} {peer:<20} {ours_ms:7.2f} {theirs_ms:7.2f}"
            f" {ours_ms / theirs_ms:7.3f} {goal:5.2f}"
        )
