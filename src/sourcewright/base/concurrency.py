"""Concurrency: awaits several coroutines at once, and raises the first error itself."""

import asyncio
from collections.abc import Coroutine, Sequence
from typing import Any, TypeVar

T = TypeVar("T")
U = TypeVar("U")


async def run_concurrently(asking: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Await all concurrently; the first error cancels the others and is raised itself."""
    if len(asking) == 1:
        return [await asking[0]]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in asking]
    except BaseExceptionGroup as group_error:
        raise group_error.exceptions[0] from None
    return [task.result() for task in tasks]


async def run_both(first: Coroutine[Any, Any, T], second: Coroutine[Any, Any, U]) -> tuple[T, U]:
    """Run `run_concurrently` for two coroutines of different types."""
    answers: list[Any] = await run_concurrently([first, second])
    return answers[0], answers[1]
