"""`sourcewright serve`: only its help; `__main__` runs the server without importing click."""

import click


@click.command("serve")
@click.option(
    "--sandbox", is_flag=True, help="Use the built-in simulated internet instead of the network."
)
@click.option("--toolset", multiple=True, help="Enable only this toolset (can be repeated).")
@click.option(
    "--http", metavar="[HOST:]PORT", help="Serve HTTP at /mcp instead of stdin and stdout."
)
@click.option("--allow-anonymous", is_flag=True, help="Serve a public address without sign-in.")
@click.option("--typed-schemas", is_flag=True, help="List the types of answers on all levels.")
def command(
    sandbox: bool,
    toolset: tuple[str, ...],
    http: str | None,
    allow_anonymous: bool,
    typed_schemas: bool,
) -> None:
    """Run the MCP server on stdin and stdout, or over HTTP.

    MCP clients start it themselves, with a configuration such as
    {"mcpServers": {"sourcewright": {"command": "sourcewright", "args": ["serve"]}}}

    \b
    Example:
      sourcewright serve --toolset papers --toolset web
      sourcewright serve --sandbox
      sourcewright serve --http 8080
    """
