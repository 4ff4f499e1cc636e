"""Outline, sections and offsets of a long Markdown text; truncation in UTF-8 bytes.

Also estimates the size of a text in tokens and as a category.
"""

import re
import unicodedata
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Literal

_MAX_HEADING = 1000
_MAX_HEADINGS = 20_000
_MAX_MARKERS = 200_000
"""Headings and fences beyond this number are ignored: no real text has as many."""
_PIECE = 1 << 18
_LONGEST_UNDERLINED = 500
"""Characters of a heading with the line below it."""
HEADING_OR_FENCE = re.compile(r"^ {0,3}(?:(#{1,6})(?=[ \t])|(`{3,}|~{3,}))([^\n]*)", re.MULTILINE)
_UNDERLINED = r"(?:\A|(?<=\n\n)) {0,3}(?!\d{1,9}[.)])([^\s>|#\-+*=~`<][^\n]{0,199})\n {0,3}(={2,}|-{3,})[ \t]*$"
"""A heading of one line, with a line of signs below it; the last line of front matter is none."""
_MARKER = re.compile(f"{HEADING_OR_FENCE.pattern}|{_UNDERLINED}", re.MULTILINE)
_BLOCK_MARKER = re.compile(r"^( {0,3})(?=#{1,6}[ \t]|`{3}|~{3})", re.MULTILINE)
_LINK = re.compile(r"!?\[((?:[^\[\]\\]|\\.){0,1000})\]\([^()]{0,1000}\)")
_INLINE_MARKERS = re.compile(
    r"(?<!\\)(?:\*{1,3}|~~|`{1,9}|(?<!\w)_{1,2}(?=\w)|(?<=\w)_{1,2}(?!\w))"
)
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")
_HEADING_PREFIX = re.compile(r"\A\s*#{1,6}\s+")
_NUMBERED = re.compile(
    r"(?:(?:section|sec\.|chapter|part) |\u00a7{1,2} ?)?(\d{1,3}(?:\.\d{1,3})*)(?!\.?\d|\w)[.:)]?"
)
"""The number of a section, at the start of its heading in lower case; a year is none."""
_ANCHOR_GAP = re.compile(r"[-_\s]+")
_BREAK_MARKERS = ("\n\n", "\n", ". ", "\u3002", " ")
"""Where a text is best truncated, best first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextSlice:
    """A slice of a text, and where the next one begins."""

    text: str
    next_offset: int | None
    """Byte offset of the rest; None if this is the end of the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadingFound:
    """A heading, and where its section begins."""

    level: int
    text: str
    offset: int
    """In bytes."""


def slice_text(text: str, *, offset: int = 0, most: int, tidy: bool = True) -> TextSlice:
    """Return at most `most` bytes from an offset on: whole characters, and at least one.

    With `tidy`, the end is moved back to the end of a paragraph, sentence or word if that keeps
    at least half.
    """
    data = text.encode()
    start = _character_start(data, min(max(offset, 0), len(data)))
    if len(data) - start <= most:
        return TextSlice(text=data[start:].decode(), next_offset=None)
    stop = _character_start(data, start + most)
    if stop <= start:
        stop = _character_end(data, start)
    part = data[start:stop].decode()
    if tidy and stop < len(data):
        part = _cut_at_break(part)
    end = start + len(part.encode())
    return TextSlice(text=part, next_offset=end if end < len(data) else None)


def outline_of(text: str, *, most: int = _MAX_HEADINGS) -> list[HeadingFound]:
    """The first headings of a Markdown text, without those inside code blocks."""
    return list(islice(_headings(text), most))


def _headings(text: str) -> Iterator[HeadingFound]:
    fence, counted_to, offset = "", 0, 0
    for match in islice(_markers(text), _MAX_MARKERS):
        hashes, fence_marker, rest, underlined, line = match.groups()
        if fence_marker:
            fence = fence_after(fence, fence_marker, rest)
            continue
        title = underlined.strip() if underlined else _heading_text(rest)
        if fence or not title:
            continue
        offset += len(text[counted_to : match.start()].encode())
        counted_to = match.start()
        level = len(hashes) if hashes else 1 + line.startswith("-")
        yield HeadingFound(level=level, text=displayed_text(title), offset=offset)


def _markers(text: str) -> Iterator[re.Match[str]]:
    """Headings and fences, looked for in pieces: a search lets no other thread run meanwhile."""
    start = 0
    while start < len(text):
        end = text.rfind("\n", start, start + _PIECE) + 1 or start + _PIECE
        for match in _MARKER.finditer(text, start, end + _LONGEST_UNDERLINED):
            if match.start() >= end:
                break
            yield match
            end = max(end, match.end())
        start = end


