"""Parts of a long text: by size, from an offset on, or by heading. Sizes are in UTF-8 bytes."""

import re
from dataclasses import dataclass

_HEADING = re.compile(r"^(#{1,6})[ \t]+(\S.*?)[ \t]*#*$")
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_BREAKS = ("\n\n", "\n", ". ", "\u3002", " ")
"""Where a text is best cut, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A part of a text."""

    text: str
    next_offset: int | None
    """Where the rest begins; None when this was the end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heading:
    """A heading, and where its section begins."""

    level: int
    text: str
    offset: int


def part_of(text: str, *, offset: int = 0, most: int) -> Part:
    """At most so many bytes from an offset on, never within a character.

    The end is moved back to a paragraph, a sentence or a word where that loses less than half.
    """
    data = text.encode()
    start = _boundary(data, min(max(offset, 0), len(data)))
    if len(data) - start <= most:
        return Part(text=data[start:].decode(), next_offset=None)
    stop = _boundary(data, start + most)
    shown = data[start:stop].decode()
    for mark in _BREAKS:
        at = shown.rfind(mark)
        if at >= len(shown) // 2:
            shown = shown[: at + len(mark)]
            break
    return Part(text=shown, next_offset=start + len(shown.encode()))


def outline_of(text: str) -> list[Heading]:
    """The headings of a Markdown text; what looks like one inside a code block is none."""
    headings: list[Heading] = []
    fence, offset = "", 0
    for line in text.splitlines(keepends=True):
        opened = _FENCE.match(line)
        if opened and not fence:
            fence = opened[1]
        elif opened and line.strip().startswith(fence):
            fence = ""
        found = None if fence or opened else _HEADING.match(line.rstrip("\r\n"))
        if found:
            headings.append(Heading(level=len(found[1]), text=found[2], offset=offset))
        offset += len(line.encode())
    return headings


def section_of(text: str, name: str) -> str | None:
    """The section under a heading, with the sections below it; None when there is none."""
    headings = outline_of(text)
    wanted = _plain(name)
    chosen = next((one for one in headings if _plain(one.text) == wanted), None)
    chosen = chosen or next((one for one in headings if wanted in _plain(one.text)), None)
    if chosen is None or not wanted:
        return None
    ends = (h.offset for h in headings if h.offset > chosen.offset and h.level <= chosen.level)
    data = text.encode()
    return data[chosen.offset : next(ends, len(data))].decode().rstrip()


def _boundary(data: bytes, at: int) -> int:
    """The place, or the nearest one before it where a character begins."""
    while 0 < at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[*_`\[\]]|\([^)]*\)", " ", text).casefold().split())
