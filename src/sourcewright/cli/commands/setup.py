"""`sourcewright setup`: enter this server in the configuration of an MCP client."""

import sys
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from sourcewright.base.text.phrases import count_phrase
from sourcewright.cli import exit_codes, render
from sourcewright.cli.clients.catalogue import (
    CLIENTS,
    Client,
    config_file,
    marker,
    other_files,
)
from sourcewright.cli.clients.config_file import read_config, with_entry, write_config
from sourcewright.cli.clients.launch import launch_command, serve_arguments, this_process
from sourcewright.settings import TOOLSETS, Settings, SettingsError
from sourcewright.settings.process import environment_with, own_home
from sourcewright.settings.template import setting_names


@click.command("setup")
@click.argument(
    "client",
    metavar="[CLIENT]",
    required=False,
    type=click.Choice(list(CLIENTS), case_sensitive=False),
)
@click.option("--print", "only_print", is_flag=True, help="Print the entry, and change no file.")
@click.option(
    "--env", "variables", metavar="NAME=VALUE", multiple=True, help="A setting (can be repeated)."
)
@click.option(
    "--toolset",
    "toolsets",
    type=click.Choice(TOOLSETS),
    multiple=True,
    help="Enable only this toolset (can be repeated).",
)
@click.option(
    "--sandbox", is_flag=True, help="Let the server answer from the built-in simulated internet."
)
@click.option(
    "--name", default="sourcewright", show_default=True, help="The server's name in the client."
)
@click.option(
    "--file", type=click.Path(path_type=Path), help="The config file, if it is not the usual one."
)
def command(client: str | None, only_print: bool, file: Path | None, **entry: Any) -> int:
    """Connect an MCP client: add this server to its configuration.

    CLIENT is claude-desktop, claude-code, cursor, vscode, zed, codex, gemini, windsurf, cline,
    lm-studio, opencode, jetbrains or continue. Without it, the clients that are installed here
    are listed.

    The command is entered by its absolute path. What else is in the file, with its comments,
    stays as it is, and a copy of the old file is kept beside it.

    \b
    Example:
      sourcewright setup
      sourcewright setup claude-desktop
      sourcewright setup cursor --toolset papers --toolset trust
      sourcewright setup codex --print
      sourcewright setup vscode --file .vscode/mcp.json
    """
    if client is None:
        return _list_clients()
    chosen = CLIENTS[client]
    written = _entry(chosen, entry["variables"], entry["toolsets"], sandbox=entry["sandbox"])
    path = (file or _usual_file(chosen)).absolute()
    if only_print:
        render.status(f"{chosen.title} reads {path}")
        render.document(with_entry(chosen, "", entry["name"], written))
        return exit_codes.DONE
    return _write(chosen, path, entry["name"], written)


def _list_clients() -> int:
    """Print the clients that are installed, and the names of the others; returns the exit code."""
    place = (sys.platform, own_home(), environment_with({}))
    installed = {name: one for name, one in CLIENTS.items() if marker(one, *place).exists()}
    rows = [(name, one.title, str(_usual_file(one))) for name, one in installed.items()]
    render.table(("client", "name", "file"), rows)
    if rows:
        render.line()
    others = ", ".join(name for name in CLIENTS if name not in installed)
    count = (
        f"{count_phrase(len(rows), 'client')} found here; " if rows else "no client found here; "
    )
    render.item(f"{count}`sourcewright setup CLIENT` connects one")
    render.item(f"also known: {others}")
    return exit_codes.DONE


def _entry(
    client: Client, variables: Sequence[str], toolsets: Sequence[str], *, sandbox: bool
) -> dict[str, Any]:
    """What the client's file says about the server."""
    started = launch_command(this_process())
    env = _environment(variables)
    arguments = serve_arguments(started, toolsets, sandbox=sandbox)
    kind = {"type": client.type} if client.type else {}
    if client.form == "opencode":
        words = {"command": [started[0], *arguments], "enabled": True}
        return {**kind, **words, **({"environment": env} if env else {})}
    return {**kind, "command": started[0], "args": arguments, **({"env": env} if env else {})}


def _environment(variables: Sequence[str]) -> dict[str, str]:
    """The settings that are given as NAME=VALUE, if the server would start with them."""
    env: dict[str, str] = {}
    for variable in variables:
        name, equals, value = variable.partition("=")
        if not name or not equals:
            raise click.BadParameter(f"{variable!r} is not NAME=VALUE", param_hint="--env")
        env[name] = value
    if unknown := sorted(set(env) - setting_names()):
        raise click.BadParameter(
            f"there is no setting {', '.join(unknown)}; `sourcewright config show --all` lists them",
            param_hint="--env",
        )
    settings = Settings.from_environment(overrides=env)
    if wrong := [one for one in settings.address_problems if one.setting in env]:
        raise SettingsError(wrong)
    return env


def _usual_file(client: Client) -> Path:
    place = (sys.platform, own_home(), environment_with({}))
    usual = config_file(client, *place)
    existing = (path for path in (usual, *other_files(client, *place)) if path.exists())
    return next(existing, usual)


def _write(client: Client, path: Path, name: str, entry: Mapping[str, Any]) -> int:
    """Change the file and print what was done; returns the exit code."""
    # A link, as those of dotfile managers, stays; the file behind it is changed.
    real = path.resolve()
    try:
        old = read_config(real)
        new = with_entry(client, old or "", name, entry)
        backup = None if new == old else write_config(real, new, now=datetime.now(UTC))
    except (OSError, ValueError) as error:
        return _refuse(client, path, error)
    if new == old:
        render.item(f"{client.title} is set up already: {path}")
        return exit_codes.DONE
    render.item(f"{'changed' if old is not None else 'created'} {path}")
    if backup:
        render.item(f"back-up {backup}")
    render.item(f"{client.next_step}.")
    return exit_codes.DONE


def _refuse(client: Client, path: Path, error: OSError | ValueError) -> int:
    """Print why nothing was changed; returns the exit code."""
    reason = error.strerror if isinstance(error, OSError) else str(error)
    if isinstance(error, UnicodeDecodeError):
        reason = "it is not UTF-8"
    name = next(name for name, one in CLIENTS.items() if one is client)
    advice = f"correct the file, or add what `sourcewright setup {name} --print` prints"
    render.problem("CONFIG", f"{path} was not changed: {reason}", [("help", advice)])
    return exit_codes.NOT_WRITTEN
