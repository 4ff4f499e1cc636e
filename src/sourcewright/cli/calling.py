"""Running a tool from the command line: the same pipeline as the server's."""

import asyncio
import sys
from typing import Any

from sourcewright.cli import render
from sourcewright.settings import Settings
from sourcewright.tools._base import ToolResult


def call(name: str, arguments: dict[str, Any]) -> ToolResult:
    """Call one tool and wait for its answer; waiting is told on a terminal's stderr."""
    from sourcewright.wiring import build

    async def run() -> ToolResult:
        async with build(Settings.from_environment()) as application:
            return await application.call(name, arguments, progress=_tell)

    return asyncio.run(run())


async def _tell(message: str) -> None:
    if sys.stderr.isatty():
        render.status(message)
