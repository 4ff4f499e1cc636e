"""`sourcewright lenses`: list the lenses, named sets of hosts that restrict a search."""

import json
from typing import Any

import click

from sourcewright.cli import options, render, tool_calls


@click.command("lenses")
@options.as_json
def command(as_json: bool) -> int:
    """List the lenses for `search --lens`.

    \b
    Example:
      sourcewright lenses
    """
    catalog = tool_calls.run_with_application(_catalog)
    if as_json:
        render.data(catalog)
        return 0
    rows = [(one["name"], one["domainCount"], one["description"]) for one in catalog["lenses"]]
    render.table(("lens", "hosts", "description"), rows)
    return 0


async def _catalog(application: Any) -> dict[str, Any]:
    _, text = await application.views().read("lenses://catalog")
    catalog: dict[str, Any] = json.loads(text)
    return catalog
