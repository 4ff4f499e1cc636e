"""Partial results: several requests to one source, each of which may fail alone.

A provider catches nothing itself; where it can go on without an answer, it asks here.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from sourcewright.domain.errors import BadAnswer, DenialReason, Denied, UpstreamError

T = TypeVar("T")

_SENT_AWAY: DenialReason = "redirect_not_in_allowlist"
"""Where a source leads away from itself, as to a page that wants a proof, it has not answered."""


async def outcome(question: Awaitable[T]) -> T | UpstreamError:
    """The answer, or why there is none."""
    try:
        return await question
    except UpstreamError as error:
        return error


async def spared(question: Awaitable[T]) -> T | UpstreamError:
    """The same for what one can do without, also where the source leads away from itself."""
    try:
        return await outcome(question)
    except Denied as error:
        if error.denial.reason != _SENT_AWAY or error.denial.source is None:
            raise
        detail = f"sends us to {error.denial.attempted}"
        return BadAnswer(error.denial.source, detail, cause="format")


async def outcomes(
    ask: Callable[[str], Awaitable[T]], things: Sequence[str], *, at_once: int
) -> list[T | UpstreamError]:
    """What became of asking for each, in their order, with so many under way at most.

    Raises:
        Denied: Our own rules refused one of them, which would hold for the others too.
    """
    gate = asyncio.Semaphore(at_once)

    async def one(thing: str) -> T | UpstreamError:
        async with gate:
            return await outcome(ask(thing))

    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one(thing)) for thing in things]
    except ExceptionGroup as several:
        raise several.exceptions[0] from several
    return [task.result() for task in tasks]
