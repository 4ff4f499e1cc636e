"""What one call over HTTP costs that is answered from the cache, against the SDK's own server.

The peer is the SDK's web application with one tool that has the very answer at hand, so that
both write the same content. Both eras of the protocol are measured.
"""

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from time import perf_counter

from http_talk import CURRENT, OLDER, HttpTalk, call_request, serving
from search_calls import Row, searching
from sourcewright.world.internet import World
from talking import milliseconds_since

GOAL = 1.3
CALLS, WARM_UP = 500, 100
PEER = "SDK echo over HTTP"
UNREACHED = {
    "RATE_LIMIT_PER_IP": "1000000",
    "RATE_LIMIT_PER_TENANT": "1000000",
    "RATE_LIMIT_GLOBAL": "100000",
    "DAILY_QUOTA_PER_TENANT": "10000000",
    "CHROME_PATH": "disabled",
}
"""Every limit is counted, and none is reached."""


def measure() -> Iterator[Row]:
    """Give one row for each era."""
    with tempfile.TemporaryDirectory() as folder, World() as world, ExitStack() as stack:
        ours = searching(world, folder, **UNREACHED)
        port, _ = stack.enter_context(serving([*ours.command, "--http"], ours.environment))
        request = call_request(ours.tool, ours.arguments, CURRENT)
        answer = Path(folder, "answer.json")
        answer.write_text(json.dumps(HttpTalk(port, request).answer()), encoding="utf-8")
        script = str(Path(__file__).with_name("echo_server.py"))
        command = [sys.executable, script, str(answer), "--http"]
        echo_port, _ = stack.enter_context(serving(command, {}))
        for revision in (CURRENT, OLDER):
            pair = (
                HttpTalk(port, call_request(ours.tool, ours.arguments, revision)),
                HttpTalk(echo_port, call_request("echo", ours.arguments, revision)),
            )
            yield f"a cached search, HTTP {revision}", PEER, *_medians(pair), GOAL


def _medians(pair: tuple[HttpTalk, HttpTalk]) -> tuple[float, float]:
    """Give the milliseconds of one call by each, in turns."""
    for talk in pair:
        for _ in range(WARM_UP):
            talk.call()
    taken = [[_timed(talk) for talk in pair] for _ in range(CALLS)]
    for talk in pair:
        talk.close()
    ours, theirs = zip(*taken, strict=True)
    return median(ours), median(theirs)


def _timed(talk: HttpTalk) -> float:
    start = perf_counter()
    talk.call()
    return milliseconds_since(start)


if __name__ == "__main__":
    for name, peer, ours_ms, theirs_ms, goal in measure():
        print(
            f"{name:<34} {peer:<18} {ours_ms:7.2f} {theirs_ms:7.2f}"
            f" {ours_ms / theirs_ms:7.3f} {goal:5.2f}"
        )
