"""Lines of text from the words of a page, with their size, style and extent."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby, pairwise

from sourcewright.reading.layout.words import BOLD, CAPITALS, FIXED, ITALIC, Tag, Word

_SPLIT_GAP = 0.85
"""Gap between words, in units of the font size, at which a line is split into segments."""
_OVERLAP = 0.6
_SMALL, _SMALLER = 0.86, 0.95
"""A word smaller than this part of its line may be raised or lowered."""
_SAME_BASE = 0.25
_LETTER_GAP, _WIDE_GAP = 0.25, 0.6
_WIDE = re.compile("[\u2e80-\u312f\u3190-\u9fff\uf900-\ufaff\uff00-\uff9f\uffe0-\uffef]")
"""Not Korean, whose words are separated by spaces."""
_ALMOST_LEVEL = 0.45
_NO_GAP = 0.12
_MAX_COMPARED = 60
_RAISED, _LOWERED = 0.75, -0.45
ASCENT, DESCENT = 0.75, 0.22
"""Height of letters above and below the baseline, in units of the font size."""


@dataclass(slots=True, eq=False)
class Segment:
    """Words next to each other on one baseline, in the order of the file."""

    words: list[Word]
    order: int
    left: float = 0.0
    right: float = 0.0
    base: float = 0.0
    size: float = 0.0

    def __post_init__(self) -> None:
        main = max(self.words, key=lambda word: word.size)
        self.base, self.size = main.base, main.size
        self.left = min(word.left for word in self.words)
        self.right = max(word.right for word in self.words)

    @property
    def top(self) -> float:
        return self.base + ASCENT * self.size

    @property
    def bottom(self) -> float:
        return self.base - DESCENT * self.size


@dataclass(eq=False)
class TextLine:
    """All words of one line of a column, from left to right."""

    words: Sequence[Word]
    segments: Sequence[Segment] = field(default=(), repr=False)

    @cached_property
    def left(self) -> float:
        return min(word.left for word in self.words)

    @cached_property
    def right(self) -> float:
        return max(word.right for word in self.words)

    @cached_property
    def size(self) -> float:
        """The size of most of its letters, rounded to a quarter of a point."""
        letters: Counter[float] = Counter()
        for word in self.words:
            letters[rounded_size(word.size)] += len(word.text)
        return max(letters.items(), key=lambda one: (one[1], one[0]))[0]

    @cached_property
    def base(self) -> float:
        """The baseline of most letters of that size."""
        letters: Counter[float] = Counter()
        for word in self.words:
            if rounded_size(word.size) == self.size:
                letters[word.base] += len(word.text)
        return letters.most_common(1)[0][0]

    @cached_property
    def style(self) -> int:
        """Styles of all of its letters, apart from marks and digits around them."""
        texts = [word for word in self.words if any(map(str.isalpha, word.text))]
        style = BOLD | ITALIC | FIXED | CAPITALS
        for word in texts or self.words:
            style &= word.style
        return style

    @property
    def tag(self) -> Tag:
        """The tag of its first word."""
        return self.words[0].tag

    @cached_property
    def text(self) -> str:
        return join_words(self.words)


def rounded_size(size: float) -> float:
    """A font size in quarters of a point; one that nobody can see is not zero."""
    return max(round(size * 4) / 4, 0.25)


def segments_of(words: Iterable[Word]) -> list[Segment]:
    """Split words in the order of the file wherever the line or the column changes."""
    segments: list[Segment] = []
    current: list[Word] = []
    main, left, right = None, 0.0, 0.0
    for word in words:
        if main is not None and _share_line(main, word) and _is_near(main, left, right, word):
            current.append(word)
            main = word if word.size > main.size else main
            left, right = min(left, word.left), max(right, word.right)
            continue
        if current:
            segments.append(Segment(current, len(segments)))
        current, main, left, right = [word], word, word.left, word.right
    if current:
        segments.append(Segment(current, len(segments)))
    return segments


def _is_near(main: Word, left: float, right: float, word: Word) -> bool:
    """Whether a word follows on either side: words of Arabic may come in either order."""
    size = max(main.size, word.size)
    gap = max(word.left - right, left - word.right)
    return -_OVERLAP * size - (word.right - word.left) * 0.5 <= gap <= _SPLIT_GAP * size


def _share_line(main: Word, word: Word) -> bool:
    """Whether a word is on the baseline of another, or raised or lowered beside it."""
    large, small = (main, word) if main.size >= word.size else (word, main)
    rise = (small.base - large.base) / (large.size or 1.0)
    if abs(rise) <= _SAME_BASE:
        return True
    if word is small and word.joined and word.size < _SMALLER * large.size:
        # It is attached to a word, and therefore raised even if it is hardly smaller.
        return _LOWERED <= rise <= _RAISED
    return small.size < _SMALL * large.size and _LOWERED <= rise <= _RAISED


def lines_of(segments: Iterable[Segment]) -> list[TextLine]:
    """Lines of one column from top to bottom."""
    rows: list[list[Segment]] = []
    mains: list[Word] = []
    for segment in sorted(segments, key=lambda one: (-one.base, one.left)):
        word = max(segment.words, key=lambda one: one.size)
        if rows and (_share_line(mains[-1], word) or _is_beside(rows[-1], segment)):
            rows[-1].append(segment)
            mains[-1] = max(mains[-1], word, key=lambda one: one.size)
        else:
            rows.append([segment])
            mains.append(word)
    return [_line(row) for row in rows]


def _is_beside(row: Sequence[Segment], segment: Segment) -> bool:
    """Whether a segment of the same size is almost level with a row, and overlaps none of it."""
    if row[0].base - segment.base > _ALMOST_LEVEL * min(row[0].size, segment.size):
        return False
    return all(
        segment.left >= one.right or segment.right <= one.left for one in row[-_MAX_COMPARED:]
    )


def _line(row: Sequence[Segment]) -> TextLine:
    ordered = sorted(row, key=lambda one: one.left)
    words = [word for segment in ordered for word in segment.words]
    letters = "".join(word.text for word in words[:200])
    if is_right_to_left(letters):
        return TextLine(_right_to_left(words), ordered)
    if any(later.left < word.left for word, later in pairwise(words)):
        words.sort(key=lambda word: word.left)
    sizes = [word.size for word in words]
    if min(sizes) < _SMALL * max(sizes):
        words = list(_unstacked(words))
    return TextLine(words, ordered)


def _unstacked(words: Sequence[Word]) -> Iterator[Word]:
    """Words of a line, those of an upper limit before those of the lower limit under it."""
    main = max(words, key=lambda word: word.size)
    for level, group in groupby(words, key=lambda word: abs(_rise(main, word)) > _SAME_BASE):
        run = list(group)
        upper = [word for word in run if word.base > main.base]
        lower = [word for word in run if word.base <= main.base]
        is_stack = level and upper and lower and upper[-1].right > lower[0].left
        if is_stack and lower[-1].right > upper[0].left:
            yield from upper[:1]
            yield from _rejoined(upper)
            yield from lower[:1]
            yield from _rejoined(lower)
        else:
            yield from run


def _rejoined(words: Sequence[Word]) -> Iterator[Word]:
    """All words but the first, joined by their places: those beside them in the file are others."""
    for before, word in pairwise(words):
        yield word._replace(joined=word.left - before.right <= _NO_GAP * word.size)


def _rise(main: Word, word: Word) -> float:
    return (word.base - main.base) / (main.size or 1.0)


def is_right_to_left(text: str) -> bool:
    """Whether more letters of a text are Hebrew or Arabic than others."""
    if text.isascii():
        return False
    right = sum(is_rtl_letter(char) for char in text)
    return right > sum(map(str.isalpha, text)) - right


def is_rtl_letter(char: str) -> bool:
    return "\u0590" <= char <= "\u08ff" and char.isalpha()


def _right_to_left(words: Sequence[Word]) -> list[Word]:
    """Words of a line of Hebrew or Arabic in logical order; numbers and Latin run to the right."""
    places: list[int] = []
    run: list[int] = []
    for at in sorted(range(len(words)), key=lambda at: -words[at].right):
        text = words[at].text
        if any(map(is_rtl_letter, text)) or not any(map(str.isalnum, text)):
            places += reversed(run)
            run = []
            places.append(at)
        else:
            run.append(at)
    order = places + run[::-1]
    first = [words[order[0]]] if order else []
    return first + [
        words[at]._replace(joined=_are_joined(words, before, at)) for before, at in pairwise(order)
    ]


def _are_joined(words: Sequence[Word], before: int, at: int) -> bool:
    """Whether no space is between two words that stand next to each other in a new order."""
    if abs(at - before) == 1:
        return words[max(at, before)].joined
    one, other = words[before], words[at]
    gap = max(other.left - one.right, one.left - other.right)
    return gap <= _NO_GAP * other.size


def is_apart(before: Word, word: Word) -> bool:
    """Whether a space stands between two words of a line."""
    gap = max(word.left - before.right, before.left - word.right)
    if is_wide(before.text[-1:]) and is_wide(word.text[:1]):
        # Boxes of vertical text say little about how far a character reaches.
        step = abs(word.left - before.left) - len(before.text) * before.size
        return min(gap, step) > _WIDE_GAP * word.size
    return not word.joined or gap > _LETTER_GAP * min(word.size, before.size)


def is_wide(char: str) -> bool:
    """Whether a character is Chinese or Japanese, which need no spaces."""
    return _WIDE.match(char) is not None


def join_words(words: Sequence[Word]) -> str:
    """The words of a line as plain text."""
    parts: list[str] = []
    for at, word in enumerate(words):
        if at and is_apart(words[at - 1], word):
            parts.append(" ")
        parts.append(word.text)
    return "".join(parts)
