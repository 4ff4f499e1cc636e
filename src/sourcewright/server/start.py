"""`sourcewright serve`: read the arguments and the settings, then converse."""

import sys
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

from sourcewright import manifest
from sourcewright.server.backend import Backend
from sourcewright.server.bell import leave_on_signals
from sourcewright.server.front import Limits, converse
from sourcewright.server.lanes import AT_ONCE
from sourcewright.settings import TOOLSETS, Settings, SettingsError
from sourcewright.settings.declared import EMAIL_NEEDED, EMAIL_SETUP
from sourcewright.settings.layers import is_set
from sourcewright.settings.process import sandbox_overrides


def serve_from(arguments: Sequence[str]) -> int | None:
    """Serve as asked; None when the arguments need explaining, which is the command line's job."""
    asked = _read(arguments)
    if asked is None:
        return None
    sandbox, toolsets = asked
    if not all(is_set(toolset) for toolset in toolsets):
        return _refuse(f"--toolset names nothing; it takes one of {_offering_something()}")
    leave_on_signals()
    overrides: dict[str, object] = {"TOOLSETS": ",".join(toolsets)} if toolsets else {}
    with ExitStack() as stack:
        folder = None
        if sandbox:
            folder, invented = _sandbox(stack)
            overrides |= invented
        try:
            settings = Settings.from_environment(overrides=overrides, cwd=folder)
        except SettingsError as error:
            return _refuse(*map(str, error.problems))
        if not manifest.names(settings.toolsets):
            named = ", ".join(settings.toolsets)
            return _refuse(f"no tool is in {named}; toolsets with tools: {_offering_something()}")
        if settings.toolsets == ("downloads",) and settings.download_problem:
            # Nothing that this server would offer could work.
            told = (settings.download_problem, EMAIL_SETUP, f"In other words: {EMAIL_NEEDED}")
            return _refuse("\n".join(told))
        # As many pages as the operator lets be read at once can also be asked for at once.
        limits = Limits(at_once=max(AT_ONCE, settings.scrape_concurrency))
        return converse(manifest.offered(settings.toolsets), lambda: _backend(settings), limits)


def _refuse(*problems: str) -> int:
    """Say why the server does not start; gives the exit code."""
    sys.stderr.writelines(f"sourcewright: {problem}\n" for problem in problems)
    return 2


def _offering_something() -> str:
    return ", ".join(toolset for toolset in TOOLSETS if manifest.names([toolset]))


def _read(arguments: Sequence[str]) -> tuple[bool, list[str]] | None:
    """Whether a sandbox is wanted, and which toolsets; None for anything else."""
    sandbox, toolsets = False, list[str]()
    words = iter(arguments)
    for word in words:
        name, given, value = word.partition("=")
        if word == "--sandbox":
            sandbox = True
        elif name == "--toolset":
            toolset = value if given else next(words, None)
            if toolset is None:
                return None
            toolsets.append(toolset)
        else:
            return None
    return sandbox, toolsets


def _sandbox(stack: ExitStack) -> tuple[Path, dict[str, object]]:
    """A folder that goes when we go, and the settings of a world of our own in it."""
    from tempfile import TemporaryDirectory

    from sourcewright.world.internet import World

    folder = stack.enter_context(TemporaryDirectory(prefix="sourcewright-sandbox-"))
    world = stack.enter_context(World())
    sys.stderr.write(f"sourcewright: every answer is invented; the world is at {world.url}\n")
    return Path(folder), dict(sandbox_overrides(world.url, folder))


def _backend(settings: Settings) -> Backend:
    from sourcewright.wiring import build

    return build(settings)
