"""Direction of change in a clause: words for more and for less, clause boundaries, negation."""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache

from sourcewright.base.language.lexicon import regex_alternatives, stop_words, words
from sourcewright.base.language.measures import without_quantities
from sourcewright.base.language.stems import stem_of
from sourcewright.base.language.terms import fold_for_matching

NUMBER_MARK = "#"
_CLAUSE_END = "|"
_TOKEN = re.compile(r"#|[^\W_]+(?:-[^\W_]+)*|[,;:?()\u2013\u2014\u201c\u201d\"]")
_WORD_OR_NUMBER = re.compile(r"[#?\w]")
_WORD = re.compile(r"[^\W_]+")
_NAME = re.compile(r"(?<![.!?]\s)(?<=\s)[A-Z][^\W_]*|\b[A-Z]{2,5}\b")
_ADVERB = re.compile(
    r"(?!\w*(?:supply|family|italy|assembly|anomaly|monopoly|butterfly|ally$))[a-z]{3,}ly"
)
_MAX_SHORT_WORD = 2


@dataclass(frozen=True, slots=True)
class SentenceWords:
    """The folded words of a sentence; `#` replaces a number, `|` marks a possible clause end."""

    text: str
    names: frozenset[str]
    """Capitalised words that do not start a sentence, and words in capitals."""
    language: str

    def stems(self, piece: str) -> frozenset[str]:
        """Return the stems of the content words of a piece, without stop words and numbers."""
        ignored_words = stop_words(self.language) - self.names
        content_words = (word for word in _WORD.findall(piece) if word not in ignored_words)
        return frozenset(
            stem_of(word, self.language) for word in content_words if self._has_meaning(word)
        )

    def matter(self, piece: str) -> frozenset[str]:
        """As `stems`, without reporting words (who said or found it)."""
        return self.stems(piece) - _modifier_stems(self.language, "reports")

    def heavy(self, piece: str) -> frozenset[str]:
        """As `matter`, without modifiers that fit any statement: when, how much, how fast."""
        bare = " ".join(word for word in piece.split() if not _ADVERB.fullmatch(word))
        times = _modifier_stems(self.language, "times")
        return self.matter(bare) - times - _modifier_stems(self.language, "others")

    def clause(self, start: int, end: int) -> tuple[str, str]:
        """Return the text before and after a span, within its clause."""
        opener = _clause_openers(self.language)
        before = opener.split(self.text[:start])[-1]
        return before, opener.split(self.text[end:], maxsplit=1)[0]

    def _has_meaning(self, word: str) -> bool:
        return (
            len(word) > _MAX_SHORT_WORD
            or word in self.names
            or not word.isascii()
            or word.isdecimal()
        )


def tokenise_sentence(sentence: str, language: str) -> SentenceWords:
    """Tokenise a sentence, with its quantities replaced by `#`."""
    bare = without_quantities(sentence, language, instead=NUMBER_MARK)
    tokens = _TOKEN.findall(fold_for_matching(bare))
    text = " ".join(word if _WORD_OR_NUMBER.match(word) else _CLAUSE_END for word in tokens)
    return SentenceWords(
        text, frozenset(fold_for_matching(name) for name in _NAME.findall(bare)), language
    )


@cache
def _clause_openers(language: str) -> re.Pattern[str]:
    return re.compile(rf"[|?]|\b(?:{'|'.join(words('clause openers')[language])})\b")


@cache
def _modifier_stems(language: str, name: str) -> frozenset[str]:
    listed = words("light words")[f"{language} {name}"]
    return frozenset(stem_of(word, language) for word in listed)


@dataclass(frozen=True, slots=True)
class DirectionWord:
    """A word that means up or down on an axis of opposites, and its position."""

    axis: str
    up: bool
    word: str
    start: int
    end: int

    def opposes(self, other: "DirectionWord") -> bool:
        return self.axis == other.axis and self.up != other.up


def can_parse_language(language: str) -> bool:
    """Whether the word lists of a language suffice to parse clauses, not only verbs of change."""
    return language in words("clause openers")


