"""The pool of worker processes, each reading one document at a time."""

import asyncio
import sys
from pathlib import Path

from sourcewright.domain.errors import ReaderUnavailable
from sourcewright.readers.worker.process import Died, Listener, NotStarted, Process, Request

_PROGRAM = Path(__file__).with_name("program.py")
_DOCUMENTS_PER_PROCESS = 200
"""After so many a process is replaced, so that what a library leaks stays small."""


class Closed(Exception):
    """Nothing is read any more."""


class Pool:
    """Starts processes when first needed; callers are served in the order in which they came.

    A process that is too slow, dies, or whose caller gives up is ended and replaced. One that
    nobody needs is ended after `idle_seconds`. `aclose` ends every process.
    """

    def __init__(
        self,
        module: str,
        *,
        memory_mebibytes: int,
        processes: int,
        idle_seconds: float | None = None,
    ) -> None:
        # Isolated: neither the working directory nor the environment chooses what is imported.
        self._command = (sys.executable, "-I", str(_PROGRAM), module, str(memory_mebibytes))
        self._idle_seconds = idle_seconds
        self._turn = asyncio.Semaphore(processes)
        self._idle: list[Process] = []
        self._busy: set[Process] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False

    async def read(self, request: Request, listener: Listener) -> None:
        """Have one document read; the listener is told what is said of it.

        Raises:
            Closed: The pool was closed meanwhile.
            ReaderUnavailable: No process could be started.
            Died: Reading it ended a process that had read nothing before.
            Slow: It did not finish in time.
        """
        async with self._turn:
            process = self._idle.pop() if self._idle else self._new()
            # What others left behind may end a process; a fresh one shows whose fault it is.
            chances = [process, self._new()] if process.documents else [process]
            for chance in chances:
                if self._closed:
                    break
                listener.clear()
                try:
                    return await self._read(chance, request, listener)
                except NotStarted as error:
                    if not self._closed:
                        raise ReaderUnavailable(str(error)) from error
                except Died:
                    continue
            raise Closed if self._closed else Died

    async def aclose(self) -> None:
        self._closed = True
        self._end_idle()
        for process in self._busy:
            self._end(process)
        while self._ending:
            await asyncio.wait(self._ending)

    def _new(self) -> Process:
        return Process(self._command)

    async def _read(self, process: Process, request: Request, listener: Listener) -> None:
        """Let one process read; keep it only when it is known to be in order."""
        self._busy.add(process)
        kept = False
        try:
            await process.read(request, listener)
            kept = not self._closed and process.documents < _DOCUMENTS_PER_PROCESS
        finally:
            self._busy.discard(process)
            if kept:
                self._keep(process)
            else:
                self._end(process)

    def _keep(self, process: Process) -> None:
        self._idle.append(process)
        if self._idle_seconds is not None:
            if self._rest is not None:
                self._rest.cancel()
            loop = asyncio.get_running_loop()
            self._rest = loop.call_later(self._idle_seconds, self._end_idle)

    def _end_idle(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None
        for process in self._idle:
            self._end(process)
        self._idle.clear()

    def _end(self, process: Process) -> None:
        """End a process without waiting, so that a caller who gave up is let go at once."""
        process.kill()
        task = asyncio.create_task(process.wait())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
