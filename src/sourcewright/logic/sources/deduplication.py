"""Removes duplicate paragraphs across sources, and truncates to the length asked for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from itertools import islice

from sourcewright.logic.markdown.sections import MARK, fence_after, part_of

GAP = re.compile(r"\n[ \t\r]*\n\s*")
"""What stands between two paragraphs."""
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t][^\n]*+\s*+")
_MOST_GAPS = 50_000
_WORDLESS = 7
"""The level of a rule or an ornament: below every heading, and worth as little alone."""


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph, a heading, a table or a whole code block, up to where the next begins."""

    start: int
    end: int
    level: int
    """Of a heading; 0 for what has something to say by itself."""
    key: bytes


@dataclass(frozen=True, slots=True, kw_only=True)
class Distilled:
    """What is told of a text."""

    content: str
    repeated: int
    """Paragraphs that were left out because they had been told already."""
    next_offset: int | None
    """The byte of the whole text at which the rest begins; None when this was the end."""


class Teller:
    """Tells texts one after the other, and says no paragraph twice.

    Paragraphs are the same when they are the same but for white space. One that fell to a
    limit was not told, and may be told of a later text.
    """

    def __init__(self, *, most: int, deduplicate: bool) -> None:
        self._most = most
        self._deduplicate = deduplicate
        self._told: set[bytes] = set()

    def tell(self, text: str) -> Distilled:
        if not self._deduplicate:
            part = part_of(text, most=self._most)
            return Distilled(content=part.text, repeated=0, next_offset=part.next_offset)
        kept, repeated, stop = self._new(text)
        spans = _spans(kept) if repeated else [(0, stop)]
        part = part_of("".join(text[start:end] for start, end in spans), most=self._most)
        end = stop if part.next_offset is None else _place(spans, len(part.text))
        self._told |= {block.key for block in kept if block.end <= end and not block.level}
        return Distilled(
            content=part.text.rstrip() if repeated else part.text,
            repeated=repeated,
            next_offset=len(text[:end].encode()) if end < len(text) else None,
        )

    def _new(self, text: str) -> tuple[list[_Block], int, int]:
        """The blocks that were not told before, as many as there is room for.

        Also how many were told before, and where it stopped looking. A heading stays only
        where something below it does.
        """
        kept: list[_Block] = []
        waiting: list[_Block] = []
        own: set[bytes] = set()
        repeated = size = stop = 0
        for block in _blocks_in(text):
            stop = block.end
            if block.level:
                waiting = [one for one in waiting if one.level < block.level]
                waiting.append(block)
            elif block.key in self._told or block.key in own:
                repeated += 1
            else:
                own.add(block.key)
                kept += [*waiting, block]
                waiting = []
                size += block.end - block.start
            if size > self._most:
                break
        return kept, repeated, stop


def _blocks_in(text: str) -> Iterator[_Block]:
    """The text in its blocks; none of it stands between them.

    Where a text is broken into very many, all that is left of it is the last one.
    """
    start, fence, checked = 0, "", 0
    for gap in islice(GAP.finditer(text), _MOST_GAPS):
        for found in MARK.finditer(text, checked, gap.start()):
            _, marks, rest = found.groups()
            fence = fence_after(fence, marks, rest) if marks else fence
        checked = gap.end()
        # A blank line inside a code block parts nothing.
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
        level = _WORDLESS
    return _Block(start, end, level, blake2b(words.encode(), digest_size=16).digest())


def _spans(blocks: Sequence[_Block]) -> list[tuple[int, int]]:
    """Where the blocks stand; neighbours are one span."""
    spans: list[tuple[int, int]] = []
    for block in blocks:
        if spans and spans[-1][1] == block.start:
            spans[-1] = (spans[-1][0], block.end)
        else:
            spans.append((block.start, block.end))
    return spans


def _place(spans: Sequence[tuple[int, int]], length: int) -> int:
    """Where in the whole text the first so many characters of the spans end."""
    end = 0
    for start, stop in spans:
        end = min(stop, start + length)
        length -= end - start
        if length <= 0:
            break
    return end
