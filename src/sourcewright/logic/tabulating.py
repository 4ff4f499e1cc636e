"""Writes rows of text as a table in GitHub's Markdown."""

from collections.abc import Sequence

from sourcewright.logic.counting import counted

MAX_ROWS, MAX_COLUMNS = 2000, 60


def table_of(rows: Sequence[Sequence[str]]) -> str:
    """The first row is the head; short rows are filled, and what bounds a cell is escaped."""
    width = max((len(row) for row in rows), default=0)
    if width == 0:
        return ""
    lines = [_line(row, width) for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def bounded(rows: Sequence[Sequence[str]]) -> tuple[list[Sequence[str]], str | None]:
    """As many rows and columns as a reader can take in, and a word on what was left out."""
    columns = max((len(row) for row in rows), default=0)
    kept = [row[:MAX_COLUMNS] for row in rows[:MAX_ROWS]]
    return kept, left_out(len(rows) - len(kept), max(0, columns - MAX_COLUMNS))


def left_out(rows: int, columns: int, *, at_least: bool = False) -> str | None:
    """A note on what a table does not show; None when it shows everything."""
    missing = [
        counted(count, f"more {name}")
        for count, name in ((rows, "row"), (columns, "column"))
        if count
    ]
    bound = "at least " if at_least else ""
    return f"*{bound}{' and '.join(missing)} left out*" if missing else None


def _line(row: Sequence[str], width: int) -> str:
    cells = [" ".join(cell.replace("|", "\\|").split()) for cell in row]
    return "| " + " | ".join([*cells, *[""] * (width - len(cells))]) + " |"
