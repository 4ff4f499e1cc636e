"""Passages: the paragraphs of a page that are closest to a question, within a size."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from heapq import nlargest
from itertools import islice

from sourcewright.base.language.sentences import blank_markup
from sourcewright.base.language.terms import fold_for_matching
from sourcewright.domain.claims.claim import parse_claim
from sourcewright.domain.claims.evidence import MAX_CLAIM_LENGTH, TermWeights, evidence_for
from sourcewright.domain.sources.deduplication import PARAGRAPH_BREAK
from sourcewright.reading.markdown.sections import heading_above

MAX_SCANNED = 100_000
"""Characters of a page that are compared with the question: half a second at worst."""
_MAX_PASSAGE = 1500
"""Characters of a passage; of a longer paragraph, the part around the sentence is taken."""
_MIN_PASSAGE = 400
"""Characters of a passage that begins with a heading or a label, if its section has as many."""
_MAX_PARAGRAPHS = 40
_HEADING_SHARE = 0.5
"""Weight of a term that is only in the heading of a paragraph's section."""
_MAX_RELATIVE_LENGTH = 3.0
_SEPARATOR = "\x1e"
_MAX_LABEL = 120
_SENTENCE_ENDS = (".", "!", "?", "\u3002", "\uff01", "\uff1f", "\u061f", "\u0964", "|", "```")
"""The last characters of what is no label, but a sentence, a table or code."""
_MAX_OPENING, _MIN_OPENING = 20, 40
_FENCE = re.compile(r"^ {0,12}`{3,}", re.MULTILINE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Passage:
    """A part of a text. Positions are in bytes of the text in UTF-8."""

    text: str
    start: int
    end: int
    section: str | None
    """The nearest heading above it, or the one that it begins with."""


def best_passages(text: str, question: str, most_bytes: int) -> tuple[Passage, ...]:
    """Return the passages closest to the question, best first; the beginning if none is close."""
    blocks = [*_blocks(text[: MAX_SCANNED + _MAX_PASSAGE])]
    candidates = _candidates(text, question, blocks)
    if candidates:
        # The few best sentences leave most of the room; paragraphs on the subject fill it.
        candidates += _paragraphs(text, question, blocks)
    passages: list[Passage] = []
    taken: list[tuple[int, int]] = []
    room = most_bytes
    for span in candidates or _opening(text[:MAX_SCANNED], blocks):
        whole = _with_context(text, span, blocks, taken) if candidates else span
        for start, end in (whole, span) if _is_free(span, taken) else ():
            size = len(text[start:end].encode())
            if size <= room:
                passages.append(_passage(text, start, end))
                taken.append((start, end))
                room -= size
                break
    return tuple(passages)


def _is_free(span: tuple[int, int], taken: Sequence[tuple[int, int]]) -> bool:
    return not any(span[0] < last and first < span[1] for first, last in taken)


def _candidates(
    text: str, question: str, blocks: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    sentences = evidence_for(text[:MAX_SCANNED], question).key_sentences
    best_first = sorted(sentences, key=lambda sentence: -sentence.score)
    return [_around(text, one.start, one.end, blocks) for one in best_first]


def _paragraphs(
    text: str, question: str, blocks: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """The blocks that share most terms with the question, also through their heading; best first."""
    claim = parse_claim(question[:MAX_CLAIM_LENGTH], text[:MAX_SCANNED])
    visible = blank_markup(text[:MAX_SCANNED])
    spans = [span for span in blocks if span[0] < len(visible)]
    folded = fold_for_matching(_SEPARATOR.join(visible[start:end] for start, end in spans))
    masks = [claim.words.mask_of(block) for block in folded.split(_SEPARATOR)]
    weights = TermWeights(len(masks), claim.words.size)
    weights.count(masks)
    average = max(1.0, sum(end - start for start, end in spans) / max(1, len(spans)))
    scored: list[tuple[float, int, int]] = []
    of_heading = 0
    for (start, end), mask in zip(spans, masks, strict=False):
        length = min(_MAX_RELATIVE_LENGTH, (end - start) / average)
        if _is_heading(text[start:end]):
            of_heading = mask
        elif mask:
            of_section = _HEADING_SHARE * weights.score(of_heading & ~mask, length)
            scored.append((weights.score(mask, length) + of_section, -start, -end))
    best = nlargest(_MAX_PARAGRAPHS, scored)
    return [_beginning(text, -start, -end) for _, start, end in best]


def _beginning(text: str, start: int, end: int) -> tuple[int, int]:
    """A block, or as much of it as a passage may hold."""
    if end - start <= _MAX_PASSAGE:
        return start, end
    cut = text.rfind(" ", start + 1, start + _MAX_PASSAGE)
    return start, cut if cut > start else start + _MAX_PASSAGE


def _with_context(
    text: str,
    span: tuple[int, int],
    blocks: Sequence[tuple[int, int]],
    taken: Sequence[tuple[int, int]],
) -> tuple[int, int]:
    """A passage with the label above it; if it is a label or a heading, with what follows it."""
    start, end = span
    at = bisect_right(blocks, (start, len(text))) - 1
    before = blocks[at - 1] if at else (0, 0)
    label = text[before[0] : before[1]]
    if _is_label(label) and not _is_heading(label) and _is_free(before, taken):
        start = before[0]
    if not _is_label(text[span[0] : end]):
        return start, end
    has_text = not _is_heading(text[span[0] : end])
    for first, last in islice(blocks, at + 1, None):
        is_heading = _is_heading(text[first:last])
        is_other = (has_text and is_heading) or not _is_free((first, last), taken)
        if is_other or end - start >= _MIN_PASSAGE or last - start > _MAX_PASSAGE:
            break
        end, has_text = last, not is_heading
    return start, end


def _is_heading(block: str) -> bool:
    return block.startswith("#")


def _is_label(block: str) -> bool:
    """Whether it is a heading, a term, a caption, or the line that announces a list or code."""
    is_item = block.startswith(("- ", "* ", "> "))
    return _is_heading(block) or (
        0 < len(block) <= _MAX_LABEL and not is_item and not block.endswith(_SENTENCE_ENDS)
    )


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
    heading_end = text.find("\n", start) + 1 if _is_heading(passage) else start
    return Passage(
        text=passage,
        start=first,
        end=first + len(passage.encode()),
        section=heading_above(text, max(start, heading_end)),
    )
