"""Prints an entry that a command has changed."""

from sourcewright.cli import render
from sourcewright.references.entries import Entry
from sourcewright.references.notice_text import notice_text


def show_changed(entry: Entry, rows: list[tuple[str, str]]) -> None:
    """Print the title, what was changed, and the notices about the paper."""
    render.item(entry.title, bold=True)
    render.fields([*rows, ("notices", notice_text(entry.holding.notices))])
