"""One process that reads PDFs, seen from the server; what it says is not trusted either."""

import asyncio
import contextlib
import json
import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from sourcewright.domain.files import Excerpt

_FIELDS = ("title", "author", "subject", "keywords")
_LENGTH = struct.Struct(">Q")
_MAX_FRAME = 1 << 20
_MAX_PAGES = 100
_MAX_TEXT = 25_000
_PIECE = 1 << 18
_START_SECONDS = 60.0
"""Starting is our own work and not the file's; on a crowded machine it may take a while."""


class Died(Exception):
    """The process ended, or said something that it never says."""


class Slow(Exception):
    """The file was not read in time."""


@dataclass(slots=True)
class Reading:
    """What has come of a file so far; a time-out or a crash keeps the pages that were read."""

    pages: list[str] = field(default_factory=list)
    page_count: int = 0
    about: dict[str, str | None] = field(default_factory=dict)
    problem: str | None = None
    done: bool = False

    def add(self, frame: dict[str, Any]) -> None:
        """Take in one frame. Raises ValueError when it is none of the known kinds."""
        match frame:
            case {"page": str(text)} if len(self.pages) < _MAX_PAGES:
                self.pages.append(text[:_MAX_TEXT])
            case {"page_count": int(count), "about": dict(about)}:
                self.page_count = count
                self.about = {name: _text(about.get(name)) for name in _FIELDS}
            case {"done": True, "problem": problem}:
                self.problem, self.done = _text(problem), True
            case _:
                raise ValueError("an unknown frame")

    def excerpt(self, problem: str | None = None) -> Excerpt:
        return Excerpt(
            pages=tuple(self.pages),
            page_count=self.page_count,
            problem=problem or self.problem,
            **self.about,
        )


def _text(value: object) -> str | None:
    return (value[:_MAX_TEXT] or None) if isinstance(value, str) else None


class PdfProcess:
    """Starts on the first file and reads one at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._killed = False
        self.files = 0
        self.reading = Reading()

    async def read(self, body: bytes, seconds: float) -> Reading:
        """Have one file read.

        Raises:
            Died: The process is gone; `reading` holds what it said before.
            Slow: It did not finish in time; `reading` holds what it said before.
        """
        self.reading = Reading()
        try:
            process = self._process or await self._start()
            async with asyncio.timeout(seconds):
                await self._talk(process, body)
        except TimeoutError as error:
            raise Slow from error
        except (OSError, EOFError, ValueError, TypeError) as error:
            raise Died from error
        self.files += 1
        return self.reading

    def kill(self) -> None:
        self._killed = True
        if self._process is not None:
            with contextlib.suppress(ProcessLookupError):
                self._process.kill()

    async def wait(self) -> None:
        """Return when the process is gone and its pipes are closed."""
        if self._process is not None:
            stdin = self._stdin(self._process)
            stdin.close()
            await self._process.wait()
            with contextlib.suppress(OSError):
                await stdin.wait_closed()

    async def _start(self) -> asyncio.subprocess.Process:
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        # A session of its own: an interrupt at the terminal is for the one who starts it.
        process = await asyncio.create_subprocess_exec(
            *self._command,
            stdin=pipe,
            stdout=pipe,
            stderr=nothing,
            env={},
            limit=_MAX_FRAME,
            start_new_session=True,
        )
        self._process = process
        if self._killed:
            self.kill()
        try:
            async with asyncio.timeout(_START_SECONDS):
                await self._frame(process)
        except TimeoutError as error:
            raise EOFError("the process did not start in time") from error
        return process

    async def _talk(self, process: asyncio.subprocess.Process, body: bytes) -> None:
        stdin = self._stdin(process)
        stdin.write(_LENGTH.pack(len(body)))
        view = memoryview(body)
        for at in range(0, len(view), _PIECE):
            stdin.write(view[at : at + _PIECE])
            await stdin.drain()
        while not self.reading.done:
            self.reading.add(await self._frame(process))

    async def _frame(self, process: asyncio.subprocess.Process) -> dict[str, Any]:
        stdout = process.stdout
        if stdout is None:
            raise EOFError("the process has no output")
        (length,) = _LENGTH.unpack(await stdout.readexactly(_LENGTH.size))
        if length > _MAX_FRAME:
            raise ValueError("a frame that is too long")
        return dict(json.loads(await stdout.readexactly(length)))

    @staticmethod
    def _stdin(process: asyncio.subprocess.Process) -> asyncio.StreamWriter:
        if process.stdin is None:
            raise EOFError("the process has no input")
        return process.stdin
