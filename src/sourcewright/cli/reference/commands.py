"""The page about the command line, from the commands' own help."""

from collections.abc import Iterator

import click

from sourcewright.cli.main import sourcewright
from sourcewright.cli.reference.markdown import page
from sourcewright.cli.render import EXIT_CODES, RESEARCH_EXIT_CODES

_LEAD = """\
Every command explains itself with `--help`; this is what they say.
`--json` prints the structured result; without it the output is for people."""

_OF_RESEARCH = "What is written in small letters is the kind of a research tool's error."
_WIDTH = 90


def commands_page() -> str:
    parts = [
        f"## `{' '.join(path)}`\n\n```text\n{text}\n```" for path, text in _helps(sourcewright, ())
    ]
    known = (*EXIT_CODES.items(), *RESEARCH_EXIT_CODES.items())
    codes = sorted((value, name) for name, value in known)
    rows = "\n".join(f"- {value}: `{name}`" for value, name in codes)
    ends = f"## Exit codes\n\n0 is success; a usage error is 2. {_OF_RESEARCH}\n\n{rows}"
    return page("Commands", _LEAD, *parts, ends)


def _helps(
    command: click.Command, path: tuple[str, ...], parent: click.Context | None = None
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Each command below this one, with its help. Tools have a page of their own."""
    name = command.name or ""
    context = click.Context(command, parent, info_name=name, terminal_width=_WIDTH)
    text = command.get_help(context)
    if name == "tool":
        # Its commands come from the manifest, which is written in the same run as this page.
        text = text.partition("\nCommands:")[0]
    yield (*path, name), text.rstrip()
    if isinstance(command, click.Group) and name != "tool":
        for verb in command.list_commands(context):
            below = command.get_command(context, verb)
            if below is not None:
                yield from _helps(below, (*path, name), context)
