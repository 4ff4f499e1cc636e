"""`sourcewright completion`: print or install the completion of a shell."""

import click

from sourcewright.base.errors import StoreError
from sourcewright.cli import render
from sourcewright.cli.shell.completion import SHELLS, completion_script, install, places_for
from sourcewright.settings.process import environment_with, own_home


@click.command("completion")
@click.argument("shell", metavar="SHELL", type=click.Choice(list(SHELLS)))
@click.option("--install", "installs", is_flag=True, help="Install it for your user.")
@click.pass_context
def command(context: click.Context, shell: str, installs: bool) -> None:
    """Print the completion script of a shell, or install it.

    SHELL is bash, zsh or fish. The Tab key then completes commands, tools, options and their
    values.

    \b
    Example:
      sourcewright completion bash --install
      sourcewright completion zsh > _sourcewright
    """
    script = completion_script(shell, context.find_root().command)
    if not installs:
        render.document(script)
        return
    places = places_for(shell, own_home(), environment_with({}))
    try:
        changed = install(places, script)
    except OSError as error:
        reason = f"{error.filename} cannot be written: {error.strerror}"
        raise StoreError(reason) from error
    if not changed:
        render.item(f"completion for {shell} is installed already: {places.script}")
        return
    render.item(f"wrote {places.script}")
    if places.start_file:
        render.item(f"added a line to {places.start_file} that reads it")
    render.item(f"Start a new {shell} to use it.")
