"""Direction of change in a clause: words for more and for less, and what they refer to.

A sentence as its words stand in it, with marks where a clause or a number stands.
Knows the words by which a sentence denies or refutes something.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from sourcewright.logic.language.lexicon import alternatives, stop_words, words
from sourcewright.logic.language.measures import without_quantities
from sourcewright.logic.language.stems import stem_of
from sourcewright.logic.language.terms import comparable

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


@dataclass(frozen=True, slots=True)
class Sign:
    """A word that points up or down, on the axis of its opposites, and where it stands."""

    axis: str
    up: bool
    word: str
    start: int
    end: int

    def opposes(self, other: "Sign") -> bool:
        return self.axis == other.axis and self.up != other.up


def knows(language: str) -> bool:
    """Whether more than its verbs of change are known of a language, so that it can be parsed."""
    return language in words("clause openers")


def signs_in(line: Line) -> list[Sign]:
    """The words that point somewhere, in order; idioms that point nowhere are none."""
    if not _ways(line.language):
        return []
    idle = [found.span() for found in _idle(line.language).finditer(line.text)]
    return [
        Sign(*_way(found.lastgroup or ""), found[0], *found.span())
        for found in _pointing(line.language).finditer(line.text)
        if not any(start <= found.start() < end for start, end in idle)
    ]


def points_away(signs: Sequence[Sign], claimed: Sequence[Sign]) -> bool:
    """Whether signs point the other way alone, whatever they are said of."""
    mine, theirs = unshared(claimed, signs)
    return any(one.opposes(its) for one in mine for its in theirs)


def unshared(some: Sequence[Sign], others: Sequence[Sign]) -> tuple[list[Sign], list[Sign]]:
    """Both without those that both have: the same words first, then what points the same way."""
    mine, theirs = list(some), list(others)
    for alike in (_as_word, _as_way):
        mine, theirs = _left(mine, theirs, alike), _left(theirs, mine, alike)
    return mine, theirs


def _as_word(sign: Sign) -> tuple[str, ...]:
    return sign.axis, str(sign.up), sign.word


def _as_way(sign: Sign) -> tuple[str, ...]:
    return sign.axis, str(sign.up)


def _left(
    signs: Sequence[Sign], others: Sequence[Sign], alike: Callable[[Sign], tuple[str, ...]]
) -> list[Sign]:
    there, left = Counter(map(alike, others)), []
    for one in signs:
        if there[alike(one)]:
            there[alike(one)] -= 1
        else:
            left.append(one)
    return left


@cache
def _ways(language: str) -> list[tuple[str, bool, str]]:
    return [
        (name.removeprefix(f"{language} "), up, cues)
        for name, pair in words("directions").items()
        if name.startswith(f"{language} ")
        for up, cues in zip((True, False), pair, strict=True)
    ]


def _way(group: str) -> tuple[str, bool]:
    axis, _, way = group.partition("_")
    return axis, way == "up"


@cache
def _pointing(language: str) -> re.Pattern[str]:
    groups = [f"(?P<{axis}_{'up' if up else 'down'}>{cues})" for axis, up, cues in _ways(language)]
    return re.compile(rf"(?<!\S)(?:{'|'.join(groups)})(?!\S)")


@cache
def _idle(language: str) -> re.Pattern[str]:
    cues = words("no directions").get(language, ["(?!)"])
    return re.compile(rf"(?<!\S)(?:{'|'.join(cues)})(?!\S)")


_APOSTROPHES = re.compile("['\u2019\u02bc`]")
_BLANKS = re.compile(r"\s+")
_DENIAL = re.compile(r"(?<!\S)(?:not|never|no|cannot|\w+n t|fail(?:s|ed|ing)? to)(?!\S)")
"""Of English, what denies and says nothing else."""


def negates(sentence: str, language: str) -> bool:
    """Whether a sentence of that language has a word of negation or refutation."""
    folded = _BLANKS.sub(" ", _APOSTROPHES.sub(" ", comparable(sentence)))
    return bool(_spaced(language).search(folded) or _unspaced().search(sentence))


def affirmed(folded: str) -> str:
    """A folded English sentence without the words that do nothing but deny."""
    return _BLANKS.sub(" ", _DENIAL.sub(" ", folded)).strip()


@cache
def _spaced(language: str) -> re.Pattern[str]:
    """The cues of the language, of English, and of scripts in which they mean nothing else."""
    cues = words("negations").items()
    chosen = [
        cue
        for name, some in cues
        for cue in some
        if name in {language, "en"} or not any(one.isascii() for one in some)
    ]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(chosen)})(?![^\W_])")


@cache
def _unspaced() -> re.Pattern[str]:
    return re.compile(alternatives("negations unspaced"))
