"""Shell completion for bash, zsh and fish: the script of each shell, and where it is installed."""

import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

import click
from click.shell_completion import get_completion_class

COMMAND = "sourcewright"
_VARIABLE = "_SOURCEWRIGHT_COMPLETE"
_NEEDS_COMPDEF = (
    "(( $+functions[compdef] )) || { autoload -Uz compinit && compinit }\n"  # without it zsh fails
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Shell:
    """Where a shell looks for completion."""

    file: str
    """The script, below the folder of the user's data or, for fish, of the user's settings."""
    start_file: str | None = None
    """The file below the home folder that has to read the script; None if the shell does it."""


SHELLS: Mapping[str, Shell] = MappingProxyType(
    {
        "bash": Shell(file="sourcewright/completion.bash", start_file=".bashrc"),
        "zsh": Shell(file="sourcewright/completion.zsh", start_file=".zshrc"),
        "fish": Shell(file="fish/completions/sourcewright.fish"),
    }
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """The folders and files of one user that completion is installed in."""

    script: Path
    start_file: Path | None


def completion_script(shell: str, root: click.Command) -> str:
    """The script that a shell reads; it asks the command itself, so it is never out of date."""
    known = get_completion_class(shell)
    if known is None:
        raise click.ClickException(f"there is no completion for {shell}")
    script: str = known(root, {}, COMMAND, _VARIABLE).source_template % {
        "complete_func": f"_{COMMAND}_completion",
        "complete_var": _VARIABLE,
        "prog_name": COMMAND,
    }
    body = script.lstrip("\n")
    if shell != "zsh":
        return body
    head, _, rest = body.partition("\n")
    return f"{head}\n\n{_NEEDS_COMPDEF}{rest}"


def places_for(shell: str, home: Path, environment: Mapping[str, str]) -> Places:
    """Where the completion of a shell is installed."""
    about = SHELLS[shell]
    variable, usual = ("XDG_DATA_HOME", ".local/share")
    if about.start_file is None:
        variable, usual = ("XDG_CONFIG_HOME", ".config")
    folder = Path(environment.get(variable, ""))
    folder = folder if folder.is_absolute() else home / usual
    if about.start_file is None:
        return Places(script=folder / about.file, start_file=None)
    start = Path(environment.get("ZDOTDIR") or home) if shell == "zsh" else home
    return Places(script=folder / about.file, start_file=start / about.start_file)


def install(places: Places, script: str) -> bool:
    """Write the script, and one line into the start file; returns whether anything changed.

    Raises:
        OSError: Something cannot be written.
    """
    changed = _text_of(places.script) != script
    if changed:
        places.script.parent.mkdir(parents=True, exist_ok=True)
        places.script.write_text(script, encoding="utf-8")
    if places.start_file is None:
        return changed
    script_path = shlex.quote(str(places.script))
    line = f"[ -r {script_path} ] && . {script_path}  # completion of sourcewright"
    text = _text_of(places.start_file) or ""
    if line in text.splitlines():
        return changed
    gap = "" if not text or text.endswith("\n") else "\n"
    with places.start_file.open("a", encoding="utf-8") as file:
        file.write(f"{gap}{line}\n")
    return True


def _text_of(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return None
