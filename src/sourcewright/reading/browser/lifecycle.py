"""Life cycle of the browser: started on first use, stopped when idle, restarted after N pages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sourcewright.reading.browser.chromium import LaunchConfig
from sourcewright.reading.browser.engine import BrowserNotStarted, RunningBrowser, start_browser

_RESIDENT_BYTES = 2 * 1024**3
"""Memory limit of a browser between pages; after many small pages it uses a quarter of this."""
_PAGES_PER_MEMORY_CHECK = 10
"""Memory is checked after every so many pages, because the check takes time."""


class BrowserLifecycle:
    """Shares one browser among all callers. `aclose` stops every browser."""

    def __init__(self, how: LaunchConfig, *, idle_seconds: float, pages: int) -> None:
        self._how = how
        self._pages = pages
        self._idle_seconds = idle_seconds
        self._starting: asyncio.Task[RunningBrowser] | None = None
        self._engines: set[RunningBrowser] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._idle_timer: asyncio.TimerHandle | None = None
        self._closed = False

    @asynccontextmanager
    async def engine(self) -> AsyncIterator[RunningBrowser]:
        """A running browser for one page.

        Raises:
            WorkerNotStarted: It could not be started.
        """
        engine = await self._current()
        self._cancel_idle_timer()
        engine.users += 1
        try:
            yield engine
        finally:
            engine.users -= 1
            self._release(engine)

    async def aclose(self) -> None:
        self._closed = True
        self._cancel_idle_timer()
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait([self._starting])
        for engine in list(self._engines):
            self._end(engine)
        while self._ending:
            await asyncio.wait(self._ending)

    async def _current(self) -> RunningBrowser:
        if self._closed:
            raise BrowserNotStarted("it has been closed")
        if (
            self._starting is not None
            and self._starting.done()
            and self._needs_replacement(self._starting)
        ):
            self._retire()
        if self._starting is None:
            self._starting = asyncio.create_task(start_browser(self._how))
            self._starting.add_done_callback(self._on_started)
        # Shielded: a caller that is cancelled does not cancel the start for the others.
        engine = await asyncio.shield(self._starting)
        self._how = engine.how
        return engine

    def _release(self, engine: RunningBrowser) -> None:
        if engine.users:
            return
        task = self._starting
        if task is None or not task.done() or _engine_of(task) is not engine:
            self._end(engine)
        elif self._needs_replacement(task):
            self._retire()
        else:
            self._start_idle_timer()

    def _on_started(self, task: asyncio.Task[RunningBrowser]) -> None:
        """Register a browser that has started; all callers may have been cancelled meanwhile."""
        engine = _engine_of(task)
        if engine is not None:
            self._engines.add(engine)
            if self._closed or self._starting is not task:
                self._end(engine)
            else:
                self._start_idle_timer()

    def _needs_replacement(self, task: asyncio.Task[RunningBrowser]) -> bool:
        engine = _engine_of(task)
        if engine is None or engine.has_gone or engine.doubted or engine.pages >= self._pages:
            return True
        is_check_due = engine.pages > 0 and engine.pages % _PAGES_PER_MEMORY_CHECK == 0
        return is_check_due and engine.resident_bytes > _RESIDENT_BYTES

    def _start_idle_timer(self) -> None:
        self._cancel_idle_timer()
        loop = asyncio.get_running_loop()
        self._idle_timer = loop.call_later(self._idle_seconds, self._retire)

    def _cancel_idle_timer(self) -> None:
        if self._idle_timer is not None:
            self._idle_timer.cancel()
            self._idle_timer = None

    def _retire(self) -> None:
        """Give it to no new caller; it is stopped when its last page is done."""
        task, self._starting = self._starting, None
        engine = None if task is None else _engine_of(task)
        if engine is not None and not engine.users:
            self._end(engine)

    def _end(self, engine: RunningBrowser) -> None:
        if engine in self._engines:
            self._engines.discard(engine)
            ending = asyncio.create_task(engine.aclose())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)


def _engine_of(task: asyncio.Task[RunningBrowser]) -> RunningBrowser | None:
    failed = task.cancelled() or task.exception() is not None
    return None if failed else task.result()
