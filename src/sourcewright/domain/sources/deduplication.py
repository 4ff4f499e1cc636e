"""Removes duplicate paragraphs across sources, and truncates to the requested length."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice
from operator import itemgetter

from sourcewright.reading.markdown.sections import HEADING_OR_FENCE, fence_after, slice_text

PARAGRAPH_BREAK = re.compile(r"\n[ \t\r]*\n\s*")
"""The break between two paragraphs."""
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t][^\n]*+\s*+")
_MAX_BREAKS = 50_000
_WORDLESS_LEVEL = 7
"""The level of a rule or an ornament: below every heading, and dropped like one if alone."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, a heading, a table or a whole code block, up to the start of the next one."""

    start: int
    end: int
    level: int
    """That of a heading; 0 for content."""
    key: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class DeduplicatedText:
    """A text without duplicate paragraphs, truncated."""

    content: str
    repeated: int
    """Paragraphs that were removed because an earlier text had them."""
    next_offset: int | None
    """The byte offset in the original text at which the rest begins; None at its end."""
    spans: tuple[tuple[int, int], ...]
    """What `content` consists of, as spans of the original text."""

    def in_original(self, original: str, offsets: Sequence[int]) -> list[int]:
        """The byte offsets in the original text of bytes of `content`."""
        before: list[tuple[int, int]] = []
        length = size = end = 0
        for first, last in self.spans:
            size += len(original[end:first].encode())
            before.append((length, size))
            bytes_of_span = len(original[first:last].encode())
            length, size, end = length + bytes_of_span, size + bytes_of_span, last
        spans = [before[bisect_right(before, at, key=itemgetter(0)) - 1] for at in offsets]
        return [start + at - length for (length, start), at in zip(spans, offsets, strict=True)]


class Deduplicator:
    """Removes paragraphs that occurred before, in a sequence of texts.

    Paragraphs are compared without regard to white space. A paragraph that was truncated does
    not count as seen, and is kept in a later text.
    """

    def __init__(self, *, most: int, deduplicate: bool) -> None:
        self._most = most
        self._deduplicate = deduplicate
        self._seen: set[bytes] = set()

    def deduplicate(self, text: str) -> DeduplicatedText:
        if not self._deduplicate:
            part = slice_text(text, most=self._most)
            return DeduplicatedText(
                content=part.text,
                repeated=0,
                next_offset=part.next_offset,
                spans=((0, len(part.text)),),
            )
        blocks, repeated, stop = self._new_blocks(text)
        spans = _spans(blocks) if repeated else [(0, stop)]
        part = slice_text("".join(text[start:end] for start, end in spans), most=self._most)
        end = stop if part.next_offset is None else _offset_in_text(spans, len(part.text))
        self._seen |= {block.key for block in blocks if block.end <= end and not block.level}
        return DeduplicatedText(
            content=part.text.rstrip() if repeated else part.text,
            repeated=repeated,
            next_offset=len(text[:end].encode()) if end < len(text) else None,
            spans=tuple(spans),
        )

    def _new_blocks(self, text: str) -> tuple[list[_Block], int, int]:
        """The blocks that are new, up to the permitted length.

        Also the number of duplicates, and the offset at which it stopped. A heading is kept
        only if something below it is.
        """
        blocks: list[_Block] = []
        pending_headings: list[_Block] = []
        seen_here: set[bytes] = set()
        repeated = size = stop = 0
        for block in _blocks_in(text):
            stop = block.end
            if block.level:
                pending_headings = [
                    heading for heading in pending_headings if heading.level < block.level
                ]
                pending_headings.append(block)
            elif block.key in self._seen or block.key in seen_here:
                repeated += 1
            else:
                seen_here.add(block.key)
                blocks += [*pending_headings, block]
                pending_headings = []
                size += block.end - block.start
            if size > self._most:
                break
        return blocks, repeated, stop


def _blocks_in(text: str) -> Iterator[_Block]:
    """The blocks of a text, without gaps between them.

    If there are very many paragraph breaks, the rest of the text is the last block.
    """
    start, fence, checked = 0, "", 0
    for gap in islice(PARAGRAPH_BREAK.finditer(text), _MAX_BREAKS):
        for match in HEADING_OR_FENCE.finditer(text, checked, gap.start()):
            _, fence_marks, rest = match.groups()
            fence = fence_after(fence, fence_marks, rest) if fence_marks else fence
        checked = gap.end()
        # A blank line inside a code block is not a paragraph break.
        if not fence:
            yield _block(text, start, gap.end())
            start = gap.end()
    if start < len(text):
        yield _block(text, start, len(text))


def _block(text: str, start: int, end: int) -> _Block:
    words = " ".join(text[start:end].split())
    heading = _HEADING.fullmatch(text, start, end)
    level = len(heading[1]) if heading else 0
    if not level and not any(map(str.isalnum, words)):
        level = _WORDLESS_LEVEL
    return _Block(start, end, level, blake2b(words.encode(), digest_size=16).digest())


def _spans(blocks: Sequence[_Block]) -> list[tuple[int, int]]:
    """The offsets of the blocks, adjacent blocks joined."""
    spans: list[tuple[int, int]] = []
    for block in blocks:
        if spans and spans[-1][1] == block.start:
            spans[-1] = (spans[-1][0], block.end)
        else:
            spans.append((block.start, block.end))
    return spans


def _offset_in_text(spans: Sequence[tuple[int, int]], length: int) -> int:
    """The offset in the original text at which the first `length` characters of the spans end."""
    end = 0
    for start, stop in spans:
        end = min(stop, start + length)
        length -= end - start
        if length <= 0:
            break
    return end
