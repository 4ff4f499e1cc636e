"""Group commit for a hash-chained log: one thread writes all waiting rows together.

A thousand concurrent calls cost a few writes instead of a thousand, take no thread from a
shared pool, and never block the event loop. A row that need not wait for anything is written
at once instead, because handing it to the thread would take several times as long. `ChainedLog`
adds the delayed flush to disk and the compression and removal of old segments.
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

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, LogError
from sourcewright.base.event_loop import NO_THREAD
from sourcewright.stores.logs.chain import MAX_LINE_BYTES, Body, canonical_json
from sourcewright.stores.logs.journal import LogFile, LogSpec
from sourcewright.stores.logs.retention import expire_segments
from sourcewright.stores.logs.segments import pack_segments, tidying

T = TypeVar("T")

_MAX_BATCH = 256


class Committer(Generic[T]):
    """Passes submitted items to `commit`, in order, in batches."""

    def __init__(
        self,
        name: str,
        commit: Callable[[Sequence[T]], None],
        finish: Callable[[], None],
        commit_at_once: Callable[[T], bool] = lambda _item: False,
        check: Callable[[T], None] = lambda _item: None,
    ) -> None:
        """`commit_at_once` returns whether it could commit an item without waiting.

        `check` raises LogError for an item that must not be queued with others.
        """
        self._name = name
        self._commit = commit
        self._finish = finish
        self._commit_at_once = commit_at_once
        self._check = check
        self._uncommitted = 0
        """Items that were given to the thread; while there are any, order requires to wait."""
        self._queue: SimpleQueue[tuple[T, Future[None]] | None] = SimpleQueue()
        self._batch: list[tuple[T, Future[None]]] = []
        self._lock = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._done = _uncancellable()

    def submit(self, item: T) -> "Future[None]":
        """Commit the item, at once or later.

        The future completes when it is committed; it cannot be cancelled.

        Raises:
            LogError: It is closed, or the item was refused.
        """
        with self._lock:
            if self._closed:
                raise LogError(f"{self._name}: is closed")
            if not self._uncommitted and self._commit_at_once(item):
                return _COMMITTED
            self._check(item)
            future = _uncancellable()
            if self._thread is None:
                self._thread = _started(self._run, self._name)
            if self._thread is None:
                raise LogError(f"{self._name}: {NO_THREAD}")
            self._uncommitted += 1
            self._queue.put((item, future))
        return future

    async def aclose(self) -> None:
        """Accept no more items, and return when all accepted ones are committed or failed."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._queue.put(None)
            if self._thread is None:
                return
        await asyncio.wrap_future(self._done)

    def _run(self) -> None:
        try:
            while self._next_batch():
                self._commit_batch()
                with self._lock:
                    self._uncommitted -= len(self._batch)
            self._finish()
        finally:
            self._fail_remaining()

    def _next_batch(self) -> bool:
        """Wait for an item and take all others that are queued; False when closed."""
        first = self._queue.get()
        self._batch = [first] if first else []
        while self._batch and len(self._batch) < _MAX_BATCH:
            try:
                item = self._queue.get_nowait()
            except Empty:
                break
            if item is None:
                self._queue.put(None)
                break
            self._batch.append(item)
        return bool(self._batch)

    def _commit_batch(self) -> None:
        try:
            self._commit([item for item, _ in self._batch])
        except (LogError, LockTimeout) as error:
            for _, future in self._batch:
                future.set_exception(_copy_of(error))
            return
        for _, future in self._batch:
            future.set_result(None)

    def _fail_remaining(self) -> None:
        """Fail all pending items, so that nobody waits if an error ended the thread."""
        with self._lock:
            self._closed = True
            while not self._queue.empty():
                item = self._queue.get()
                self._batch += [item] if item else []
        for _, future in self._batch:
            if not future.done():
                future.set_exception(LogError(f"{self._name}: its writer stopped"))
        self._done.set_result(None)


def _uncancellable() -> "Future[None]":
    """A future whose waiter may be cancelled without cancelling the work."""
    future: Future[None] = Future()
    future.set_running_or_notify_cancel()
    return future


def _committed() -> "Future[None]":
    future = _uncancellable()
    future.set_result(None)
    return future


_COMMITTED = _committed()
"""Of every item that was committed at once: a future that has its result never changes."""


def _copy_of(error: LogError | LockTimeout) -> LogError | LockTimeout:
    """A copy for another waiter: raising one object in many tasks mixes their tracebacks."""
    copy = type(error)(*error.args)
    copy.__cause__ = error
    return copy


def _started(target: Callable[[], None], name: str) -> Thread | None:
    """A thread that runs; None if the system gives this process none."""
    thread = Thread(target=target, name=name, daemon=True)
    try:
        thread.start()
    except RuntimeError:
        return None
    return thread


