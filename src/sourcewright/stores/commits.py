"""Group commit: rows that wait together are written together, by one thread of their own.

A thousand calls at once then cost a few writes instead of a thousand, take no thread
from anybody else's pool, and never hold up the event loop.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from queue import Empty, SimpleQueue
from threading import Event, Lock, Thread
from typing import Generic, TypeVar

from sourcewright.domain.errors import LockTimeout, LogError

T = TypeVar("T")

_MOST_AT_ONCE = 256


class Committer(Generic[T]):
    """Hands what is submitted to `commit`, in order, many at a time."""

    def __init__(
        self,
        name: str,
        commit: Callable[[Sequence[T]], None],
        finish: Callable[[], None],
        *,
        linger_seconds: float = 0.0,
    ) -> None:
        """`linger_seconds` is how long the first item waits for others, where nobody waits for it."""
        self._name = name
        self._linger_seconds = linger_seconds
        self._commit = commit
        self._finish = finish
        self._queue: SimpleQueue[tuple[T, Future[None]] | None] = SimpleQueue()
        self._batch: list[tuple[T, Future[None]]] = []
        self._guard = Lock()
        self._thread: Thread | None = None
        self._closed = False
        self._closing = Event()
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
                self._closing.set()
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
        if first and self._linger_seconds:
            self._closing.wait(self._linger_seconds)
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
