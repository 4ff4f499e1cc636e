"""Runs a tool from the command line, through the same pipeline as the server."""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from sourcewright.cli import render
from sourcewright.domain.calls import Call, Progress, current_call
from sourcewright.domain.errors import NotConfigured
from sourcewright.settings import Settings
from sourcewright.tools._results import ToolResult

T = TypeVar("T")


def call(name: str, arguments: dict[str, Any]) -> ToolResult:
    """Call one tool and wait for its answer; waiting is told on a terminal's stderr.

    Raises:
        NotConfigured: The operator's toolsets do not have it.
    """
    return run(lambda application: ask(application, name, arguments, progress=tell))


async def ask(
    application: Any, name: str, arguments: dict[str, Any], *, progress: Progress | None = None
) -> ToolResult:
    """Call one tool of an application that is there already.

    Raises:
        NotConfigured: The operator's toolsets do not have it.
    """
    if name not in application.names():
        raise NotConfigured(f"{name} is not offered: TOOLSETS leaves its toolset out")
    result: ToolResult = await application.call(name, arguments, progress=progress)
    return result


def run(work: Callable[[Any], Awaitable[T]]) -> T:
    """Do something with the application that no tool does."""
    from sourcewright.wiring import build

    async def within() -> T:
        current_call.set(Call(progress=tell))
        async with build(Settings.from_environment()) as application:
            return await work(application)

    return asyncio.run(within())


async def tell(message: str, *, done: int | None = None, total: int | None = None) -> None:
    """Say what is being waited for, if somebody watches."""
    del done, total
    if sys.stderr.isatty():
        render.status(message)
