"""A server with a handful of tools that show one behaviour each; the tests run it as a process."""

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sourcewright.base.errors import InvalidInput, LogError, NotFound
from sourcewright.server.backend import Offer
from sourcewright.server.stdio.front import ServerLimits, serve_stdio

NAMES = ("echo", "hold", "release", "noise", "steps", "parts", "deaf", "unrecorded")


def listing() -> list[dict[str, Any]]:
    return [
        {
            "name": name,
            "title": name.title(),
            "description": f"Shows {name}.",
            "inputSchema": {
                "type": "object",
                "properties": {"word": {"type": ["string", "null"], "default": None}},
                "additionalProperties": False,
            },
            "outputSchema": {"type": "object", "anyOf": [{"type": "object"}]},
            "annotations": {"title": name.title(), "readOnlyHint": True},
        }
        for name in NAMES
    ]


@dataclass
class Result:
    structured: dict[str, Any]
    text: str = ""
    is_error: bool = False
    links: tuple[dict[str, Any], ...] = ()
    meta: dict[str, Any] = field(default_factory=lambda: {"sandbox": True})

    @property
    def structured_json(self) -> str:
        return json.dumps(self.structured, separators=(",", ":"))


class Views:
    def listing(self) -> list[dict[str, str]]:
        return [{"uri": "stub://one", "name": "One"}]

    def templates(self) -> list[dict[str, str]]:
        return []

    async def read(self, uri: str) -> tuple[str, str]:
        if uri != "stub://one":
            raise NotFound("resources", f"no resource {uri}")
        return "application/json", '{"one": "two"}'

    def complete(self, uri: str, _argument: str, beginning: str) -> list[str]:
        if uri != "stub://one":
            raise NotFound("resources", f"no resource {uri}")
        return [word for word in ("alpha", "alps", "beta") if word.startswith(beginning)]


class Prompts:
    def listing(self) -> list[dict[str, Any]]:
        argument = {"name": "word", "description": "Any.", "required": True}
        return [{"name": "greet", "description": "Greets.", "arguments": [argument]}]

    def get(self, name: str, arguments) -> tuple[str, str]:
        self._check(name)
        if "word" not in arguments:
            raise InvalidInput("word is required")
        return "Greets.", f"Say {arguments['word']}."

    def complete(self, name: str, _argument: str, beginning: str) -> list[str]:
        self._check(name)
        return [f"{beginning}{number:03}" for number in range(120)]

    def _check(self, name: str) -> None:
        if name != "greet":
            raise NotFound("prompts", f"no prompt {name}")


class Stub:
    continuing = None
    output_schemas = True

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.cancelled: list[str] = []

    def names(self) -> tuple[str, ...]:
        return NAMES

    def listing(self) -> list[dict[str, Any]]:
        return listing()

    def prompts(self) -> "Prompts":
        return Prompts()

    def views(self) -> "Views":
        return Views()

    async def call(self, name, arguments, *, progress) -> Result:
        answer = await getattr(self, f"_{name}")(arguments.get("word"), progress)
        return Result(answer, json.dumps(answer), is_error=arguments.get("word") == "fail")

    def interrupted(self, name: str, _arguments: object) -> Result:
        return Result({"interrupted": name})

    async def aclose(self) -> None:
        sys.stderr.write("closed\n")

    async def _echo(self, word, _progress):
        return {"word": word, "cancelled": list(self.cancelled), "none": None}

    async def _hold(self, word, progress):
        await progress("holding")
        try:
            await self.gate.wait()
        except asyncio.CancelledError:
            self.cancelled.append(word)
            sys.stderr.write(f"cancelled {word}\n")
            raise
        return {"held": word}

    async def _release(self, word, _progress):
        self.gate.set()
        if word != "for good":
            self.gate = asyncio.Event()
        return {"released": word}

    async def _noise(self, word, _progress):
        sys.stdout.write("printed\n")
        os.write(1, b"written\n")
        child = [sys.executable, "-c", "import sys; print('child', sys.stdin.read())"]
        await asyncio.to_thread(subprocess.run, child, check=True)
        return {"word": word}

    async def _steps(self, word, progress):
        for step in ("first", "second", "third"):
            await progress(step)
        return {"word": word}

    async def _parts(self, word, progress):
        """Tell of steps, then of counted parts with steps between them, and of a count inside."""
        await progress("looking")
        await progress("none", done=0, total=2)
        await progress("waiting")
        await progress("one", done=1, total=2)
        await progress("inside", done=0, total=1)
        await progress("one again", done=1, total=2)
        await progress("two", done=2, total=2)
        await progress("writing")
        return {"word": word}

    async def _unrecorded(self, _word, _progress):
        raise LogError("the log is full")

    async def _deaf(self, word, _progress):
        """Ignore cancellation, as a badly written library might."""
        while True:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                sys.stderr.write(f"deaf {word}\n")


def load() -> Stub:
    if "--gate" in sys.argv:
        # Loading lasts until somebody has written to this pipe.
        Path(sys.argv[sys.argv.index("--gate") + 1]).read_bytes()
    if "--fail" in sys.argv:
        raise RuntimeError("nothing to load")
    if "--announce" in sys.argv:
        sys.stderr.write("loaded\n")
    return Stub()


if __name__ == "__main__":
    limits = ServerLimits(grace_seconds=0.1) if "--hasty" in sys.argv else ServerLimits()
    sys.exit(serve_stdio(Offer(listing(), Prompts().listing()), load, limits))
