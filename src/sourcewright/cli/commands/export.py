"""`sourcewright export`: write a research session to files, or to standard output."""

from typing import Any

import click

from sourcewright.cli import sessions


@click.command("export")
@click.argument("session")
@sessions.export_options
def command(session: str, **chosen: Any) -> int:
    """Export a research session as a report.

    SESSION is its id, or the beginning of it; `sourcewright sessions list` shows them.
    Without an option the report is printed as Markdown; several files can be written at once.

    \b
    Example:
      sourcewright export 3f0c --html report.html
      sourcewright export 3f0c --markdown report.md --json session.json --verify-links
    """
    return sessions.export(session, **chosen)
