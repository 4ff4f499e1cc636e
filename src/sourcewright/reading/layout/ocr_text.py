"""Text of a scanned page from the words that OCR recognised: paragraphs, and how sure it is."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from statistics import fmean
from typing import NamedTuple

from sourcewright.reading.layout.inline import unwrap
from sourcewright.reading.layout.letters.hyphens import join_hyphenated

_WORD_LEVEL = 5
_COLUMNS = 12
_MAX_WORDS = 20_000
_MIN_CONFIDENCE = 30.0
"""Confidence in percent below which a word is noise, such as the grain of a picture."""
_MIN_MEAN = 55.0
_MIN_LETTERS = 3


class _Word(NamedTuple):
    paragraph: tuple[str, ...]
    line: tuple[str, ...]
    confidence: float
    text: str


def recognised_paragraphs(table: str) -> tuple[str, ...]:
    """The paragraphs in Tesseract's table of words; none if they are too uncertain to be read."""
    words = [word for word in _words(table) if word.confidence >= _MIN_CONFIDENCE]
    letters = sum(map(str.isalnum, "".join(word.text for word in words)))
    if letters < _MIN_LETTERS or fmean(word.confidence for word in words) < _MIN_MEAN:
        return ()
    paragraphs = (_joined(group) for _, group in groupby(words, key=lambda word: word.paragraph))
    return tuple(one for one in paragraphs if any(map(str.isalnum, one)))


def _words(table: str) -> Iterator[_Word]:
    for row in table.split("\n")[: 3 * _MAX_WORDS]:
        cells = row.rstrip("\r").split("\t", _COLUMNS - 1)
        if len(cells) < _COLUMNS or cells[0] != str(_WORD_LEVEL):
            continue
        text = "".join(cells[-1].split())
        try:
            confidence = float(cells[10])
        except ValueError:
            continue
        if text:
            # Level, page, block, paragraph and line come first.
            yield _Word(tuple(cells[1:4]), tuple(cells[1:5]), confidence, text)


def _joined(words: Iterable[_Word]) -> str:
    lines = [
        " ".join(word.text for word in group)
        for _, group in groupby(words, key=lambda word: word.line)
    ]
    return unwrap(join_hyphenated("\n".join(lines)))
