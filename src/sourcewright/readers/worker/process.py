"""A worker process as seen from the server; its messages are not trusted."""

import asyncio
import contextlib
import json
import signal
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

_LENGTH = struct.Struct(">Q")
_PIECE = 1 << 18
_START_SECONDS = 60.0
"""Starting is our own work and not the file's; on a crowded machine it may take a while."""


_END_SECONDS = 5.0
_LONGEST_REASON = 300


class Died(Exception):
    """The process ended, or said something that it never says."""


class NotStarted(Exception):
    """The process did not begin to work; no document had to do with that."""


class Slow(Exception):
    """The document was not read in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A document, and how it is to be read."""

    body: bytes
    seconds: float
    largest_frame: int
    arguments: Mapping[str, str | int] = field(default_factory=dict)


class Listener(Protocol):
    """Keeps what a process says about one document; a time-out or a crash leaves it as it is."""

    done: bool

    def clear(self) -> None:
        """Forget everything: another process begins anew."""
        ...

    def add(self, frame: bytes) -> None:
        """Take in one frame. Raises ValueError or TypeError when it is none of the known kinds."""
        ...


class Process:
    """Starts on the first document and reads one at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._killed = False
        self.documents = 0

    async def read(self, request: Request, listener: Listener) -> None:
        """Have one document read.

        Raises:
            NotStarted: There is no process to read it.
            Died: The process is gone; the listener has what it said before.
            Slow: It did not finish in time; the listener has what it said before.
        """
        process = self._process or await self._start()
        try:
            async with asyncio.timeout(request.seconds):
                await self._talk(process, request, listener)
        except TimeoutError as error:
            raise Slow from error
        except (OSError, EOFError, ValueError, TypeError) as error:
            raise Died from error
        self.documents += 1

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
        try:
            # A session of its own: an interrupt at the terminal is for the one who starts it.
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=pipe,
                stdout=pipe,
                stderr=nothing,
                env={},
                limit=1 << 20,
                start_new_session=True,
            )
        except OSError as error:
            raise NotStarted(f"{self._command[0]}: {error.strerror or error}") from error
        self._process = process
        if self._killed:
            self.kill()
        try:
            async with asyncio.timeout(_START_SECONDS):
                said = json.loads(await self._frame(process, _PIECE))
        except TimeoutError as error:
            raise NotStarted(f"it was not ready after {_START_SECONDS:g} seconds") from error
        except (OSError, EOFError, ValueError) as error:
            raise await self._stillborn(process) from error
        if said:
            raise NotStarted(str(said)[:_LONGEST_REASON])
        return process

    async def _stillborn(self, process: asyncio.subprocess.Process) -> NotStarted | Died:
        """Why there was no first frame; somebody who kills a process harms one document only."""
        try:
            async with asyncio.timeout(_END_SECONDS):
                code = await process.wait()
        except TimeoutError:
            return NotStarted("it said something that it never says")
        if code == -signal.SIGKILL:
            return Died()
        return NotStarted(f"it ended with code {code} before it was ready")

    async def _talk(
        self, process: asyncio.subprocess.Process, request: Request, listener: Listener
    ) -> None:
        stdin = self._stdin(process)
        head = {"seconds": request.seconds, "arguments": dict(request.arguments)}
        for part in (json.dumps(head).encode(), request.body):
            stdin.write(_LENGTH.pack(len(part)))
            view = memoryview(part)
            for at in range(0, len(view), _PIECE):
                stdin.write(view[at : at + _PIECE])
                await stdin.drain()
        while not listener.done:
            listener.add(await self._frame(process, request.largest_frame))

    async def _frame(self, process: asyncio.subprocess.Process, largest: int) -> bytes:
        stdout = process.stdout
        if stdout is None:
            raise EOFError("the process has no output")
        (length,) = _LENGTH.unpack(await stdout.readexactly(_LENGTH.size))
        if length > largest:
            raise ValueError("a frame that is too long")
        return await stdout.readexactly(length)

    @staticmethod
    def _stdin(process: asyncio.subprocess.Process) -> asyncio.StreamWriter:
        if process.stdin is None:
            raise EOFError("the process has no input")
        return process.stdin
