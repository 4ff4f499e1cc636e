"""Builds the reference page of the command line from the commands' help."""

from collections.abc import Iterator

import click

from sourcewright.cli.main import sourcewright
from sourcewright.cli.reference.markdown import page

_LEAD = """\
This page contains the `--help` text of every command.
`--json` prints the structured result; without it the output is for people, and may change.

`--json` prints one JSON value, indented by two spaces.
`archive`, `batch` and `download` report each page or paper as soon as it is done, so they print JSON Lines instead: one object per line, also for a single one.
An error has the field `error`, also where there is no result at all; only a command line that cannot be understood is answered in text alone.

The [exit code](exit-codes.md) says how a command ended.
Output on a terminal is coloured, unless `NO_COLOR` is set, `CLICOLOR` is 0 or `TERM` is `dumb`; `FORCE_COLOR` also colours output in a pipe."""

_WIDTH = 90


def commands_page() -> str:
    parts = [
        f"## `{' '.join(path)}`\n\n```text\n{text}\n```" for path, text in _helps(sourcewright, ())
    ]
    return page("Commands", _LEAD, *parts)


def _helps(
    command: click.Command, path: tuple[str, ...], parent: click.Context | None = None
) -> Iterator[tuple[tuple[str, ...], str]]:
    """The help of a command and of its subcommands. Tools have their own page."""
    name = command.name or ""
    settings = {**command.context_settings, "terminal_width": _WIDTH}
    context = click.Context(command, parent, info_name=name, **settings)
    # Click keeps the option that it made for the first context, which may have had other names.
    command._help_option = None  # noqa: SLF001 -- there is no public way
    text = command.get_help(context)
    if name == "tool":
        # Its subcommands come from the manifest, which is generated in the same run.
        text = text.partition("\nCommands:")[0]
    yield (*path, name), text.rstrip()
    if isinstance(command, click.Group) and name != "tool":
        for verb in command.list_commands(context):
            below = command.get_command(context, verb)
            if below is not None:
                yield from _helps(below, (*path, name), context)
