"""Life cycle of the browser: started on first use, stopped when idle, restarted after N pages."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from sourcewright.readers.browser.chromium import Launch
from sourcewright.readers.browser.engine import Engine, NotStarted, start

_RESIDENT_BYTES = 2 * 1024**3
"""What a browser may hold between two pages; one that has shown many small ones holds a quarter."""
_WEIGHED_PAGES = 10
"""How often it is weighed, which takes a moment."""


class Supply:
    """Lends one browser to everybody. `aclose` ends whatever runs."""

    def __init__(self, how: Launch, *, idle_seconds: float, pages: int) -> None:
        self._how = how
        self._pages = pages
        self._idle_seconds = idle_seconds
        self._starting: asyncio.Task[Engine] | None = None
        self._engines: set[Engine] = set()
        self._ending: set[asyncio.Task[None]] = set()
        self._rest: asyncio.TimerHandle | None = None
        self._closed = False

    @asynccontextmanager
    async def engine(self) -> AsyncIterator[Engine]:
        """A browser for one page.

        Raises:
            NotStarted: There is none to be had.
        """
        engine = await self._current()
        self._be_awake()
        engine.users += 1
        try:
            yield engine
        finally:
            engine.users -= 1
            self._release(engine)

    async def aclose(self) -> None:
        self._closed = True
        self._be_awake()
        if self._starting is not None:
            self._starting.cancel()
            await asyncio.wait([self._starting])
        for engine in list(self._engines):
            self._end(engine)
        while self._ending:
            await asyncio.wait(self._ending)

    async def _current(self) -> Engine:
        if self._closed:
            raise NotStarted("it has been closed")
        if self._starting is not None and self._starting.done() and self._is_worn(self._starting):
            self._retire()
        if self._starting is None:
            self._starting = asyncio.create_task(start(self._how))
            self._starting.add_done_callback(self._arrive)
        # One who gives up does not take the browser from those who come next.
        engine = await asyncio.shield(self._starting)
        self._how = engine.how
        return engine

    def _release(self, engine: Engine) -> None:
        if engine.users:
            return
        task = self._starting
        if task is None or not task.done() or _engine_of(task) is not engine:
            self._end(engine)
        elif self._is_worn(task):
            self._retire()
        else:
            self._doze()

    def _arrive(self, task: asyncio.Task[Engine]) -> None:
        """Take in a browser that has started; those who wanted it may all be gone."""
        engine = _engine_of(task)
        if engine is not None:
            self._engines.add(engine)
            if self._closed or self._starting is not task:
                self._end(engine)
            else:
                self._doze()

    def _is_worn(self, task: asyncio.Task[Engine]) -> bool:
        engine = _engine_of(task)
        if engine is None or engine.has_gone or engine.doubted or engine.pages >= self._pages:
            return True
        weighed = engine.pages > 0 and engine.pages % _WEIGHED_PAGES == 0
        return weighed and engine.resident_bytes > _RESIDENT_BYTES

    def _doze(self) -> None:
        self._be_awake()
        loop = asyncio.get_running_loop()
        self._rest = loop.call_later(self._idle_seconds, self._retire)

    def _be_awake(self) -> None:
        if self._rest is not None:
            self._rest.cancel()
            self._rest = None

    def _retire(self) -> None:
        """Lend it no more; it ends when the last page in it has."""
        task, self._starting = self._starting, None
        engine = None if task is None else _engine_of(task)
        if engine is not None and not engine.users:
            self._end(engine)

    def _end(self, engine: Engine) -> None:
        if engine in self._engines:
            self._engines.discard(engine)
            ending = asyncio.create_task(engine.aclose())
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)


def _engine_of(task: asyncio.Task[Engine]) -> Engine | None:
    failed = task.cancelled() or task.exception() is not None
    return None if failed else task.result()
