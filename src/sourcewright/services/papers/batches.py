"""Batches: many papers in one call; an error affects only its own paper."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sourcewright.base.calls import current_call
from sourcewright.base.errors import InvalidInput, ResearchError
from sourcewright.base.identifiers import parse_reference

T = TypeVar("T")

MAX_CONCURRENT = 10
"""Concurrent papers: enough to use up the shared rate limit while some wait for responses."""


@dataclass(frozen=True, slots=True)
class BatchItem(Generic[T]):
    """Result or error of one item of the batch."""

    ref: str
    result: T | None = None
    error: ResearchError | None = None


class Batch(Generic[T]):
    """Runs one job per distinct key; returns a result for every reference, in order."""

    def __init__(self, job: Callable[[str], Awaitable[T]], key: Callable[[str], str]) -> None:
        self._job = job
        self._key = key

    async def run(self, refs: Sequence[str]) -> list[BatchItem[T]]:
        """Run all jobs. An unexpected exception ends the batch, a ResearchError only its own job.

        Cancelling the batch cancels the running jobs; finished ones keep their effect.
        """
        gate = asyncio.Semaphore(MAX_CONCURRENT)
        tasks: dict[str, asyncio.Task[BatchItem[T]]] = {}
        async with asyncio.TaskGroup() as group:
            for ref in refs:
                key = self._key(ref)
                if key not in tasks:
                    tasks[key] = group.create_task(self._run_job(ref, gate))
            await _report_progress(list(tasks.values()))
        return [self._under_ref(ref, tasks[self._key(ref)].result()) for ref in refs]

    async def _run_job(self, ref: str, gate: asyncio.Semaphore) -> BatchItem[T]:
        async with gate:
            try:
                return BatchItem(ref, result=await self._job(ref))
            except ResearchError as error:
                return BatchItem(ref, error=error)

    def _under_ref(self, ref: str, done: BatchItem[T]) -> BatchItem[T]:
        """Return the result under the reference as this caller wrote it."""
        return BatchItem(ref, done.result, done.error)


async def _report_progress(tasks: Sequence["asyncio.Task[BatchItem[T]]"]) -> None:
    """Report progress after each paper."""
    tell, total = current_call.get().progress, len(tasks)
    await tell(f"0 of {total}", done=0, total=total)
    for count, finished in enumerate(asyncio.as_completed(tasks), 1):
        item = await finished
        state = "failed" if item.error else "done"
        await tell(f"{count} of {total}: {item.ref} {state}", done=count, total=total)


async def run_sequentially(
    refs: Sequence[str],
    job: Callable[[str], Awaitable[T]],
    pause: Callable[[], Awaitable[None]],
) -> AsyncIterator[tuple[str, T]]:
    """Run a job for each distinct paper, one after the other, with a pause in between."""
    done: dict[str, T] = {}
    for ref in refs:
        key = paper_key(ref)
        if key not in done:
            if done:
                await pause()
            done[key] = await job(ref)
        yield ref, done[key]


def paper_key(ref: str) -> str:
    """Return the same key for all spellings of a reference; an invalid one is its own key."""
    try:
        return str(parse_reference(ref))
    except InvalidInput:
        return ref
