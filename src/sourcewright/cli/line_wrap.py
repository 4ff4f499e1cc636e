"""Line wrapping for a terminal, for text and Markdown in any script."""

import re
from collections.abc import Iterator

_CJK = (
    "\u3005-\u3007\u3041-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff"
)
"""Chinese and Japanese characters, which allow a break after each; Korean uses spaces."""
_CLOSING = "\u3001\u3002\u300d\u300f\u3011\u30fc\uff01\uff09\uff0c\uff0e\uff1a\uff1b\uff1f\u2026"
"""Closing punctuation, which must not begin a line."""
_PIECE = re.compile(rf"[{_CJK}][{_CLOSING}]*|(?:(?![{_CJK}])\S)+")
_UNBREAKABLE = re.compile(r"[/_@]|\d")
"""Marks URLs, paths, ids and times, which cannot be clicked or copied if broken."""

_FENCE = re.compile(r"[ >]*(`{3,}|~{3,})")
_TABLE = re.compile(r"[ >]*\|")
_LEAD = re.compile(r"\A[ >]*(?:[-+*] |\d{1,9}[.)] )?")
_MARK = re.compile(r"[^ >]")
_MINIMUM_WIDTH = 20
"""Minimum width of text, however deeply it is nested."""


def wrap_text(text: str, width: int) -> list[str]:
    """The lines of a text, none wider than `width` except for an unbreakable piece."""
    from rich.cells import cell_len

    lines, used = [""], 0
    for space, piece in _pieces(text, width):
        gap = space if used else ""
        if used and used + len(gap) + cell_len(piece) > width:
            lines.append("")
            gap, used = "", 0
        lines[-1] += gap + piece
        used += len(gap) + cell_len(piece)
    return lines


def _pieces(text: str, width: int) -> Iterator[tuple[str, str]]:
    """Unbreakable pieces, each with its leading space; too long words are split."""
    from rich.cells import cell_len, chop_cells

    end = 0
    for match in _PIECE.finditer(text):
        space = " " if match.start() > end else ""
        end = match.end()
        fits = cell_len(match[0]) <= width or _UNBREAKABLE.search(match[0])
        for part in [match[0]] if fits else chop_cells(match[0], width):
            yield space, part
            space = ""


def longest_unbreakable(text: str) -> int:
    """The width of the widest unbreakable piece of a text, in terminal cells."""
    from rich.cells import cell_len

    return max((cell_len(match[0]) for match in _PIECE.finditer(text)), default=0)


def wrap_markdown(text: str, width: int) -> str:
    """Wrap the long lines of Markdown between words; code blocks and tables are unchanged."""
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and (not fence or mark[1].startswith(fence)):
            fence = "" if fence else mark[1]
        as_it_is = fence or mark or len(line) * 2 <= width or _TABLE.match(line)
        lines += [line] if as_it_is else _wrapped_line(line, width)
    return "\n".join(lines)


def _wrapped_line(line: str, width: int) -> list[str]:
    """The wrapped parts of a line; continuation lines are indented by its list marker."""
    text = _LEAD.sub("", line)
    lead = line[: len(line) - len(text)]
    first, *others = wrap_text(text, max(width - len(lead), _MINIMUM_WIDTH))
    indent = _MARK.sub(" ", lead)
    return [lead + first, *(indent + other for other in others)]
