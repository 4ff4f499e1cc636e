"""The context of one call: its deadline, and whom to tell about waiting.

Kept in a context variable so that the network layer can honour them without
every signature in between naming them.
"""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Protocol

from sourcewright.domain.ports import Clock


class Progress(Protocol):
    """Tells the caller what is being done, and of work in equal parts how many are done.

    `done` and `total` stand together wherever the number of parts is known beforehand; without
    them a message is one more step of a number that nobody can know.
    """

    def __call__(
        self, message: str, /, *, done: int | None = None, total: int | None = None
    ) -> Awaitable[None]: ...


async def _silent(_message: str, *, done: int | None = None, total: int | None = None) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """One call of a tool, as the layers below may see it."""

    deadline: float | None = None
    """When it must be over, on the monotonic clock; None for never."""
    progress: Progress = _silent


OUTSIDE = Call()
"""What holds where no tool is being called: no deadline, and nobody to tell."""

current_call: ContextVar[Call] = ContextVar("current_call", default=OUTSIDE)


@contextmanager
def hurried(seconds: float, clock: Clock) -> Iterator[None]:
    """Let what is asked inside be over in so many seconds, or sooner where the call must be."""
    call = current_call.get()
    limit = clock.monotonic() + seconds
    deadline = limit if call.deadline is None else min(limit, call.deadline)
    token = current_call.set(replace(call, deadline=deadline))
    try:
        yield
    finally:
        current_call.reset(token)
