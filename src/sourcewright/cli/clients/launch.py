"""How an MCP client starts this installation: absolute path of the command, and arguments."""

import json
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

_COMMAND = "sourcewright"
_UV_CACHE = "archive-v"
"""Begins the name of the folder where uv keeps the environments of `uvx`, which it deletes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """What is known about the running process."""

    script: str
    """The program that was started, as in `sys.argv[0]`."""
    interpreter: str
    prefix: str
    """The folder of its environment."""
    uvx: str | None
    """The path of `uvx`, if it is installed."""
    origin: str | None = None
    """Where it was installed from, if not from the package index."""


def this_process() -> Process:
    """The facts about this process."""
    import shutil

    return Process(
        script=sys.argv[0],
        interpreter=sys.executable,
        prefix=sys.prefix,
        uvx=shutil.which("uvx"),
        origin=_origin(),
    )


def launch_command(process: Process) -> tuple[str, ...]:
    """The command, by its absolute path: clients start servers with another PATH than shells."""
    script = Path(process.script)
    if process.uvx and any(part.startswith(_UV_CACHE) for part in Path(process.prefix).parts):
        source = ("--from", process.origin) if process.origin else ()
        return (_absolute(process.uvx), *source, _COMMAND)
    if script.stem == _COMMAND and script.is_file():
        return (_absolute(script),)
    return (_absolute(process.interpreter), "-m", _COMMAND)


def _absolute(path: str | Path) -> str:
    """The absolute path; not resolved, because a link as that of pipx outlives an upgrade."""
    return str(Path(path).absolute())


def serve_arguments(
    command: Sequence[str], toolsets: Sequence[str], *, sandbox: bool = False
) -> list[str]:
    """The arguments after the command itself."""
    chosen = [word for toolset in toolsets for word in ("--toolset", toolset)]
    return [*command[1:], "serve", *(["--sandbox"] if sandbox else []), *chosen]


def _origin() -> str | None:
    """The URL or folder that this was installed from (PEP 610)."""
    from importlib.metadata import PackageNotFoundError, distribution

    try:
        text = distribution(_COMMAND).read_text("direct_url.json")
    except PackageNotFoundError:
        return None
    record = json.loads(text) if text else {}
    url = record.get("url")
    scheme = record.get("vcs_info", {}).get("vcs")
    return f"{scheme}+{url}" if scheme and url else url
