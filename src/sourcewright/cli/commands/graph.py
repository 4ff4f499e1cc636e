"""`sourcewright graph`: list the works that a paper cites, some levels deep."""

from collections.abc import Mapping
from typing import Any

import click

from sourcewright.cli import notices, options, render, tool_calls


@click.command("graph")
@click.argument("ref")
@click.option(
    "--depth",
    type=int,
    default=1,
    show_default=True,
    help="Maximum number of citation steps from the paper.",
)
@click.option(
    "--total", type=int, default=100, show_default=True, help="Maximum number of works in total."
)
@click.option(
    "--per-paper",
    type=int,
    default=20,
    show_default=True,
    help="Maximum number of references per work.",
)
@options.as_json
def command(ref: str, depth: int, total: int, per_paper: int, as_json: bool) -> int:
    """Show what a paper cites, and what of it is in the library.

    \b
    Example:
      sourcewright graph 10.1371/journal.pone.0033693 --depth 2
    """
    arguments = {"ref": ref, "depth": depth, "total": total, "per_paper": per_paper}
    result = tool_calls.call("doiget_expand_citation_graph", arguments).structured
    if as_json:
        render.data(result)
        return render.exit_code(result)
    if not result["ok"]:
        return render.failure(result)
    rows = [
        (
            node["depth"],
            node["year"] or "",
            node["doi"] or node["id"],
            node["title"] or "",
            _library_status(node),
        )
        for node in result["nodes"]
    ]
    render.table(("depth", "year", "id", "title", "in library"), rows)
    if note := result.get("note"):
        render.status(note)
    if result["truncated"]:
        render.status(f"truncated by: {', '.join(result['truncated_by'])}")
    return 0


def _library_status(node: Mapping[str, Any]) -> str:
    """Whether the library has a work, and its stored retraction status."""
    if not node["in_library"]:
        return ""
    return "; ".join(filter(None, ("yes", notices.status_label(node["integrity"]))))
