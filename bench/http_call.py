"""What one call over HTTP costs that is answered from the cache, against the SDK's own server.

The peer is the SDK's web application, without sessions as ours, with one tool that has the very
answer at hand, so that both write the same content. It counts no requests, keeps no log, checks
no host and looks into no cache. It runs twice: with the parser of HTTP that is installed with the
SDK, h11, which the goal is about, and with the one that ours uses, httptools. Both eras of the
protocol are measured.

Each row is printed by the clock, as the median of all calls, and by the time of the processor
that the server's process took for a call, which a busy machine changes less.

Two starts of one program differ by up to a tenth, whatever it is, so each is started several
times; the figures are of all their calls.
"""

import json
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from http_talk import CURRENT, OLDER, HttpTalk, call_request, serving
from search_calls import Row, searching
from sourcewright.world.internet import World
from talking import milliseconds_since

GOAL = 1.3
STARTS, CALLS, WARM_UP, TURN = 5, 400, 100, 50
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
    """What the calls of one program took, in all its starts."""

    milliseconds: list[float] = field(default_factory=list)
    processor: float = 0.0

    def take_turn(self, talk: HttpTalk, pid: int) -> None:
        """Call some times; processor time is that of all threads of the process."""
        before = _processor_milliseconds(pid)
        for _ in range(TURN):
            start = time.perf_counter()
            talk.call()
            self.milliseconds.append(milliseconds_since(start))
        self.processor += _processor_milliseconds(pid) - before

    def figures(self) -> tuple[float, float]:
        return median(self.milliseconds), self.processor / len(self.milliseconds)


def _processor_milliseconds(pid: int) -> float:
    # Linux numbers the clock of a process like this (clock_getcpuclockid).
    return time.clock_gettime((~pid << 3) | 2) * 1000


def measure() -> Iterator[Row]:
    """Give the rows of each era: by the clock and by the processor, against each peer."""
    eras = {era: [Contestant() for _ in range(1 + len(PARSERS))] for era in (CURRENT, OLDER)}
    with World() as world:
        for _ in range(STARTS):
            with tempfile.TemporaryDirectory() as folder:
                _start_and_call(world, folder, eras)
    for era, contestants in eras.items():
        yield from _rows(era, contestants)


def _start_and_call(world: World, folder: str, eras: Mapping[str, Sequence[Contestant]]) -> None:
    """Start every program once, and let it answer calls of both eras."""
    with ExitStack() as stack:
        ours = searching(world, folder, **UNREACHED)
        own = stack.enter_context(serving([*ours.command, "--http"], ours.environment))
        request = call_request(ours.tool, ours.arguments, CURRENT)
        answer = Path(folder, "answer.json")
        answer.write_text(json.dumps(HttpTalk(own[0], request).answer()), encoding="utf-8")
        peers = [stack.enter_context(serving(_echo(answer, parser), {})) for parser in PARSERS]
        for era, contestants in eras.items():
            requests = [call_request(tool, ours.arguments, era) for tool in (ours.tool, "echo")]
            talks = [
                (HttpTalk(port, requests[number > 0]), pid)
                for number, (port, pid) in enumerate([own, *peers])
            ]
            _call_in_turns(talks, contestants)


def _call_in_turns(
    talks: Sequence[tuple[HttpTalk, int]], contestants: Sequence[Contestant]
) -> None:
    """Let all answer in turns, so that they run under the same load."""
    for talk, _ in talks:
        for _ in range(WARM_UP):
            talk.call()
    for _ in range(CALLS // TURN):
        for (talk, pid), one in zip(talks, contestants, strict=True):
            one.take_turn(talk, pid)
    for talk, _ in talks:
        talk.close()


def _echo(answer: Path, parser: str) -> list[str]:
    script = str(Path(__file__).with_name("echo_server.py"))
    return [sys.executable, script, str(answer), "--parser", parser, "--http"]


def _rows(era: str, contestants: Sequence[Contestant]) -> Iterator[Row]:
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
