"""Group commit: rows that wait together are written together, by one thread of their own.

A thousand calls at once then cost a few writes instead of a thousand, take no thread
from anybody else's pool, and never hold up the event loop.

A hash-chained log at work: its journal, its writer, and what is done with old segments.
"""

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from sourcewright.domain.errors import LockTimeout, LogError
from sourcewright.domain.ports import Clock
from sourcewright.stores.logs.chain import MAX_LINE_BYTES, Body, canonical
from sourcewright.stores.logs.journal import Journal, Plan
from sourcewright.stores.logs.retention import expire_segments
from sourcewright.stores.logs.segments import pack_segments, tidying

T = TypeVar("T")

_MOST_AT_ONCE = 256


class Committer(Generic[T]):
    """Hands what is submitted to `commit`, in order, many at a time."""

    def __init__(
        self,
        name: str,
        commit: Callable[[Sequence[T]], None],
        finish: Callable[[], None],
    ) -> None:
        self._name = name
        self._commit = commit
        self._finish = finish
        self._queue: SimpleQueue[tuple[T, Future[None]] | None] = SimpleQueue()
        self._batch: list[tuple[T, Future[None]]] = []
        self._guard = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._done = _uncancellable()

    def submit(self, item: T) -> "Future[None]":
        """Queue the item. The future is done when it is kept, or failed; it cannot be cancelled.

        Raises:
            LogError: Nothing is taken any more.
        """
        future = _uncancellable()
        with self._guard:
            if self._closed:
                raise LogError(f"{self._name}: is closed")
            if self._thread is None:
                self._thread = Thread(target=self._run, name=self._name, daemon=True)
                self._thread.start()
            self._queue.put((item, future))
        return future

    async def aclose(self) -> None:
        """Take nothing more, and return when everything taken is settled."""
        with self._guard:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
            if self._thread is None:
                return
        await asyncio.wrap_future(self._done)

    def _run(self) -> None:
        try:
            while self._gather():
                self._settle()
            self._finish()
        finally:
            self._stop()

    def _gather(self) -> bool:
        """Wait for the next item and take what else is there; False when there will be none."""
        first = self._queue.get()
        self._batch = [first] if first else []
        while self._batch and len(self._batch) < _MOST_AT_ONCE:
            try:
                item = self._queue.get_nowait()
            except Empty:
                break
            if item is None:
                self._queue.put(None)
                break
            self._batch.append(item)
        return bool(self._batch)

    def _settle(self) -> None:
        try:
            self._commit([item for item, _ in self._batch])
        except (LogError, LockTimeout) as error:
            for _, future in self._batch:
                future.set_exception(_same(error))
            return
        for _, future in self._batch:
            future.set_result(None)

    def _stop(self) -> None:
        """Leave nobody waiting, even when a defect ended the thread."""
        with self._guard:
            self._closed = True
            while not self._queue.empty():
                item = self._queue.get()
                self._batch += [item] if item else []
        for _, future in self._batch:
            if not future.done():
                future.set_exception(LogError(f"{self._name}: its writer stopped"))
        self._done.set_result(None)


def _uncancellable() -> "Future[None]":
    """A future whose waiter may leave without undoing the work."""
    future: Future[None] = Future()
    future.set_running_or_notify_cancel()
    return future


def _same(error: LogError | LockTimeout) -> LogError | LockTimeout:
    """Its like for one more waiter, since raising one object in many tasks tangles traces."""
    again = type(error)(*error.args)
    again.__cause__ = error
    return again


class LateSync:
    """Has a file that was written put on the disk for good, within moments, by its own thread."""

    def __init__(self, path: Path, ended: Callable[[OSError | None], None]) -> None:
        """`ended` is told how each attempt ended."""
        self._path = path
        self._ended = ended
        self._due, self._closing = Event(), Event()
        self._thread: Thread | None = None

    def soon(self) -> None:
        """The file was written. One thread calls this."""
        self._due.set()
        if self._thread is None:
            self._thread = Thread(target=self._run, name=f"{self._path.name} sync", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Return when everything written is on the disk."""
        self._closing.set()
        self._due.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._due.wait()
            self._closing.wait(_LATE_SECONDS)
            self._due.clear()
            self._sync()

    def _sync(self) -> None:
        try:
            # Any descriptor will do: what is synchronised is the file. One that was rotated
            # away was synchronised before.
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return
        try:
            os.fsync(descriptor)
        except OSError as error:
            self._ended(error)
        else:
            self._ended(None)
        finally:
            os.close(descriptor)


logger = logging.getLogger(__name__)

_ROOM_FOR_LINKS = 1024
_LATE_SECONDS = 0.05
"""Events of busy moments are put on the disk together."""


class ChainedLog:
    """What the provenance log and the audit log share."""

    def __init__(
        self,
        path: Path,
        plan: Plan,
        *,
        clock: Clock,
        retention_days: int,
        synced: Callable[[OSError | None], None] = lambda _error: None,
    ) -> None:
        """`synced` is told how putting rows on the disk ended, where rows do not wait for it."""
        self.path = path
        self._plan = plan
        self._clock = clock
        self._retention_days = retention_days
        self._journal = Journal(path, plan, clock)
        self._late = None if plan.synced else LateSync(path, synced)
        self._committer = Committer[Body](path.name, self._commit, self._finish)
        self._tidying: Thread | None = None
        self._untidy = False

    def submit(self, body: Body) -> "Future[None]":
        """Queue one row; the future is done when the row is written as the plan says.

        Raises:
            LogError: The row is too long, or the log is closed.
        """
        if len(canonical(body)) > MAX_LINE_BYTES - _ROOM_FOR_LINKS:
            raise LogError(f"{self.path}: a row may not be longer than {MAX_LINE_BYTES} bytes")
        return self._committer.submit(body)

    async def aclose(self) -> None:
        """Write what is queued, then let go of the file."""
        await self._committer.aclose()

    def _commit(self, bodies: Sequence[Body]) -> None:
        rotated = self._journal.append(bodies)
        if self._late:
            self._late.soon()
        if not rotated and self._tidying:
            return
        if self._tidying and self._tidying.is_alive():
            self._untidy = True
            return
        self._tidying = Thread(target=self._tidy, name=f"{self.path.name} tidy", daemon=True)
        self._tidying.start()

    def _tidy(self) -> None:
        """Best effort: rows are safe wherever their segment is, so this only warns."""
        try:
            with tidying(self.path, self._clock) as alone:
                if alone:
                    pack_segments(self.path)
                    expire_segments(self.path, self._plan, self._clock, self._retention_days)
        except OSError as error:
            logger.warning("%s: old segments could not be tidied (%s)", self.path, error)

    def _finish(self) -> None:
        if self._late:
            self._late.close()
        self._journal.close()
        if self._tidying:
            self._tidying.join()
        if self._untidy:
            self._tidy()
