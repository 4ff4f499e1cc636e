"""Writes Markdown: fact lists, code fences, nested comments.

Writes rows of text as a table in GitHub's Markdown.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sourcewright.logic.text.phrases import counted
from sourcewright.logic.text.plain import plain_text, shown

DEEPEST = 8
"""Deeper comments are not set in any further, but say how deep they are."""
_LONGEST_REMARK = 20_000
_TICKS = re.compile(r"`{3,}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Remark:
    """What somebody said under something."""

    text: str
    """Markdown."""
    author: str | None = None
    when: str | None = None
    depth: int = 0
    about: str | None = None
    """What else is worth saying in its heading, such as its points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remarks:
    """Remarks as Markdown, as far as limits allow."""

    text: str
    count: int
    cut: bool


def facts(**told: object) -> str:
    """One line for each that is known; underscores in names stand for blanks."""
    known = ((name.replace("_", " "), value) for name, value in told.items())
    lines = [
        f"- {name}: {plain_text(str(value))}" for name, value in known if value not in (None, "")
    ]
    return "\n".join(lines)


def joined(*blocks: str | None) -> str:
    """Those that say something, a blank line apart."""
    return "\n\n".join(block.strip("\n") for block in blocks if block and block.strip())


def fenced(text: str, language: str = "") -> str:
    """Code, in a fence that nothing inside can close."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def clipped(text: str, most: int) -> tuple[str, bool]:
    """So many characters of a text at most, and whether some are missing."""
    return (text, False) if len(text) <= most else (text[:most].rstrip(), True)


def conversation(remarks: Iterable[Remark], *, most: int, characters: int) -> Remarks:
    """Remarks in their order, each set in as deep as it stands, until a limit ends them."""
    written: list[str] = []
    size, cut = 0, False
    for remark in remarks:
        text, short = clipped(remark.text, _LONGEST_REMARK)
        block = _set_in(remark, text)
        size += len(block)
        if len(written) >= most or size > characters:
            return Remarks(text="\n\n".join(written), count=len(written), cut=True)
        written.append(block)
        cut = cut or short
    return Remarks(text="\n\n".join(written), count=len(written), cut=cut)


def _set_in(remark: Remark, text: str) -> str:
    deep = f"depth {remark.depth}" if remark.depth > DEEPEST else None
    heading = ", ".join(
        filter(None, (f"**{remark.author or 'somebody'}**", remark.when, remark.about, deep))
    )
    margin = "  " * min(remark.depth, DEEPEST)
    lines = [
        f"{margin}- {heading}",
        "",
        *(f"{margin}  {line}" for line in shown(text).split("\n")),
    ]
    return "\n".join(line.rstrip() for line in lines)


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
