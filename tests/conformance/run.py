"""Runs the conformance suite and the Inspector against our HTTP server; prints a table.

The suite calls tools, resources and prompts of its own naming, which `fixture_server.py` offers
on our pipeline, endpoint and web application. What needs none of them runs against
`sourcewright serve --http` itself.
"""

import json
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import IO, NamedTuple

from sourcewright.web.start import listen

HERE = Path(__file__).parent
MODULES = Path(sys.argv[1]).absolute() / "node_modules"
"""Where the suite and the Inspector are installed."""
NODE = MODULES / ".bin" / "node"
SUITE = MODULES / "@modelcontextprotocol" / "conformance" / "dist" / "index.js"
INSPECTOR = MODULES / ".bin" / "mcp-inspector"

OLDER, CURRENT = "2025-11-25", "2026-07-28"
BACK_CHANNEL = frozenset(
    {
        "tools-call-sampling",
        "tools-call-elicitation",
        "elicitation-sep1034-defaults",
        "elicitation-sep1330-enums",
    }
)
"""The server asks the client in these, so that they need a session, which ours does not keep."""
OWN_SCENARIOS = {
    OLDER: ("server-initialize", "ping", "tools-list", "resources-list", "prompts-list"),
    CURRENT: (
        "dns-rebinding-protection",
        "http-header-validation",
        "server-sse-multiple-streams",
        "caching",
        "sep-2164-resource-not-found",
        "tools-list",
    ),
}
"""Scenarios without fixtures."""
INSPECTIONS = (
    ("--method", "tools/list", "--strict"),
    ("--method", "prompts/list"),
    ("--method", "resources/read", "--uri", "diagnostics://health"),
    ("--method", "tools/call", "--tool-name", "doiget_health"),
)

_START_SECONDS = 60
_RUN_SECONDS = 600
_SCENARIO = re.compile(r"^[✓✗] (\S+): (\d+) passed, (\d+) failed$", re.MULTILINE)
_UNSCORED = re.compile(r"^  [✓✗] (\S+) \(", re.MULTILINE)
_TOTALS = re.compile(r"^Passed: (\d+)/\d+, (\d+) failed", re.MULTILINE)


class Outcome(NamedTuple):
    """One row: how many scenarios and checks passed, and which did not."""

    what: str
    scenarios: int
    checks: int
    failed: Sequence[str]
    note: str = ""


@contextmanager
def started(command: Sequence[str], folder: Path) -> Iterator[None]:
    """Run a server, and wait until it says that it serves."""
    process = subprocess.Popen(
        command, cwd=folder, env=_environment(folder), stderr=subprocess.PIPE, text=True
    )
    lines: list[str] = []
    ready = threading.Event()
    reader = threading.Thread(target=_read_lines, args=(process.stderr, lines, ready))
    reader.start()
    try:
        ready.wait(_START_SECONDS)
        if not _serves(lines):
            raise SystemExit(f"the server does not start:\n{''.join(lines)}")
        yield
    finally:
        process.terminate()
        process.wait()
        reader.join()


def _read_lines(output: IO[str], lines: list[str], ready: threading.Event) -> None:
    """Read to the end, so that the server never waits for its reader."""
    for line in output:
        lines.append(line)
        if _serves(lines):
            ready.set()
    ready.set()


def _serves(lines: Sequence[str]) -> bool:
    return any("serving " in line for line in lines)


def _environment(folder: Path) -> dict[str, str]:
    limits = {"RATE_LIMIT_PER_IP": "0", "RATE_LIMIT_PER_TENANT": "0"}
    return {"PATH": "/usr/bin:/bin", "HOME": str(folder), "CHROME_PATH": "disabled", **limits}


def free_port() -> int:
    with listen("127.0.0.1", 0) as listener:
        return int(listener.getsockname()[1])


def node(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [str(NODE), *command],
        capture_output=True,
        text=True,
        check=False,
        timeout=_RUN_SECONDS,
        cwd=HERE,
    )


def required(what: str, url: str, revision: str, *, but: frozenset[str] = frozenset()) -> Outcome:
    """Run every scenario that a revision of the protocol requires."""
    text = node(str(SUITE), "server", "--url", url, "--requirements", revision).stdout
    scenarios = {name: (int(good), int(bad)) for name, good, bad in _SCENARIO.findall(text)}
    unscored = set(_UNSCORED.findall(text))
    scored = {name: one for name, one in scenarios.items() if name not in unscored | but}
    failed = [name for name, (_, bad) in scored.items() if bad]
    open_ones = sum(bool(scenarios[name][1]) for name in unscored)
    note = f"{len(unscored) - open_ones} of {len(unscored)} that are not scored pass"
    return Outcome(
        f"{revision} {what}",
        len(scored) - len(failed),
        sum(good for good, _ in scored.values()),
        failed if scored else ["the suite reported nothing"],
        note + (f"; {len(but)} need a session" if but else ""),
    )


def own_scenarios(url: str, revision: str) -> Outcome:
    """Run the scenarios that need no fixtures against our own tools."""
    failed, checks = [], 0
    for name in OWN_SCENARIOS[revision]:
        options = ("--url", url, "--scenario", name, "--spec-version", revision)
        run = node(str(SUITE), "server", *options)
        totals = _TOTALS.search(run.stdout)
        checks += int(totals[1]) if totals else 0
        if run.returncode or totals is None or totals[2] != "0":
            failed.append(name)
    passed = len(OWN_SCENARIOS[revision]) - len(failed)
    return Outcome(f"{revision} our own tools", passed, checks, failed)


def inspections(url: str) -> Outcome:
    """Let the Inspector's command list and call."""
    failed = []
    for options in INSPECTIONS:
        run = node(str(INSPECTOR), "--cli", url, "--transport", "http", *options)
        try:
            wrong = run.returncode or "error" in json.loads(run.stdout)
        except ValueError:
            wrong = True
        if wrong:
            failed.append(f"{options[1]}: {(run.stderr or run.stdout).strip()[-300:]}")
    return Outcome(
        "Inspector, our own tools",
        len(INSPECTIONS) - len(failed),
        len(INSPECTIONS) - len(failed),
        failed,
    )


def outcomes() -> Iterator[Outcome]:
    fixtures = [sys.executable, str(HERE / "fixture_server.py")]
    ours = [sys.executable, "-m", "sourcewright", "serve", "--sandbox", "--http"]
    with ExitStack() as stack:

        def serve(*command: str) -> str:
            folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
            port = free_port()
            stack.enter_context(started([*command, str(port)], folder))
            return f"http://127.0.0.1:{port}/mcp"

        url = serve(*fixtures)
        yield required("fixtures", url, CURRENT)
        yield required("fixtures", url, OLDER, but=BACK_CHANNEL)
        yield required("fixtures, with sessions", serve(*fixtures, "--sessions"), OLDER)
        own = serve(*ours)
        for revision in OWN_SCENARIOS:
            yield own_scenarios(own, revision)
        yield inspections(own)


def main() -> int:
    print(f"{'':<38} {'scenarios':>9} {'checks':>7} {'failed':>7}")
    failed: list[str] = []
    for one in outcomes():
        print(
            f"{one.what:<38} {one.scenarios:>9} {one.checks:>7} {len(one.failed):>7}  {one.note}"
        )
        failed += [f"{one.what}: {name}" for name in one.failed]
    print("\n".join(["", *failed] if failed else ["", "everything that is scored passes"]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
