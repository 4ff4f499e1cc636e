"""Outline, sections and offsets of a long Markdown text; truncation in UTF-8 bytes.

How much a text is: in tokens, roughly, and in words for sizes.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Literal

_LONGEST_HEADING = 1000
_MOST_HEADINGS = 20_000
_MOST_MARKS = 200_000
"""No text has more that is meant to be read; behind so many nothing is looked for any more."""
MARK = re.compile(r"^ {0,3}(?:(#{1,6})(?=[ \t])|(`{3,}|~{3,}))([^\n]*)", re.MULTILINE)
_MARKED = re.compile(r"^( {0,3})(?=#{1,6}[ \t]|`{3}|~{3})", re.MULTILINE)
_LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.){0,1000})\]\([^()]{0,1000}\)")
_DRESS = re.compile(r"(?<!\\)(?:\*{1,3}|~~|`{1,9}|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w))")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_HASHES = re.compile(r"\A\s*#{1,6}\s+")
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


def part_of(text: str, *, offset: int = 0, most: int, tidy: bool = True) -> Part:
    """At most so many bytes from an offset on, never within a character, and at least one.

    The end is moved back to a paragraph, a sentence or a word where that loses less than
    half, unless the text must not be tidied.
    """
    data = text.encode()
    start = _boundary(data, min(max(offset, 0), len(data)))
    if len(data) - start <= most:
        return Part(text=data[start:].decode(), next_offset=None)
    stop = _boundary(data, start + most)
    if stop <= start:
        stop = _after(data, start)
    shown = data[start:stop].decode()
    if tidy and stop < len(data):
        shown = _tidied(shown)
    end = start + len(shown.encode())
    return Part(text=shown, next_offset=end if end < len(data) else None)


def outline_of(text: str, *, most: int = _MOST_HEADINGS) -> list[Heading]:
    """The first headings of a Markdown text; what looks like one inside a code block is none."""
    return list(islice(_headings(text), most))


def _headings(text: str) -> Iterator[Heading]:
    fence, counted, offset = "", 0, 0
    for found in islice(MARK.finditer(text), _MOST_MARKS):
        hashes, marks, rest = found.groups()
        if marks:
            fence = fence_after(fence, marks, rest)
            continue
        words = _words(rest)
        if fence or not words:
            continue
        offset += len(text[counted : found.start()].encode())
        counted = found.start()
        yield Heading(level=len(hashes), text=_spoken(words), offset=offset)


def unmarked(text: str) -> str:
    """A text that is no Markdown as Markdown: nothing in it is a heading or opens a block."""
    return _MARKED.sub(r"\1\\", text)


def section_of(text: str, name: str) -> str | None:
    """The section under a heading, with the sections below it; None when there is none."""
    headings = outline_of(text)
    wanted = _plain(_spoken(_HASHES.sub("", name)))
    chosen = next((one for one in headings if _plain(one.text) == wanted), None)
    chosen = chosen or next((one for one in headings if wanted in _plain(one.text)), None)
    if chosen is None or not wanted:
        return None
    ends = (h.offset for h in headings if h.offset > chosen.offset and h.level <= chosen.level)
    data = text.encode()
    return data[chosen.offset : next(ends, len(data))].decode().rstrip()


def _tidied(shown: str) -> str:
    for mark in _BREAKS:
        at = shown.rfind(mark)
        if at >= len(shown) // 2:
            return shown[: at + len(mark)]
    return shown


def _boundary(data: bytes, at: int) -> int:
    """The place, or the nearest one before it where a character begins."""
    while 0 < at < len(data) and data[at] & 0xC0 == 0x80:
        at -= 1
    return at


def _after(data: bytes, at: int) -> int:
    """Where the character ends that begins there."""
    at += 1
    while at < len(data) and data[at] & 0xC0 == 0x80:
        at += 1
    return at


def fence_after(fence: str, marks: str, rest: str) -> str:
    """The fence that a code block is in behind this line; empty outside of one."""
    if not fence:
        is_inline = marks.startswith("`") and "`" in rest
        return "" if is_inline else marks
    closes = marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip()
    return "" if closes else fence


def _words(rest: str) -> str:
    """The text of a heading, without the marks that may close it; those of `C#` close nothing."""
    if len(rest) > _LONGEST_HEADING:
        return ""
    words = rest.strip()
    bare = words.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else words


def _spoken(words: str) -> str:
    """The words of a heading as they are read: a link is its text, and marks are not said."""
    bare = _DRESS.sub("", _LINK.sub(r"\1", words))
    return " ".join(_ESCAPED.sub(r"\1", bare).split()) or words


def _plain(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


SizeCategory = Literal["small", "medium", "large", "very_large"]

_BYTES_PER_TOKEN = 4
_BELOW: tuple[tuple[int, SizeCategory], ...] = (
    (5_000, "small"),
    (20_000, "medium"),
    (50_000, "large"),
)


def estimated_tokens(size: int) -> int:
    """About how many tokens a text of so many bytes is."""
    return size // _BYTES_PER_TOKEN


def size_category(size: int) -> SizeCategory:
    """What a text of so many bytes is called."""
    return next((name for limit, name in _BELOW if size < limit), "very_large")
