"""Passages: the paragraphs of a page that are closest to a question, within a size."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sourcewright.logic.claims.evidence import evidence_for
from sourcewright.logic.markdown.sections import heading_above
from sourcewright.logic.sources.deduplication import PARAGRAPH_BREAK

MAX_SCANNED = 100_000
"""Characters of a page that are compared with the question: half a second at worst."""
_MAX_PASSAGE = 1500
"""Characters of a passage; of a longer paragraph, the part around the sentence is taken."""
_MAX_OPENING, _MIN_OPENING = 20, 40
_FENCE = re.compile(r"^ {0,12}`{3,}", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a text. Positions are in bytes of the text in UTF-8."""

    text: str
    start: int
    end: int
    section: str | None
    """The nearest heading above it."""


def best_passages(text: str, question: str, most_bytes: int) -> tuple[Passage, ...]:
    """Return the passages closest to the question, best first; the beginning if none is close."""
    passages: list[Passage] = []
    taken: list[tuple[int, int]] = []
    room = most_bytes
    for start, end in _candidates(text, question):
        size = len(text[start:end].encode())
        if size <= room and not any(start < last and first < end for first, last in taken):
            passages.append(_passage(text, start, end))
            taken.append((start, end))
            room -= size
    return tuple(passages)


def _candidates(text: str, question: str) -> Iterator[tuple[int, int]]:
    scanned = text[:MAX_SCANNED]
    sentences = evidence_for(scanned, question).key_sentences
    blocks = [*_blocks(text[: MAX_SCANNED + _MAX_PASSAGE])]
    for one in sorted(sentences, key=lambda sentence: -sentence.score):
        yield _around(text, one.start, one.end, blocks)
    if not sentences:
        yield from _opening(scanned, blocks)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Spans of the paragraphs; an item of a list, or a block of code, is one with all its lines."""
    start, last, is_code = 0, 0, False
    for gap in PARAGRAPH_BREAK.finditer(text):
        is_code ^= len(_FENCE.findall(text, last, gap.start())) % 2 == 1
        last = text.rfind("\n", gap.start(), gap.end()) + 1
        is_indented = not gap[0].endswith("\n")
        if not is_code and not is_indented:
            yield start, gap.start()
            start = gap.end()
    yield start, len(text)


def _around(text: str, start: int, end: int, blocks: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The block or else the paragraph of a sentence, or as much of it as a passage may hold."""
    first, last = blocks[bisect_right(blocks, (start, len(text))) - 1]
    if end <= last and last - first <= _MAX_PASSAGE:
        return first, last
    before, after = max(0, start - _MAX_PASSAGE), min(len(text), end + _MAX_PASSAGE)
    first = before
    for break_before in PARAGRAPH_BREAK.finditer(text, before, start):
        first = break_before.end()
    break_after = PARAGRAPH_BREAK.search(text, end, after)
    last = break_after.start() if break_after else after
    if last - first <= _MAX_PASSAGE:
        return first, last
    # The sentence itself, and what follows it.
    return start, max(end, text.rfind(" ", end, min(last, start + _MAX_PASSAGE)))


def _opening(text: str, blocks: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The first paragraph that is not a heading, or the first that says more than a label."""
    texts = [(start, text[start:end].rstrip()) for start, end in blocks[:_MAX_OPENING]]
    paragraphs = [(start, block) for start, block in texts if block and not block.startswith("#")]
    long = [(start, block) for start, block in paragraphs if len(block) >= _MIN_OPENING]
    for start, block in (long or paragraphs)[:1]:
        yield start, start + min(len(block), _MAX_PASSAGE)


def _passage(text: str, start: int, end: int) -> Passage:
    first = len(text[:start].encode())
    passage = text[start:end]
    return Passage(
        text=passage,
        start=first,
        end=first + len(passage.encode()),
        section=heading_above(text, start),
    )
