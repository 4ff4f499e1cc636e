"""A clock that the test sets, stores that are closed, and writer processes to be killed."""

import os
import random
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

_COMMANDS = Path(__file__).with_name("logs")
"""Where the script is whose commands all the others follow."""


class Writers:
    """Writer processes, controlled through one pipe."""

    def __init__(self, script: Path) -> None:
        self.acknowledged: list[str] = []
        self._process = subprocess.Popen(
            [sys.executable, script],
            env={**os.environ, "PYTHONPATH": str(_COMMANDS)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            bufsize=1,
        )

    def start(self, path: Path, countdown: int = 0) -> str:
        return self._ask(f"start {countdown} {path}", "started")

    def once(self, path: Path, countdown: int) -> bool:
        """Let a process write a single row; return whether it closed its log."""
        pid = self._ask(f"once {countdown} {path}", "started")
        return self._ask(f"wait {pid}", "gone") == "0"

    def kill(self, pid: str) -> None:
        self._ask(f"kill {pid}", "gone")

    def wait(self, pid: str) -> None:
        self._ask(f"wait {pid}", "gone")

    def watch(self, pid: str, rows_of_it: int) -> None:
        """Read acknowledgements until there were so many from this writer."""
        while rows_of_it:
            rows_of_it -= self._next()[1] == pid

    def kill_one(self, path: Path, alive: list[str], chance: random.Random) -> int:
        """Kill one running process after a few acknowledgements; return the number killed."""
        victim = alive.pop(chance.randrange(len(alive)))
        self.watch(victim, chance.randrange(4))
        self.kill(victim)
        alive.append(self.start(path))
        return 1

    def let_one_end_itself(self, path: Path, alive: list[str], chance: random.Random) -> int:
        self.kill(alive.pop(0))
        suicide = self.start(path, chance.randrange(1, chance.choice([150, 600])))
        self.wait(suicide)
        alive.append(self.start(path))
        return 2

    def end_three(self, path: Path, chance: random.Random, *, most_lines: int) -> None:
        """Let three write at a time, and kill each or let it end itself at one of its lines."""
        lines = [chance.randrange(1, most_lines) if chance.random() < 0.5 else 0 for _ in range(3)]
        alive = {self.start(path, line): line for line in lines}
        for pid, line in alive.items():
            if not line:
                self.watch(pid, chance.randrange(3))
                self.kill(pid)
        for pid, line in alive.items():
            if line:
                self.wait(pid)

    def close(self) -> None:
        with self._process as process:
            process.stdin.close()
            process.stdout.read()

    def _ask(self, command: str, answer: str) -> str:
        self._process.stdin.write(command + "\n")
        while (message := self._next())[0] != answer:
            pass
        return message[1]

    def _next(self) -> list[str]:
        text = self._process.stdout.readline().split()
        assert text, "the writers' parent ended"
        assert text[0] != "failed", text
        if text[0] == "ack":
            self.acknowledged.append(text[2])
        return text


@pytest.fixture
def writers(request):
    """The parent of the test module's `SCRIPT`ed writers, ended with the test."""
    started = Writers(request.module.SCRIPT)
    yield started
    started.close()


class OwnClock:
    """Time that passes only when the test says so."""

    def __init__(self):
        self.time = 1_800_000_000.0

    def now(self):
        return self.time

    def monotonic(self):
        return self.time - 1_700_000_000.0

    async def sleep(self, seconds):
        self.time += seconds


@pytest.fixture
def clock():
    return OwnClock()


@pytest.fixture
async def closing():
    """Closes what the test opened."""
    async with AsyncExitStack() as stack:

        def close(store):
            stack.push_async_callback(store.aclose)
            return store

        yield close


@pytest.fixture(params=["file", "redis"])
def opened(request, ledgers):
    """Opens a ledger of each kind; `ledgers` is of the module that tries them."""
    return lambda: ledgers(request.param)


@pytest.fixture
def ledger(opened):
    return opened()
