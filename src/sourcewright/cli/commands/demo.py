"""`sourcewright demo`: four papers, through the real server, in the built-in world."""

import tempfile
from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import render
from sourcewright.cli.piping import PipeClient
from sourcewright.settings import Settings
from sourcewright.world.corpus import load
from sourcewright.world.internet import World

_CROSSREF = "api.crossref.org"


@click.command("demo")
def command() -> int:
    """Resolve four papers against the built-in world: no network, no keys.

    \b
    Example:
      sourcewright demo
    """
    with tempfile.TemporaryDirectory(prefix="sourcewright-demo-") as folder, World() as world:
        environment = Settings.environment_for_sandbox(world.url, folder)
        with PipeClient(environment) as client:
            render.line(f"The world answers at {world.url}; nothing leaves this machine.")
            render.line(f"The server offers {', '.join(client.tools())}.")
            told = [_tell(client, world, number, scene) for number, scene in enumerate(_scenes(), 1)]
    if all(told):
        render.line("\nAll four ended as they should.", bold=True, colour="green")
        return 0
    render.line("\nNot all of them ended as they should.", bold=True, colour="red")
    return 1
