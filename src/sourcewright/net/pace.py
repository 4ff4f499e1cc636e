"""Rate limiting: waits for a source's pace, which all processes on the machine share."""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from sourcewright.domain.errors import RateLimited
from sourcewright.domain.ports import Clock, Lane, Ledger
from sourcewright.logic.pace import least_wait
from sourcewright.net.deadline import REPORTED_SECONDS, Patience

T = TypeVar("T")

PAPERS = Lane(name="papers", starts=5, per_seconds=1.0, at_once=5)
"""The published budget that all sources of the paper tools share."""
LONGEST_OBEYED_SECONDS = 30.0
"""A source that asks for a longer wait is not waited for; the caller is told instead."""
_LONGEST_SLEEP_SECONDS = 5.0
_MOST_UNPACED = 100


class Paces(Protocol):
    """Says when a request may start."""

    def turn(
        self, source: str, lanes: tuple[Lane, ...], patience: Patience
    ) -> AbstractAsyncContextManager[None]:
        """Wait for a start in all lanes, and keep a place in them while inside."""
        ...

    async def hold(self, lanes: tuple[Lane, ...], seconds: float) -> None:
        """Keep everybody away from the first lane, the source's own."""
        ...


class Unpaced:
    """Lets everybody go without a pace: for a sandbox, where nobody can be hurt.

    Only so many at once for each source, because the cost of a connection grows with
    the number of the others, and a thousand of them would hold up every other call.
    """

    def __init__(self) -> None:
        self._open = defaultdict[str, asyncio.Semaphore](lambda: asyncio.Semaphore(_MOST_UNPACED))

    @asynccontextmanager
    async def turn(
        self, source: str, _lanes: tuple[Lane, ...], _patience: Patience
    ) -> AsyncIterator[None]:
        async with self._open[source]:
            yield

    async def hold(self, lanes: tuple[Lane, ...], seconds: float) -> None:
        """Nobody waits here, whatever was asked."""


@dataclass(eq=False, slots=True)
class _Line:
    """Those in this process who wait for the same lanes; only the first asks the ledger.

    So a thousand waiting calls cost no more than one, and each process has one
    ticket in the queue: none can crowd out another.
    """

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    waiting: list[Patience] = field(default_factory=list)
    first_until: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class _Asker:
    source: str
    lanes: tuple[Lane, ...]
    ticket: str
    patience: Patience


class Pacer:
    """Books starts in the ledger, from one thread of its own."""

    def __init__(self, ledger: Ledger, clock: Clock) -> None:
        self._ledger = ledger
        self._clock = clock
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="pace")
        self._lines: dict[tuple[str, ...], _Line] = {}
        self._closed = False

    @asynccontextmanager
    async def turn(
        self, source: str, lanes: tuple[Lane, ...], patience: Patience
    ) -> AsyncIterator[None]:
        if not lanes:
            yield
            return
        ticket = secrets.token_hex(8)
        try:
            await self._wait(_Asker(source=source, lanes=lanes, ticket=ticket, patience=patience))
            self._later(self._ledger.started, ticket, self._clock.now())
            yield
        finally:
            # The one thread keeps the order, so this also undoes a booking still on its way.
            self._later(self._ledger.leave, ticket)

    async def hold(self, lanes: tuple[Lane, ...], seconds: float) -> None:
        if lanes:
            await self._in_thread(
                lambda: self._ledger.hold(lanes[0].name, seconds, self._clock.now())
            )

    def close(self) -> None:
        """Finish what was given back, and let go of the ledger."""
        self._later(self._ledger.close)
        self._closed = True
        self._worker.shutdown()

    def _later(self, work: Callable[..., None], *arguments: object) -> None:
        # After the end there is nobody to tell: other processes see that this one is gone.
        if not self._closed:
            self._worker.submit(work, *arguments)

    async def _wait(self, asker: _Asker) -> None:
        line = self._lines.setdefault(tuple(lane.name for lane in asker.lanes), _Line())
        self._warn(asker, line)
        line.waiting.append(asker.patience)
        try:
            async with line.lock:
                await self._go_first(asker, line)
        finally:
            line.waiting.remove(asker.patience)

    def _warn(self, asker: _Asker, line: _Line) -> None:
        """Send away at once whoever cannot be served in time, however well things go."""
        if not line.waiting:
            return
        wait = max(0.0, line.first_until - self._clock.monotonic())
        wait += least_wait(asker.lanes, len(line.waiting))
        # How long those in flight will take nobody knows; the caller should not hurry back.
        refusal = _refusal(asker.source, max(wait, REPORTED_SECONDS))
        asker.patience.announce(wait, refusal)
        if wait >= REPORTED_SECONDS:
            asker.patience.tell(f"waiting {wait:.1f} s for {asker.source}'s pace")

    async def _go_first(self, asker: _Asker, line: _Line) -> None:
        began = told = self._clock.monotonic()
        while True:
            turn = await self._in_thread(
                lambda: self._ledger.ask(asker.ticket, asker.lanes, self._clock.now())
            )
            if turn.wait <= 0:
                return
            now = self._clock.monotonic()
            line.first_until = now + turn.wait
            if turn.held > LONGEST_OBEYED_SECONDS:
                raise _held(asker.source, turn.held)
            asker.patience.announce(turn.wait, _refusal(asker.source, turn.wait))
            if now + turn.wait - told >= REPORTED_SECONDS:
                told = now + _LONGEST_SLEEP_SECONDS
                _tell(line, f"waiting {now + turn.wait - began:.1f} s for {asker.source}'s pace")
            await self._clock.sleep(min(turn.wait, _LONGEST_SLEEP_SECONDS))

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._worker, work)


def _tell(line: _Line, message: str) -> None:
    for patience in line.waiting:
        patience.tell(message)


def _refusal(source: str, wait: float) -> RateLimited:
    detail = f"our pace for it asks for a wait of {wait:.1f} s, more than this call has"
    return RateLimited(source, detail, cause="pace", retry_after=wait)


def _held(source: str, wait: float) -> RateLimited:
    detail = f"it asked everybody here to stay away for another {wait:.0f} s"
    return RateLimited(source, detail, cause="pace", retry_after=wait)
