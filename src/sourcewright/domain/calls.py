"""The context of one tool call: its deadline and its progress callback.

Kept in a context variable, so that the network layer can use both without passing them through
every signature in between.
"""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Protocol

from sourcewright.domain.ports import Clock


class Progress(Protocol):
    """Reports progress to the caller: a message, and how many of the steps are done.

    `done` and `total` are given together if the number of steps is known in advance; without
    them, the message is one more step of an unknown total.
    """

    def __call__(
        self, message: str, /, *, done: int | None = None, total: int | None = None
    ) -> Awaitable[None]: ...


async def _no_progress(
    _message: str, *, done: int | None = None, total: int | None = None
) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """What the lower layers may know of a tool call."""

    deadline: float | None = None
    """When it must end, on the monotonic clock; None for no deadline."""
    progress: Progress = _no_progress


NO_CALL = CallContext()
"""The context outside a tool call: no deadline, no progress reports."""

current_call: ContextVar[CallContext] = ContextVar("current_call", default=NO_CALL)


@contextmanager
def time_limit(seconds: float, clock: Clock) -> Iterator[None]:
    """Limit the time of the requests inside; an earlier deadline of the call still applies."""
    call = current_call.get()
    limit = clock.monotonic() + seconds
    deadline = limit if call.deadline is None else min(limit, call.deadline)
    token = current_call.set(replace(call, deadline=deadline))
    try:
        yield
    finally:
        current_call.reset(token)
