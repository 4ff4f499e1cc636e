"""Runs a tool from the command line, through the same pipeline as the server."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from sourcewright.base.calls import CallContext, Progress, current_call
from sourcewright.base.errors import NotConfigured
from sourcewright.base.event_loop import run_event_loop
from sourcewright.cli import render
from sourcewright.settings import Settings
from sourcewright.tools._results import ToolResult

T = TypeVar("T")


def call(name: str, arguments: dict[str, Any]) -> ToolResult:
    """Call one tool in a new application; progress is shown on stderr if that is a terminal.

    Raises:
        NotConfigured: Its toolset is not enabled, or no source that it needs is configured.
    """
    return run_with_application(
        lambda application: call_tool(application, name, arguments, progress=show_progress)
    )


async def call_tool(
    application: Any, name: str, arguments: dict[str, Any], *, progress: Progress | None = None
) -> ToolResult:
    """Call one tool of a running application.

    Raises:
        NotConfigured: Its toolset is not enabled, or no source that it needs is configured.
    """
    if name not in application.names():
        raise NotConfigured(f"{name} is not available: {application.reason_not_listed(name)}")
    result: ToolResult = await application.call(name, arguments, progress=progress)
    return result


def run_with_application(work: Callable[[Any], Awaitable[T]], *, links: bool = True) -> T:
    """Run a coroutine with a new application; without links, large answers come whole."""
    from sourcewright.wiring import build

    async def within() -> T:
        current_call.set(CallContext(progress=show_progress))
        settings = Settings.from_environment()
        async with build(settings if links else settings.without_links()) as application:
            answer = await work(application)
            # Built on first use: a command that asks nobody sends no address either.
            network = vars(application.services.parts).get("network")
            if network and any(one.calls for one in network.source_usage().values()):
                for problem in settings.address_problems:
                    render.status(f"{problem}; it was sent to no source")
            return answer

    return run_event_loop(within())


async def show_progress(
    message: str, *, done: int | None = None, total: int | None = None
) -> None:
    """Show a progress message on stderr if it is a terminal."""
    del done, total
    if sys.stderr.isatty():
        render.status(message)