def heading_above(text: str, position: int) -> str | None:
    """The nearest heading above the line of a position, as displayed; none in code counts."""
    above = text[: text.rfind("\n", 0, position) + 1]
    nearest = deque(_headings(above), maxlen=1)
    return nearest[0].text if nearest else None


def escape_block_markers(text: str) -> str:
    """Plain text as Markdown: escapes what would be a heading or a code fence."""
    return _BLOCK_MARKER.sub(r"\1\\", text)


def section_of(text: str, name: str) -> str | None:
    """The section under a heading, with its subsections; None if there is no such heading."""
    headings = outline_of(text)
    chosen = _heading_named(headings, displayed_text(_HEADING_PREFIX.sub("", name)))
    if chosen is None:
        return None
    ends = (
        heading.offset
        for heading in headings
        if heading.offset > chosen.offset and heading.level <= chosen.level
    )
    data = text.encode()
    return data[chosen.offset : next(ends, len(data))].decode().rstrip()


def _heading_named(headings: Sequence[HeadingFound], name: str) -> HeadingFound | None:
    """The heading of this name, else of this anchor, title or number, else one that contains it."""
    target = _normalised(name)
    number, title = _split_number(target)
    if not (number or title):
        return None

    def closeness(heading: HeadingFound) -> int:
        text = _normalised(heading.text)
        of_heading, title_of_heading = _split_number(text)
        if text == target:
            return 4
        if not title:
            # "4" is also a part of "14".
            return 3 * (number == of_heading)
        if title == title_of_heading and ("" in (number, of_heading) or number == of_heading):
            return 3
        return (target in text) + text.startswith(target)

    closest = max(headings, key=closeness, default=None)
    return closest if closest and closeness(closest) else None


def _split_number(text: str) -> tuple[str, str]:
    """The number of a heading, and its title as in an anchor; either may be empty."""
    match = _NUMBERED.match(text)
    number, title = (match[1], text[match.end() :]) if match else ("", text)
    return number, _ANCHOR_GAP.sub(" ", title).strip(" #.:")


def _cut_at_break(text: str) -> str:
    for marker in _BREAK_MARKERS:
        position = text.rfind(marker)
        if position >= len(text) // 2:
            return text[: position + len(marker)]
    return text


def _character_start(data: bytes, position: int) -> int:
    """The position, or the nearest one before it where a UTF-8 character begins."""
    while 0 < position < len(data) and data[position] & 0xC0 == 0x80:
        position -= 1
    return position


def _character_end(data: bytes, position: int) -> int:
    """The end of the UTF-8 character that begins at the position."""
    position += 1
    while position < len(data) and data[position] & 0xC0 == 0x80:
        position += 1
    return position


def fence_after(fence: str, marks: str, rest: str) -> str:
    """The fence of the code block that is open after this line; empty if none is."""
    if not fence:
        is_inline = marks.startswith("`") and "`" in rest
        return "" if is_inline else marks
    closes = marks[0] == fence[0] and len(marks) >= len(fence) and not rest.strip()
    return "" if closes else fence


def _heading_text(rest: str) -> str:
    """The text of a heading without a closing `#` sequence; that of `C#` is kept."""
    if len(rest) > _MAX_HEADING:
        return ""
    words = rest.strip()
    bare = words.rstrip("#")
    return bare.rstrip() if not bare or bare[-1].isspace() else words


def displayed_text(words: str) -> str:
    """The text of a heading as displayed: links become their text, markers are removed."""
    bare = _INLINE_MARKERS.sub("", _LINK.sub(r"\1", words))
    return " ".join(_ESCAPED.sub(r"\1", bare).split()) or words


def _normalised(text: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())


SizeCategory = Literal["small", "medium", "large", "very_large"]

_BYTES_PER_TOKEN = 4
_CATEGORY_LIMITS: tuple[tuple[int, SizeCategory], ...] = (
    (5_000, "small"),
    (20_000, "medium"),
    (50_000, "large"),
)


def estimated_tokens(size: int) -> int:
    """Approximate number of tokens of a text of this many bytes."""
    return size // _BYTES_PER_TOKEN


def size_category(size: int) -> SizeCategory:
    """The category of a text of this many bytes."""
    return next((name for limit, name in _CATEGORY_LIMITS if size < limit), "very_large")
