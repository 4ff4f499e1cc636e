"""The pool of worker processes, each reading one document at a time."""

import asyncio
from pathlib import Path

from sourcewright.base.errors import ReaderUnavailable
from sourcewright.reading.worker.process import (
    FrameListener,
    ReadRequest,
    WorkerDied,
    WorkerNotStarted,
    WorkerProcess,
)

_PROGRAM = Path(__file__).with_name("program.py")
_DOCUMENTS_PER_PROCESS = 200
"""After so many documents a process is replaced, to bound the memory leaks of libraries."""


class PoolClosed(Exception):
    """The pool has been closed."""


class WorkerPool:
    """Starts processes on first use, and serves callers in order.

    A process that is too slow, dies, or whose caller was cancelled is killed and replaced. Idle
    processes are killed after `idle_seconds`. `aclose` stops every process.
    """

    def __init__(
        self,
        module: str,
        *,
        memory_mebibytes: int,
        processes: int,
        interpreter: str,
        idle_seconds: float | None = None,
    ) -> None:
        # Isolated mode: neither the working directory nor the environment affects imports.
        self._command = (interpreter, "-I", str(_PROGRAM), module, str(memory_mebibytes))
        self._idle_seconds = idle_seconds
        self._slots = asyncio.Semaphore(processes)
        self._idle: list[WorkerProcess] = []
        self._busy: set[WorkerProcess] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._idle_timer: asyncio.TimerHandle | None = None
        self._closed = False

    async def read(self, request: ReadRequest, listener: FrameListener) -> None:
        """Have one document read; the listener receives its frames.

        Raises:
            PoolClosed: The pool was closed meanwhile.
            ReaderUnavailable: No process could be started.
            WorkerDied: Reading it killed a fresh process.
            WorkerTimeout: It did not finish in time.
        """
        async with self._slots:
            process = self._idle.pop() if self._idle else self._new()
            # Earlier documents may have damaged a process, so a crash is confirmed in a fresh one.
            attempts = [process, self._new()] if process.documents else [process]
            for attempt in attempts:
                if self._closed:
                    break
                listener.clear()
                try:
                    return await self._read(attempt, request, listener)
                except WorkerNotStarted as error:
                    if not self._closed:
                        raise ReaderUnavailable(str(error)) from error
                except WorkerDied:
                    continue
            raise PoolClosed if self._closed else WorkerDied

    async def aclose(self) -> None:
        self._closed = True
        self._end_idle()
        for process in self._busy:
            self._end(process)
        while self._ending:
            await asyncio.wait(self._ending)

    def _new(self) -> WorkerProcess:
        return WorkerProcess(self._command)

    async def _read(
        self, process: WorkerProcess, request: ReadRequest, listener: FrameListener
    ) -> None:
        """Read in one process; keep the process only if it succeeded."""
        self._busy.add(process)
        is_kept = False
        try:
            await process.read(request, listener)
            is_kept = not self._closed and process.documents < _DOCUMENTS_PER_PROCESS
        finally:
            self._busy.discard(process)
            if is_kept:
                self._keep(process)
            else:
                self._end(process)

    def _keep(self, process: WorkerProcess) -> None:
        self._idle.append(process)
        if self._idle_seconds is not None:
            if self._idle_timer is not None:
                self._idle_timer.cancel()
            loop = asyncio.get_running_loop()
            self._idle_timer = loop.call_later(self._idle_seconds, self._end_idle)

    def _end_idle(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None
        for process in self._idle:
            self._end(process)
        self._idle.clear()

    def _end(self, process: WorkerProcess) -> None:
        """Kill a process without waiting, so that a cancelled caller returns at once."""
        process.kill()
        task = asyncio.create_task(process.wait())
        self._ending.add(task)
        task.add_done_callback(self._ending.discard)
