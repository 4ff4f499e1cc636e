"""A sentence as its words stand in it, with marks where a clause or a number stands."""

import re
from dataclasses import dataclass
from functools import cache

from sourcewright.logic.weighing.lexicon import words
from sourcewright.logic.weighing.measures import without_quantities
from sourcewright.logic.weighing.stems import stem_of
from sourcewright.logic.weighing.stop_words import stop_words
from sourcewright.logic.weighing.terms import comparable

NUMBER = "#"
_BREAK = "|"
_TOKEN = re.compile(r"#|[^\W_]+(?:-[^\W_]+)*|[,;:?()\u2013\u2014\u201c\u201d\"]")
_SAYS = re.compile(r"[#?\w]")
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"(?<![.!?]\s)(?<=\s)[A-Z][^\W_]*|\b[A-Z]{2,5}\b")
_ADVERB = re.compile(
    r"(?!\w*(?:supply|family|italy|assembly|anomaly|monopoly|butterfly|ally$))[a-z]{3,}ly"
)
_LEAST = 2


@dataclass(frozen=True, slots=True)
class Line:
    """The words of a sentence, folded; `#` stands for a number, `|` where a clause may end."""

    text: str
    names: frozenset[str]
    """Words that begin with a capital where no sentence does, and what is all capitals."""
    language: str

    def stems(self, piece: str) -> frozenset[str]:
        """What a piece of it speaks of: without common words and numbers."""
        common = stop_words(self.language) - self.names
        told = (word for word in _WORD.findall(piece) if word not in common)
        return frozenset(stem_of(word, self.language) for word in told if self._says(word))

    def matter(self, piece: str) -> frozenset[str]:
        """As `stems`, without who said or found it."""
        return self.stems(piece) - _light(self.language, "reports")

    def heavy(self, piece: str) -> frozenset[str]:
        """As `matter`, without what may be added to any statement: when, how much, how fast."""
        bare = " ".join(word for word in piece.split() if not _ADVERB.fullmatch(word))
        times, others = _light(self.language, "times"), _light(self.language, "others")
        return self.matter(bare) - times - others

    def clause(self, start: int, end: int) -> tuple[str, str]:
        """What stands before and behind a place, as far as its clause goes."""
        opener = _openers(self.language)
        before = opener.split(self.text[:start])[-1]
        return before, opener.split(self.text[end:], maxsplit=1)[0]

    def _says(self, word: str) -> bool:
        return len(word) > _LEAST or word in self.names or not word.isascii() or word.isdecimal()


def line_of(sentence: str, language: str) -> Line:
    """A sentence as its reader sees it, taken apart."""
    bare = without_quantities(sentence, language, instead=NUMBER)
    tokens = _TOKEN.findall(comparable(bare))
    text = " ".join(word if _SAYS.match(word) else _BREAK for word in tokens)
    return Line(text, frozenset(comparable(name) for name in _NAME.findall(bare)), language)


@cache
def _openers(language: str) -> re.Pattern[str]:
    return re.compile(rf"[|?]|\b(?:{'|'.join(words('clause openers')[language])})\b")


@cache
def _light(language: str, name: str) -> frozenset[str]:
    listed = words("light words")[f"{language} {name}"]
    return frozenset(stem_of(word, language) for word in listed)
