"""Labels of references, such as `[12]`: joined with the text from which a gap separates them.

A gap that many rows share is otherwise taken for one between columns, or between cells.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from sourcewright.reading.layout.lines import Segment, join_words

_BRACKETED = re.compile(r"\[[^\[\]]{1,24}\]")
_LONGEST, _MAX_WORDS = 30, 4
_MAX_GAP = 3.5
"""Gap between a label and its text, in units of the font size."""
_MIN_WORDS = 5
"""Words of the usual line beside a label; cells of a table have fewer."""
_SAME_BASE = 0.1


def with_labels(segments: Sequence[Segment]) -> list[Segment]:
    """The segments in the order of the file, bracketed labels as part of the text beside them."""
    brackets = (at for at, one in enumerate(segments[:-1]) if one.words[0].text[0:1] == "[")
    labels = [at for at in brackets if _is_label(segments[at], segments[at + 1])]
    lengths = sorted(len(segments[at + 1].words) for at in labels)
    if not lengths or lengths[len(lengths) // 2] < _MIN_WORDS:
        return list(segments)
    return list(_joined(segments, frozenset(labels)))


def _is_label(segment: Segment, after: Segment) -> bool:
    if len(segment.words) > _MAX_WORDS:
        return False
    gap = after.left - segment.right
    if not 0 < gap <= _MAX_GAP * after.size or not _is_level(segment, after):
        return False
    return _BRACKETED.fullmatch(join_words(segment.words)[:_LONGEST]) is not None


def _is_level(segment: Segment, after: Segment) -> bool:
    return abs(segment.base - after.base) <= _SAME_BASE * after.size


def _joined(segments: Sequence[Segment], labels: frozenset[int]) -> Iterator[Segment]:
    if segments and 0 not in labels:
        yield segments[0]
    for at, (before, segment) in enumerate(pairwise(segments)):
        if at in labels:
            yield Segment([*before.words, *segment.words], before.order)
        elif at + 1 not in labels:
            yield segment
