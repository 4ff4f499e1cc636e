"""`sourcewright serve`: reads arguments and settings, then runs the MCP server."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from sourcewright import manifest
from sourcewright.server.backend import Backend, Offer
from sourcewright.server.bell import leave_on_signals
from sourcewright.server.front import Limits, serve_stdio
from sourcewright.server.lanes import MAX_CONCURRENT
from sourcewright.settings import TOOLSETS, Settings, SettingsError
from sourcewright.settings.declared import EMAIL_NEEDED, EMAIL_SETUP
from sourcewright.settings.layers import is_set
from sourcewright.settings.process import sandbox_overrides


def serve_from(arguments: Sequence[str]) -> int | None:
    """Serve and return the exit code; None for arguments that the full parser must handle."""
    options = _parse(arguments)
    if options is None:
        return None
    sandbox, toolsets = options
    if not all(is_set(toolset) for toolset in toolsets):
        return _refuse(f"--toolset is empty; use one of {_toolsets_with_tools()}")
    leave_on_signals()
    overrides: dict[str, object] = {"TOOLSETS": ",".join(toolsets)} if toolsets else {}
    with ExitStack() as stack:
        folder = None
        if sandbox:
            folder, sandbox_settings = _sandbox(stack)
            overrides |= sandbox_settings
        try:
            settings = Settings.from_environment(overrides=overrides, cwd=folder)
        except SettingsError as error:
            return _refuse(*map(str, error.problems))
        if not manifest.names(settings.toolsets, settings.unusable_providers):
            toolset_names = ", ".join(settings.toolsets)
            return _refuse(
                f"no tool is in {toolset_names}; toolsets with tools: {_toolsets_with_tools()}"
            )
        if settings.toolsets == ("downloads",) and settings.download_problem:
            # No tool of this server could work.
            lines = (settings.download_problem, EMAIL_SETUP, f"To fix it, {EMAIL_NEEDED}")
            return _refuse("\n".join(lines))
        # Allow as many concurrent requests as pages may be read concurrently.
        limits = Limits(at_once=max(MAX_CONCURRENT, settings.scrape_concurrency))
        offer = Offer(
            tools=manifest.offered(settings.toolsets, settings.unusable_providers),
            prompts=manifest.prompts(settings.toolsets, settings.unusable_providers),
        )
        return serve_stdio(offer, lambda: _backend(settings), limits)


def _refuse(*problems: str) -> int:
    """Print why the server does not start; return the exit code."""
    sys.stderr.writelines(f"sourcewright: {problem}\n" for problem in problems)
    return 2


def _toolsets_with_tools() -> str:
    return ", ".join(toolset for toolset in TOOLSETS if manifest.names([toolset]))


def _parse(arguments: Sequence[str]) -> tuple[bool, list[str]] | None:
    """Parse `--sandbox` and `--toolset`; None if there is any other argument."""
    sandbox, toolsets = False, list[str]()
    words = iter(arguments)
    for word in words:
        name, has_value, value = word.partition("=")
        if word == "--sandbox":
            sandbox = True
        elif name == "--toolset":
            toolset = value if has_value else next(words, None)
            if toolset is None:
                return None
            toolsets.append(toolset)
        else:
            return None
    return sandbox, toolsets


def _sandbox(stack: ExitStack) -> tuple[Path, dict[str, object]]:
    """Start the simulated internet; return a temporary folder and the settings for it."""
    from tempfile import TemporaryDirectory

    from sourcewright.world.internet import World

    folder = stack.enter_context(TemporaryDirectory(prefix="sourcewright-sandbox-"))
    world = stack.enter_context(World())
    sys.stderr.write(
        f"sourcewright: sandbox mode: every response is simulated; the simulated internet is at {world.url}\n"
    )
    return Path(folder), dict(sandbox_overrides(world.url, folder))


def _backend(settings: Settings) -> Backend:
    from sourcewright.wiring import build

    return build(settings)
