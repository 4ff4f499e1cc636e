"""`sourcewright serve`: only its help; `__main__` runs the server without importing click."""

import click


@click.command("serve")
@click.option("--sandbox", is_flag=True, help="Answer from the built-in world, without network.")
@click.option("--toolset", multiple=True, help="Offer only this toolset (may be repeated).")
def command(sandbox: bool, toolset: tuple[str, ...]) -> None:
    """Speak MCP on stdin and stdout.

    An MCP client starts it by itself; in its configuration that is
    {"mcpServers": {"sourcewright": {"command": "sourcewright", "args": ["serve"]}}}

    \b
    Example:
      sourcewright serve --toolset papers --toolset web
      sourcewright serve --sandbox
    """