def find_direction_words(line: SentenceWords) -> list[DirectionWord]:
    """Return the direction words in order, without idioms that have no direction."""
    if not _directions(line.language):
        return []
    idioms = [match.span() for match in _idiom_pattern(line.language).finditer(line.text)]
    return [
        DirectionWord(*_direction(match.lastgroup or ""), match[0], *match.span())
        for match in _direction_pattern(line.language).finditer(line.text)
        if not any(start <= match.start() < end for start, end in idioms)
    ]


def has_opposite_direction(
    signs: Sequence[DirectionWord], claimed: Sequence[DirectionWord]
) -> bool:
    """Whether the direction words oppose those of the claim, whatever their subject."""
    from_claim, from_sentence = unmatched_direction_words(claimed, signs)
    return any(one.opposes(its) for one in from_claim for its in from_sentence)


def unmatched_direction_words(
    some: Sequence[DirectionWord], others: Sequence[DirectionWord]
) -> tuple[list[DirectionWord], list[DirectionWord]]:
    """Remove the pairs that match from both: same words first, then same directions."""
    first, second = list(some), list(others)
    for key in (_word_key, _direction_key):
        first, second = _unmatched(first, second, key), _unmatched(second, first, key)
    return first, second


def _word_key(sign: DirectionWord) -> tuple[str, ...]:
    return sign.axis, str(sign.up), sign.word


def _direction_key(sign: DirectionWord) -> tuple[str, ...]:
    return sign.axis, str(sign.up)


def _unmatched(
    signs: Sequence[DirectionWord],
    others: Sequence[DirectionWord],
    key: Callable[[DirectionWord], tuple[str, ...]],
) -> list[DirectionWord]:
    available, unmatched = Counter(map(key, others)), []
    for one in signs:
        if available[key(one)]:
            available[key(one)] -= 1
        else:
            unmatched.append(one)
    return unmatched


@cache
def _directions(language: str) -> list[tuple[str, bool, str]]:
    return [
        (name.removeprefix(f"{language} "), up, cues)
        for name, pair in words("directions").items()
        if name.startswith(f"{language} ")
        for up, cues in zip((True, False), pair, strict=True)
    ]


def _direction(group: str) -> tuple[str, bool]:
    axis, _, side = group.partition("_")
    return axis, side == "up"


@cache
def _direction_pattern(language: str) -> re.Pattern[str]:
    groups = [
        f"(?P<{axis}_{'up' if up else 'down'}>{cues})" for axis, up, cues in _directions(language)
    ]
    return re.compile(rf"(?<!\S)(?:{'|'.join(groups)})(?!\S)")


@cache
def _idiom_pattern(language: str) -> re.Pattern[str]:
    cues = words("no directions").get(language, ["(?!)"])
    return re.compile(rf"(?<!\S)(?:{'|'.join(cues)})(?!\S)")


_APOSTROPHES = re.compile("['\u2019\u02bc`]")
_WHITE_SPACE = re.compile(r"\s+")
_NEGATION = re.compile(r"(?<!\S)(?:not|never|no|cannot|\w+n t|fail(?:s|ed|ing)? to)(?!\S)")
"""English words that only negate."""


def negates(sentence: str, language: str) -> bool:
    """Whether a sentence in that language contains a word of negation or refutation."""
    folded = _WHITE_SPACE.sub(" ", _APOSTROPHES.sub(" ", fold_for_matching(sentence)))
    return bool(
        _negation_pattern(language).search(folded) or _unspaced_negation_pattern().search(sentence)
    )


def affirmed(folded: str) -> str:
    """Return a folded English sentence without the words that only negate."""
    return _WHITE_SPACE.sub(" ", _NEGATION.sub(" ", folded)).strip()


@cache
def _negation_pattern(language: str) -> re.Pattern[str]:
    """Negations of the language, of English, and of non-ASCII lists, which are unambiguous."""
    cues = words("negations").items()
    selected = [
        cue
        for name, listed in cues
        for cue in listed
        if name in {language, "en"} or not any(one.isascii() for one in listed)
    ]
    return re.compile(rf"(?<![^\W_])(?:{'|'.join(selected)})(?![^\W_])")


@cache
def _unspaced_negation_pattern() -> re.Pattern[str]:
    return re.compile(regex_alternatives("negations unspaced"))
