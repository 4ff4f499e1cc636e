"""`sourcewright world`: serve the simulated internet on a loopback port."""

import threading

import click

from sourcewright.cli import render
from sourcewright.world.corpus import load
from sourcewright.world.internet import World


@click.command("world")
@click.option("--port", type=click.IntRange(0, 65535), default=0, help="0 takes any free port.")
def command(port: int) -> None:
    """Serve the built-in world until interrupted.

    \b
    Example:
      sourcewright world --port 8099 &
      SOURCEWRIGHT_SANDBOX_URL=http://127.0.0.1:8099 sourcewright resolve 10.5555/fine-paper
    """
    try:
        with World(port) as world:
            _introduce(world.url)
            threading.Event().wait()
    except OSError as error:
        raise click.ClickException(f"port {port} cannot be opened: {error.strerror}") from error
    except KeyboardInterrupt:
        render.line("stopped")


def _introduce(url: str) -> None:
    render.line(f"the world answers at {url}", bold=True)
    render.line(f"point a server at it with SOURCEWRIGHT_SANDBOX_URL={url}")
    render.line("things to ask for:")
    render.fields((ref, f"{label}: {expected}") for label, ref, expected in load().highlights())
    render.flush()
