"""Line wrapping for a terminal: breaks text where its script and words allow it."""

import re
from collections.abc import Iterator

_SIGN = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Chinese and Japanese, which may be broken behind any sign; Korean has blanks."""
_CLOSING = "\u3001\u3002\u300d\u300f\u3011\u30fc\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\u2026"
"""What never begins a line."""
_PIECE = re.compile(rf"[{_SIGN}][{_CLOSING}]*|(?:(?![{_SIGN}])\S)+")
_WHOLE = re.compile(r"[/_@]|\d")
"""What addresses, paths, ids and times have; broken, they cannot be clicked or copied."""

_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_TABLE = re.compile(r"[ >]*\|")
_LEAD = re.compile(r"\A[ >]*(?:[-+*] |\d{1,9}[.)] )?")
_MARK = re.compile(r"[^ >]")
_LEAST = 20
"""Columns that text gets however deep it stands."""


def wrapped(text: str, width: int) -> list[str]:
    """Its lines, none wider than `width` but for an address or a path that is."""
    from rich.cells import cell_len

    lines, used = [""], 0
    for blank, piece in _pieces(text, width):
        gap = blank if used else ""
        if used and used + len(gap) + cell_len(piece) > width:
            lines.append("")
            gap, used = "", 0
        lines[-1] += gap + piece
        used += len(gap) + cell_len(piece)
    return lines


def _pieces(text: str, width: int) -> Iterator[tuple[str, str]]:
    """What stays in one, each with the blank before it."""
    from rich.cells import cell_len, chop_cells

    end = 0
    for found in _PIECE.finditer(text):
        blank = " " if found.start() > end else ""
        end = found.end()
        fits = cell_len(found[0]) <= width or _WHOLE.search(found[0])
        for part in [found[0]] if fits else chop_cells(found[0], width):
            yield blank, part
            blank = ""


def longest_piece(text: str) -> int:
    """The columns that the widest unbreakable piece of a text takes."""
    from rich.cells import cell_len

    return max((cell_len(found[0]) for found in _PIECE.finditer(text)), default=0)


def wrapped_markdown(text: str, width: int) -> str:
    """The text with its long lines broken between words; code and tables stay as they are."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        as_it_is = fence or mark or len(line) * 2 <= width or _TABLE.match(line)
        lines += [line] if as_it_is else _in_width(line, width)
    return "\n".join(lines)


def _in_width(line: str, width: int) -> list[str]:
    """Its parts, each behind as much room as the mark of the first takes."""
    words = _LEAD.sub("", line)
    lead = line[: len(line) - len(words)]
    first, *others = wrapped(words, max(width - len(lead), _LEAST))
    room = _MARK.sub(" ", lead)
    return [lead + first, *(room + other for other in others)]
