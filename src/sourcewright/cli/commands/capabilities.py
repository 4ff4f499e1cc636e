"""`sourcewright capabilities`: list which sources can be used."""

import click

from sourcewright.cli import options, render, tool_calls


@click.command("capabilities")
@options.as_json
def command(as_json: bool) -> int:
    """List the paper sources, and what the unusable ones need.

    \b
    Example:
      sourcewright capabilities
    """
    result = tool_calls.call("doiget_capability_profile", {}).structured
    if as_json:
        render.data(result)
    else:
        rows = [
            (
                one["name"],
                one["title"],
                "yes" if one["usable"] else "no",
                one["advice"] or "",
            )
            for one in result["sources"]
        ]
        render.table(("source", "title", "usable", "how to enable it"), rows)
    return render.exit_code(result)
