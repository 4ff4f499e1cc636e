"""`sourcewright analytics`: show which tools were called on a user's behalf."""

import click

from sourcewright.cli import exit_codes, options, render, tool_calls
from sourcewright.cli.users import refused


@click.command("analytics")
@options.as_json
def command(as_json: bool) -> int:
    """Show which tools you used, and how often.

    Needs USER_ANALYTICS_ENABLED=true and your name in STDIO_USER_ID.

    \b
    Example:
      sourcewright analytics
    """
    structured = tool_calls.call("get_my_analytics", {}).structured
    code = refused(structured, as_json=as_json)
    if code is not None:
        return code
    if "analytics" not in structured:
        render.item(structured["reason"])
        return exit_codes.DONE
    usage = structured["analytics"]
    render.fields(
        [
            ("calls", str(usage["totalCalls"])),
            ("first", usage["firstSeen"]),
            ("last", usage["lastSeen"]),
        ]
    )
    counts = sorted(usage["toolCounts"].items(), key=lambda one: (-one[1], one[0]))
    render.table(("tool", "calls"), counts)
    return exit_codes.DONE
