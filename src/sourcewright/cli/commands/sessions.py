"""`sourcewright sessions`: list, show, export and delete research sessions."""

from typing import Any

import click

from sourcewright.cli import options, render
from sourcewright.cli import sessions as shared
from sourcewright.services.sessions.summaries import one_line


@click.group("sessions")
def command() -> None:
    """List, show, export and delete your research sessions.

    \b
    Example:
      sourcewright sessions list
      sourcewright sessions show 3f0c
    """


@command.command("list")
@options.as_json
def list_sessions(as_json: bool) -> int:
    """List the sessions, most recently used first.

    \b
    Example:
      sourcewright sessions list
    """
    listed = shared.listings()
    if as_json:
        render.data({"sessions": [shared.listing_fields(one) for one in listed]})
        return 0
    rows = [
        (
            shared.short_id(one.id),
            one_line(one.goal, 200) if one.readable else "(encrypted with another key)",
            one.step_count,
            one.source_count,
            shared.minutes(one.used_at) + (", complete" if one.completed_at else ""),
        )
        for one in listed
    ]
    if rows:
        render.table(("session", "goal", "steps", "sources", "last used"), rows)
    else:
        render.item("there are no research sessions; the tool sequential_search starts one")
        if lost := shared.damage():
            render.item(lost, colour="yellow")
    return 0


@command.command("show")
@click.argument("session")
@click.option("--step", type=int, default=None, help="One step in full.")
@options.as_json
def show(session: str, step: int | None, as_json: bool) -> int:
    """Show a session: its goal, its steps and its open questions.

    \b
    Example:
      sourcewright sessions show 3f0c --step 1
    """
    return shared.show(session, step, as_json=as_json)


@command.command("export")
@click.argument("session")
@shared.export_options
def export(session: str, **chosen: Any) -> int:
    """Export a session; the same as `sourcewright export`.

    \b
    Example:
      sourcewright sessions export 3f0c --html report.html
    """
    return shared.export(session, **chosen)


@command.command("delete")
@click.argument("session")
@click.option("--yes", is_flag=True, help="Do not ask for confirmation.")
@options.as_json
def delete(session: str, yes: bool, as_json: bool) -> int:
    """Delete a session permanently.

    \b
    Example:
      sourcewright sessions delete 3f0c --yes
    """
    return shared.delete(session, confirmed=yes, as_json=as_json)
