"""The server's side of a worker process; its messages are not trusted."""

import asyncio
import contextlib
import json
import os
import signal
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from sourcewright.base.event_loop import lack_of

_LENGTH = struct.Struct(">Q")
_PIECE = 1 << 18
_START_SECONDS = 60.0
"""The start does not depend on the file; on a busy machine it may take long."""


_END_SECONDS = 5.0
_LONGEST_REASON = 300


class WorkerDied(Exception):
    """The process died, or sent an invalid message."""


class WorkerNotStarted(Exception):
    """The process failed to start, independent of any document."""


class WorkerTimeout(Exception):
    """The document was not read in time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadRequest:
    """A document with its limits and the arguments of its reader."""

    body: bytes
    seconds: float
    largest_frame: int
    arguments: Mapping[str, object] = field(default_factory=dict)


class FrameListener(Protocol):
    """Collects the frames about one document; after a timeout or crash it keeps those so far."""

    done: bool

    def clear(self) -> None:
        """Discard everything, before another process starts over."""
        ...

    def add(self, frame: bytes) -> None:
        """Add one frame. Raises ValueError or TypeError if it is invalid."""
        ...


class WorkerProcess:
    """A worker process that starts on the first document and reads one at a time."""

    def __init__(self, command: Sequence[str]) -> None:
        self._command = command
        self._process: asyncio.subprocess.Process | None = None
        self._killed = False
        self._reading = asyncio.Lock()
        self.documents = 0

    async def read(self, request: ReadRequest, listener: FrameListener) -> None:
        """Have one document read.

        Raises:
            WorkerNotStarted: The process could not be started.
            WorkerDied: The process died; the listener has the frames so far.
            WorkerTimeout: It did not finish in time; the listener has the frames so far.
        """
        async with self._reading:
            process = self._process or await self._start()
            try:
                async with asyncio.timeout(request.seconds):
                    await self._exchange(process, request, listener)
            except TimeoutError as error:
                raise WorkerTimeout from error
            except (OSError, EOFError, ValueError, TypeError) as error:
                raise WorkerDied from error
        self.documents += 1

    def kill(self) -> None:
        self._killed = True
        if self._process is not None and self._process.returncode is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                # With what it has started; it leads a process group of its own.
                os.killpg(self._process.pid, signal.SIGKILL)

    async def wait(self) -> None:
        """Wait until the process has exited and its pipes are closed."""
        if self._process is not None:
            stdin = self._stdin(self._process)
            stdin.close()
            await self._process.wait()
            with contextlib.suppress(OSError):
                await stdin.wait_closed()
            with contextlib.suppress(OSError, TimeoutError):
                # From Python 3.14 on, a process is reported as ended before its output is.
                async with asyncio.timeout(_END_SECONDS), self._reading:
                    await self._read_to_end(self._process)

    async def _start(self) -> asyncio.subprocess.Process:
        pipe, nothing = asyncio.subprocess.PIPE, asyncio.subprocess.DEVNULL
        try:
            # A session of its own, so that Ctrl+C at the terminal reaches only the server.
            process = await asyncio.create_subprocess_exec(
                *self._command,
                stdin=pipe,
                stdout=pipe,
                stderr=nothing,
                env={},
                limit=1 << 20,
                start_new_session=True,
            )
        except (OSError, RuntimeError) as error:
            # Without pidfd, asyncio starts a thread for each process.
            reason = lack_of(error) or getattr(error, "strerror", None) or error
            raise WorkerNotStarted(f"{self._command[0]}: {reason}") from error
        self._process = process
        if self._killed:
            self.kill()
        try:
            async with asyncio.timeout(_START_SECONDS):
                problem = json.loads(await self._read_frame(process, _PIECE))
        except TimeoutError as error:
            raise WorkerNotStarted(f"it was not ready after {_START_SECONDS:g} seconds") from error
        except (OSError, EOFError, ValueError) as error:
            raise await self._start_error(process) from error
        if problem:
            raise WorkerNotStarted(str(problem)[:_LONGEST_REASON])
        return process

    async def _start_error(
        self, process: asyncio.subprocess.Process
    ) -> WorkerNotStarted | WorkerDied:
        """The error for a missing first frame; SIGKILL from outside fails only this document."""
        try:
            async with asyncio.timeout(_END_SECONDS):
                code = await process.wait()
        except TimeoutError:
            return WorkerNotStarted("it sent an unexpected message")
        if code == -signal.SIGKILL:
            return WorkerDied()
        return WorkerNotStarted(f"it exited with code {code} before it was ready")

    async def _exchange(
        self, process: asyncio.subprocess.Process, request: ReadRequest, listener: FrameListener
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
            listener.add(await self._read_frame(process, request.largest_frame))

    async def _read_frame(self, process: asyncio.subprocess.Process, largest: int) -> bytes:
        stdout = process.stdout
        if stdout is None:
            raise EOFError("the process has no output")
        (length,) = _LENGTH.unpack(await stdout.readexactly(_LENGTH.size))
        if length > largest:
            raise ValueError("a frame that is too long")
        return await stdout.readexactly(length)

    @staticmethod
    async def _read_to_end(process: asyncio.subprocess.Process) -> None:
        while process.stdout is not None and await process.stdout.read(_PIECE):
            pass

    @staticmethod
    def _stdin(process: asyncio.subprocess.Process) -> asyncio.StreamWriter:
        if process.stdin is None:
            raise EOFError("the process has no input")
        return process.stdin
