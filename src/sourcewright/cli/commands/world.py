"""`sourcewright world`: serve the simulated internet on a loopback port."""

import threading

import click

from sourcewright.cli import render
from sourcewright.world.corpus import load
from sourcewright.world.internet import World


@click.command("world")
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=0,
    help="Port to listen on; 0 chooses a free port.",
)
def command(port: int) -> None:
    """Run the built-in simulated internet until interrupted.

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
    render.line(f"the simulated internet is running at {url}", bold=True)
    render.line(f"to use it, start a server with SOURCEWRIGHT_SANDBOX_URL={url}")
    render.line("identifiers to try:")
    render.fields((ref, f"{label}: {expected}") for label, ref, expected in load().highlights())
    render.flush()
