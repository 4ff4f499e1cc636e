"""Passages: the paragraphs of a page that are closest to a question, within a size."""

from collections.abc import Iterator
from dataclasses import dataclass

from sourcewright.logic.claims.evidence import evidence_for
from sourcewright.logic.language.sentences import section_at
from sourcewright.logic.sources.deduplication import PARAGRAPH_BREAK

MAX_SCANNED = 100_000
"""Characters of a page that are compared with the question: half a second at worst."""
_MAX_PASSAGE = 1500
"""Characters of a passage; of a longer paragraph, the part around the sentence is taken."""


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
    for one in sorted(sentences, key=lambda sentence: -sentence.score):
        yield _around(text, one.start, one.end)
    if not sentences:
        yield from _opening(scanned)


def _around(text: str, start: int, end: int) -> tuple[int, int]:
    """The paragraph of a sentence, or as much of it as a passage may hold."""
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


def _opening(text: str) -> Iterator[tuple[int, int]]:
    """The first paragraph that is not a heading."""
    at = 0
    for block in PARAGRAPH_BREAK.split(text)[:20]:
        start = text.index(block, at)
        at = start + len(block)
        if block.strip() and not block.startswith("#"):
            yield start, start + min(len(block.rstrip()), _MAX_PASSAGE)
            return


def _passage(text: str, start: int, end: int) -> Passage:
    first = len(text[:start].encode())
    passage = text[start:end]
    return Passage(
        text=passage,
        start=first,
        end=first + len(passage.encode()),
        section=section_at(text, start),
    )