class DelayedSync:
    """Flushes a written file to disk after a short delay, in its own thread."""

    def __init__(self, path: Path, ended: Callable[[OSError | None], None]) -> None:
        """`ended` is called with the error of each flush, or None."""
        self._path = path
        self._on_sync = ended
        self._dirty, self._closing = Event(), Event()
        self._thread: Thread | None = None

    def schedule(self) -> None:
        """Schedule a flush after a write. Only one thread at a time may call this."""
        if not self._dirty.is_set():
            self._dirty.set()
        if self._thread is None:
            self._thread = _started(self._run, f"{self._path.name} sync")
        if self._thread is None:
            self._dirty.clear()
            self._sync()

    def close(self) -> None:
        """Return when everything written is on disk."""
        self._closing.set()
        self._dirty.set()
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            self._dirty.wait()
            self._closing.wait(_SYNC_DELAY_SECONDS)
            self._dirty.clear()
            self._sync()

    def _sync(self) -> None:
        try:
            # Any descriptor will do: fsync applies to the file. A rotated file was flushed
            # before its rotation.
            descriptor = os.open(self._path, os.O_RDONLY | os.O_CLOEXEC)
        except OSError:
            return
        try:
            os.fsync(descriptor)
        except OSError as error:
            self._on_sync(error)
        else:
            self._on_sync(None)
        finally:
            os.close(descriptor)


logger = logging.getLogger(__name__)

_LINK_BYTES = 1024
_SYNC_DELAY_SECONDS = 0.05
"""Delay before a flush, so that rows written at about the same time share it."""
_SLOW_SECONDS, _PATIENT_SECONDS = 0.1, 1.0
"""After a write that took so long, the thread does the writing for a while."""


class ChainedLog:
    """A hash-chained log: the common base of the provenance log and the audit log."""

    def __init__(
        self,
        path: Path,
        plan: LogSpec,
        *,
        clock: Clock,
        retention_days: int,
        synced: Callable[[OSError | None], None] = lambda _error: None,
    ) -> None:
        """`synced` is called with the result of each flush, where rows do not wait for it."""
        self.path = path
        self._plan = plan
        self._clock = clock
        self._retention_days = retention_days
        self._journal = LogFile(path, plan, clock)
        self._syncer = None if plan.synced else DelayedSync(path, synced)
        self._committer = Committer[Body](
            path.name, self._commit, self._finish, self._commit_at_once, self._check
        )
        self.rotations = 0
        """How often this process has begun a new file."""
        self._patient_until = float("-inf")
        self._tidy_thread: Thread | None = None
        self._tidy_again = False

    def submit(self, body: Body) -> "Future[None]":
        """Write one row, at once or later; the future completes when the plan is fulfilled.

        Raises:
            LogError: The row is too long, or the log is closed.
        """
        return self._committer.submit(body)

    async def aclose(self) -> None:
        """Write queued rows, then close the file."""
        await self._committer.aclose()

    def _check(self, body: Body) -> None:
        """Refuse a row that is too long, before others are written together with it."""
        if len(canonical_json(body)) > MAX_LINE_BYTES - _LINK_BYTES:
            raise LogError(f"{self.path}: a row may not be longer than {MAX_LINE_BYTES} bytes")

    def _commit_at_once(self, body: Body) -> bool:
        """Write a row if that waits neither for the disk nor for another process."""
        started = self._clock.monotonic()
        if self._syncer is None or started < self._patient_until:
            return False
        is_written = self._journal.append_at_once([body])
        now = self._clock.monotonic()
        if now - started > _SLOW_SECONDS:
            self._patient_until = now + _PATIENT_SECONDS
        if is_written:
            self._syncer.schedule()
        return is_written

    def _commit(self, bodies: Sequence[Body]) -> None:
        rotated = self._journal.append(bodies)
        self.rotations += rotated
        if self._syncer:
            self._syncer.schedule()
        if not rotated and self._tidy_thread:
            return
        if self._tidy_thread and self._tidy_thread.is_alive():
            self._tidy_again = True
            return
        # Without a further thread, segments wait until the next one is begun.
        self._tidy_thread = _started(self._tidy, f"{self.path.name} tidy")

    def _tidy(self) -> None:
        """Compress and expire segments. Failures are only logged: no rows are lost by them."""
        try:
            with tidying(self.path, self._clock) as alone:
                if alone:
                    pack_segments(self.path)
                    expire_segments(self.path, self._plan, self._clock, self._retention_days)
        except OSError as error:
            logger.warning("%s: old segments could not be cleaned up (%s)", self.path, error)

    def _finish(self) -> None:
        if self._syncer:
            self._syncer.close()
        self._journal.close()
        if self._tidy_thread:
            self._tidy_thread.join()
        if self._tidy_again:
            self._tidy()
