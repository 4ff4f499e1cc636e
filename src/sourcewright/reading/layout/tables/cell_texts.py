"""Texts of the cells of a row: divides its lines at the edges of columns, unless one goes over."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import pairwise

from sourcewright.reading.layout.lines import Segment, TextLine, is_apart, lines_of, segments_of
from sourcewright.reading.layout.words import FIXED, Word

_MIN_WORDS = 2
"""Words for each column of a text that goes over several; a row may have one in each."""
_MIN_GAP, _WIDER = 0.4, 1.4
"""Gap between cells of a line, in units of the font size, and of its usual gap between words."""
_ALIGNED = 1.0
_MIN_STARTS = 2
"""Lines that begin at the same place, if a column begins there."""


class Grid:
    """The columns of a table, by their edges and by the places where its lines begin."""

    def __init__(self, edges: Sequence[float], lines: Iterable[TextLine]) -> None:
        self._edges = edges
        lefts = Counter(round(one.left) for line in lines for one in line.segments)
        self._starts = [left for left, count in lefts.items() if count >= _MIN_STARTS]

    def __len__(self) -> int:
        return len(self._edges) - 1

    def row(self, lines: Iterable[TextLine]) -> list[list[TextLine]]:
        """The lines of each cell."""
        cells: list[list[Word]] = [[] for _ in range(len(self))]
        for line in lines:
            for segment in line.segments:
                for words in self._texts(segment):
                    left, right = min(one.left for one in words), max(one.right for one in words)
                    cells[self._column(left, right)] += words
        return [lines_of(segments_of(words)) for words in cells]

    def _texts(self, segment: Segment) -> Sequence[Sequence[Word]]:
        """The words of each cell of a line; a text over columns has no wide gap at their edges."""
        inner = sum(segment.left < edge < segment.right for edge in self._edges[1:-1])
        if len(segment.words) < 2 or not inner:
            return [segment.words]
        words = sorted(_whole_words(segment.words), key=lambda one: one[0].left)
        if len(words) < _MIN_WORDS * (inner + 1) or not _is_text(words):
            return words
        gaps = [after[0].left - before[-1].right for before, after in pairwise(words)]
        edges = [self._has_edge(before[-1], after[0]) for before, after in pairwise(words)]
        least = max(_MIN_GAP * segment.size, _WIDER * sorted(gaps)[(len(gaps) - 1) // 2])
        texts = [words[0]]
        for word, gap, has_edge in zip(words[1:], gaps, edges, strict=True):
            if has_edge and (gap > least or self._begins(word[0])):
                texts.append(word)
            else:
                texts[-1] = [*texts[-1], *word]
        return texts

    def _has_edge(self, before: Word, after: Word) -> bool:
        return any(
            before.right - _ALIGNED < edge < after.left + _ALIGNED for edge in self._edges[1:-1]
        )

    def _begins(self, word: Word) -> bool:
        """Whether a word stands where other lines begin."""
        return any(abs(word.left - start) <= _ALIGNED for start in self._starts)

    def _column(self, left: float, right: float) -> int:
        at = bisect_right(self._edges, (left + right) / 2) - 1
        return min(max(at, 0), len(self) - 1)


def _whole_words(words: Sequence[Word]) -> list[list[Word]]:
    """Words as they are read: some files draw each letter by itself."""
    rows = [[words[0]]]
    for before, word in pairwise(words):
        if is_apart(before, word):
            rows.append([word])
        else:
            rows[-1].append(word)
    return rows


def _is_text(words: Sequence[Sequence[Word]]) -> bool:
    """Whether a line is no output of a program, and has no more figures than words."""
    letters = sum(any(map(str.isalpha, one[0].text)) for one in words)
    figures = sum(any(map(str.isdigit, one[0].text)) for one in words)
    return letters >= figures and not all(one[0].style & FIXED for one in words)
