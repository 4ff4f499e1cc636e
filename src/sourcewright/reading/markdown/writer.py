"""Writes Markdown: fact lists, code fences, nested comments, GitHub-flavoured tables."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sourcewright.base.text.phrases import count_phrase
from sourcewright.base.text.plain import plain_text, strip_invisible

MAX_INDENT = 8
"""Deeper comments are not indented further; their heading gives the depth."""
_MAX_COMMENT = 20_000
_TICKS = re.compile(r"`{3,}")
_TICK_RUN = re.compile(r"`+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Comment:
    """A comment under a post, a video or the like."""

    text: str
    """Markdown."""
    author: str | None = None
    when: str | None = None
    depth: int = 0
    note: str | None = None
    """Further text for its heading, such as its points."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenComments:
    """Comments as Markdown, how many there are, and whether a limit cut them off."""

    text: str
    count: int
    cut: bool


def fact_list(**values: object) -> str:
    """A list item for each value that is not empty; underscores in names become spaces."""
    pairs = ((name.replace("_", " "), value) for name, value in values.items())
    lines = [
        f"- {name}: {plain_text(str(value))}" for name, value in pairs if value not in (None, "")
    ]
    return "\n".join(lines)


def join_blocks(*blocks: str | None) -> str:
    """The blocks that are not empty, separated by blank lines."""
    return "\n\n".join(block.strip("\n") for block in blocks if block and block.strip())


def code_fence(text: str, language: str = "") -> str:
    """Code in a fence longer than any inside it."""
    longest = max((len(ticks) for ticks in _TICKS.findall(text)), default=2)
    fence = "`" * (longest + 1)
    return f"{fence}{language}\n{text.rstrip()}\n{fence}"


def code_span(text: str) -> str:
    """Code within a line, between as many ticks as no run of ticks inside it has."""
    runs = {len(run) for run in _TICK_RUN.findall(text)}
    if not runs:
        return f"`{text}`"
    ticks = "`" * next(count for count in range(2, len(runs) + 3) if count not in runs)
    return f"{ticks} {text} {ticks}"


_ORDERED_ITEM = re.compile(r"^(\d{1,9})(?=[.)](?:\s|$))", re.MULTILINE)
_BLOCK_MARKER = re.compile(r"^(?=(?:#{1,6}|[-+])(?:\s|$)|>|~~~|=+$|-+$)", re.MULTILINE)
"""Starts of lines that Markdown would read as a heading, list, quotation, fence or rule."""


def escape_line_starts(text: str) -> str:
    """Escape what would begin a block; the rest of the text is Markdown already."""
    return _BLOCK_MARKER.sub(r"\\", _ORDERED_ITEM.sub(r"\1\\", text))


def truncate(text: str, most: int) -> tuple[str, bool]:
    """The text truncated to `most` characters, and whether it was truncated."""
    return (text, False) if len(text) <= most else (text[:most].rstrip(), True)


def write_comments(
    remarks: Iterable[Comment], *, most: int, characters: int, longest: int = _MAX_COMMENT
) -> WrittenComments:
    """Comments in order, indented by depth, up to a number of comments and characters.

    Of one comment at most `longest` characters are written.
    """
    written: list[str] = []
    size, cut = 0, False
    for remark in remarks:
        text, is_truncated = truncate(remark.text, longest)
        block = _indented(remark, text)
        size += len(block)
        if len(written) >= most or size > characters:
            return WrittenComments(text="\n\n".join(written), count=len(written), cut=True)
        written.append(block)
        cut = cut or is_truncated
    return WrittenComments(text="\n\n".join(written), count=len(written), cut=cut)


def _indented(remark: Comment, text: str) -> str:
    depth_note = f"depth {remark.depth}" if remark.depth > MAX_INDENT else None
    heading = ", ".join(
        filter(None, (f"**{remark.author or 'unknown'}**", remark.when, remark.note, depth_note))
    )
    indent = "  " * min(remark.depth, MAX_INDENT)
    lines = [
        f"{indent}- {heading}",
        "",
        *(f"{indent}  {line}" for line in strip_invisible(text).split("\n")),
    ]
    return "\n".join(line.rstrip() for line in lines)


MAX_ROWS, MAX_COLUMNS = 2000, 60


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """The first row is the header; short rows are padded, and pipes are escaped."""
    width = max((len(row) for row in rows), default=0)
    if width == 0:
        return ""
    lines = [_line(row, width) for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * width, *lines[1:]])


def limit_rows(rows: Sequence[Sequence[str]]) -> tuple[list[Sequence[str]], str | None]:
    """The rows limited to `MAX_ROWS` and `MAX_COLUMNS`, and a note on what was left out."""
    columns = max((len(row) for row in rows), default=0)
    first = [row[:MAX_COLUMNS] for row in rows[:MAX_ROWS]]
    return first, omission_note(len(rows) - len(first), max(0, columns - MAX_COLUMNS))


def omission_note(rows: int, columns: int, *, at_least: bool = False) -> str | None:
    """A note on rows and columns that are not shown; None if all are."""
    missing = [
        count_phrase(count, f"more {name}")
        for count, name in ((rows, "row"), (columns, "column"))
        if count
    ]
    bound = "at least " if at_least else ""
    return f"*{bound}{' and '.join(missing)} omitted*" if missing else None


def _line(row: Sequence[str], width: int) -> str:
    cells = [" ".join(cell.replace("|", "\\|").split()) for cell in row]
    return "| " + " | ".join([*cells, *[""] * (width - len(cells))]) + " |"
