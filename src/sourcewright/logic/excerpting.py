"""Where the words of a question stand in the texts of a paper, and what is shown of it."""

from bisect import bisect
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice

from sourcewright.logic.seeking import Term, apart, folded

_ENOUGH = 60
"""What a word counts in one paper at most, about; more places make it no weightier."""

_AROUND = 80
"""Characters that are shown before a place; behind it, twice as many."""

_SHORT = 3 * _AROUND

_PLAIN = bytes(ord(chr(code).lower()) if chr(code).isalnum() else 32 for code in range(128))
_PLAIN_OR_NOTHING = _PLAIN.ljust(256)
"""Small letters and digits, and blanks in place of anything else."""


class Texts:
    """Texts one behind the other, folded, so that a word is looked for once in all of them.

    Where they hold plain letters alone, nothing but blanks is left between the words, so that
    a word is found together with its ends. Other letters need a look at their neighbours.
    """

    __slots__ = ("_ends", "_folded", "_plain", "_texts")

    def __init__(self, texts: Sequence[str]) -> None:
        whole = " ".join(texts)
        parts = texts
        self._plain = whole.isascii()
        if self._plain:
            # Through bytes, because strings are translated several times more slowly.
            whole = whole.encode().translate(_PLAIN_OR_NOTHING).decode()
        else:
            parts = [folded(text) for text in texts]
            whole = " ".join(parts)
        # A place is that of the blank before a word, which is its own without the first blank.
        self._folded = f" {whole} "
        self._texts = texts
        self._ends = list(accumulate([len(text) + 1 for text in parts]))

    def __len__(self) -> int:
        return len(self._folded)

    def weigh(self, term: Term, weights: Sequence[int]) -> tuple[int, int]:
        """What a term of one word counts by the texts that it stands in, and its first place.

        Without a place it counts nothing, and beyond enough places no more.
        """
        [word] = term.words
        if not self._plain:
            return self._weigh_by_letter(word, weights, whole=not term.prefix)
        text, ends = self._folded, self._ends
        sought = f" {word}" if term.prefix else f" {word} "
        first = at = text.find(sought)
        count = 0
        while at >= 0 and count < _ENOUGH:
            count += weights[bisect(ends, at)]
            at = text.find(sought, at + len(word))
        return count, first

    def is_in_first(self, place: int) -> bool:
        return place < self._ends[0]

    def first(self, terms: Iterable[Term]) -> int:
        """The first place where a word begins like one of the terms; -1 for nowhere."""
        places = [self._first(term.words[0]) for term in terms]
        return min((place for place in places if place >= 0), default=-1)

    def around(self, place: int) -> str:
        """What is shown of the text that a place is in: all of it, if it is short.

        Folding can change the length of a text, so that a place in one is a place
        in the other only when the lengths agree; else the beginning is shown.
        """
        number = bisect(self._ends, place)
        text = self._texts[number]
        if len(text) <= _SHORT:
            return text
        start = self._ends[number - 1] if number else 0
        same = self._ends[number] - start == len(text) + 1
        return _cut(text, place - start if same else 0)

    def _first(self, word: str) -> int:
        if self._plain:
            return self._folded.find(f" {word}")
        return next(self._places_by_letter(word, whole=False), -1)

    def _weigh_by_letter(
        self, word: str, weights: Sequence[int], *, whole: bool
    ) -> tuple[int, int]:
        places = list(islice(self._places_by_letter(word, whole=whole), _ENOUGH))
        count = sum(weights[bisect(self._ends, place)] for place in places)
        return count, places[0] if places else -1

    def _places_by_letter(self, word: str, *, whole: bool) -> Iterator[int]:
        at = self._folded.find(word)
        while at >= 0:
            end = at + len(word)
            ended = not whole or apart(self._folded[end], word)
            if ended and apart(self._folded[at - 1], word):
                yield at - 1
            at = self._folded.find(word, end)


def is_excerpt(text: str, terms: Iterable[Term]) -> bool:
    """Whether a text is shown whole because it is short and one of the terms begins in it."""
    if len(text) > _SHORT:
        return False
    plain = folded(text)
    return any(_begins(plain, term.words[0]) for term in terms)


def _begins(plain: str, word: str) -> bool:
    at = plain.find(word)
    while at > 0 and not apart(plain[at - 1], word):
        at = plain.find(word, at + len(word))
    return at >= 0


def _cut(text: str, at: int) -> str:
    """So much of a text before and behind a place, at blanks where there are some."""
    start, stop = max(0, at - _AROUND), at + 2 * _AROUND
    if start:
        start = text.rfind(" ", max(0, start - 20), start) + 1 or start
    if stop < len(text):
        blank = text.find(" ", stop, stop + 20)
        stop = blank if blank >= 0 else stop
    shown = text[start:stop].strip()
    if "  " in shown or not shown.isprintable():
        shown = " ".join(shown.split())
    return f"{'…' if start else ''}{shown}{'…' if stop < len(text) else ''}"
