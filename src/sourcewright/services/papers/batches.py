"""Batches: many papers in one call, within the shared rate limit, each failing alone."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sourcewright.domain.calls import current_call
from sourcewright.domain.errors import InvalidInput, ResearchError
from sourcewright.domain.identifiers import parse_reference

T = TypeVar("T")

AT_ONCE = 10
"""Enough papers under way to keep the shared budget busy while some of them wait for answers."""


@dataclass(frozen=True, slots=True)
class Done(Generic[T]):
    """How one of the batch ended."""

    ref: str
    result: T | None = None
    error: ResearchError | None = None


class Batch(Generic[T]):
    """Runs one job per distinct key; every reference gets its answer, in the order given."""

    def __init__(self, job: Callable[[str], Awaitable[T]], key: Callable[[str], str]) -> None:
        self._job = job
        self._key = key

    async def run(self, refs: Sequence[str]) -> list[Done[T]]:
        """Run them all. A defect in one job ends the batch; an error of ours ends its own job.

        Cancelling the batch cancels what is under way; what is done stays done.
        """
        gate = asyncio.Semaphore(AT_ONCE)
        tasks: dict[str, asyncio.Task[Done[T]]] = {}
        async with asyncio.TaskGroup() as group:
            for ref in refs:
                key = self._key(ref)
                if key not in tasks:
                    tasks[key] = group.create_task(self._one(ref, gate))
            await _tell_of(list(tasks.values()))
        return [self._named(ref, tasks[self._key(ref)].result()) for ref in refs]

    async def _one(self, ref: str, gate: asyncio.Semaphore) -> Done[T]:
        async with gate:
            try:
                return Done(ref, result=await self._job(ref))
            except ResearchError as error:
                return Done(ref, error=error)

    def _named(self, ref: str, done: Done[T]) -> Done[T]:
        """The same ending under the spelling that this one was asked by."""
        return Done(ref, done.result, done.error)


async def _tell_of(tasks: Sequence["asyncio.Task[Done[T]]"]) -> None:
    """Say after each paper how many are done."""
    tell, total = current_call.get().progress, len(tasks)
    await tell(f"0 of {total}", done=0, total=total)
    for count, finished in enumerate(asyncio.as_completed(tasks), 1):
        ended = await finished
        ending = "failed" if ended.error else "done"
        await tell(f"{count} of {total}: {ended.ref} {ending}", done=count, total=total)


async def in_turn(
    refs: Sequence[str],
    job: Callable[[str], Awaitable[T]],
    pause: Callable[[], Awaitable[None]],
) -> AsyncIterator[tuple[str, T]]:
    """Do a job for each paper, one after the other and a pause apart, and for none twice."""
    done: dict[str, T] = {}
    for ref in refs:
        key = same_paper(ref)
        if key not in done:
            if done:
                await pause()
            done[key] = await job(ref)
        yield ref, done[key]


def same_paper(ref: str) -> str:
    """One key for every spelling of a reference; what cannot be read is its own."""
    try:
        return str(parse_reference(ref))
    except InvalidInput:
        return ref
