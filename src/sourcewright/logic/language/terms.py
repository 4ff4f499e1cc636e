"""Tokenises a claim into terms, and tells which of them a sentence contains."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from sourcewright.logic.language.lexicon import stop_words
from sourcewright.logic.language.stems import openings_of, stem_of
from sourcewright.logic.text.words import UNSPACED, folded

_SYLLABLES = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Unspaced scripts with an alphabet: pairs of their letters would be everywhere."""
_INDIC = "\u0900-\u0963\u0966-\u0dff\u0f71-\u0fbc"
_SIGNS = UNSPACED.replace(_SYLLABLES, "")
_WORD = re.compile(rf"[^\W\d_{UNSPACED}](?:[^\W_{UNSPACED}]++|[{_INDIC}]++)*+")
_RUN = re.compile(rf"[{_SYLLABLES}]{{3,}}|[{_SIGNS}]{{1,}}")
_PLAIN_WORD = re.compile("[a-z][a-z0-9]+")
_SYLLABLE = re.compile(f"[{_SYLLABLES}]")
_GRAMMAR = re.compile("[\u3041-\u309f]{2}|.?[的了着之与和及在是也].?")
"""Pairs of syllables that inflect Japanese words, and of signs that join Chinese ones."""
# What is not seen, and a whole phrase in one sign, which would grow eighteenfold.
_QUIET = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\ufdfa\ufdfb]+")
_PARTED = re.compile(r"(?<=[a-z])-\n\s*(?=[a-z])")
"""A word that was parted at the end of a line."""
_ACCENTS = (
    "[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0e31-\u0e4e\u0f18-\u0fbc\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]"
)
_PILE = re.compile(f"({_ACCENTS}{{4}}){_ACCENTS}+")
_ACRONYM = re.compile(r"\b[A-Z]{2}\b")
_LEAST = 3
_MOST_MET = 50_000
"""Different words that are brought to their stems; more than any true text has that may match."""


def comparable(text: str) -> str:
    """As `folded`, without what is not seen. Piles of accents would take quadratic time."""
    text = _PARTED.sub("", text) if "-\n" in text else text
    if text.isascii():
        return folded(text)
    return folded(_PILE.sub(r"\1", _QUIET.sub("", text)))


def words_in(text: str) -> list[str]:
    """The words of a comparable text that are written with blanks between them."""
    return (_PLAIN_WORD if text.isascii() else _WORD).findall(text)


def groups_in(text: str) -> list[str]:
    """Overlapping groups of signs where words are not spaced: two signs, or three letters."""
    groups: list[str] = []
    for run in [] if text.isascii() else _RUN.findall(text):
        if _SYLLABLE.match(run):
            groups += [a + b + c for a, b, c in zip(run, run[1:], run[2:], strict=False)]
        else:
            groups += [a + b for a, b in pairwise(run)] or [run]
    return groups


@dataclass(slots=True)
class Vocabulary:
    """The terms of a claim, each a bit, and what is known of the words that were met."""

    size: int
    language: str
    _bits: dict[str, int] = field(default_factory=dict)
    _groups: dict[str, int] = field(default_factory=dict)
    _openings: frozenset[str] = frozenset()
    _met: dict[str, int] = field(default_factory=dict)

    def mask_of(self, sentence: str) -> int:
        """Which terms a comparable sentence has."""
        mask = 0
        for word in words_in(sentence):
            if word[:2] in self._openings:
                bit = self._met.get(word)
                mask |= self._meet(word) if bit is None else bit
        if self._groups:
            for group in groups_in(sentence):
                mask |= self._groups.get(group, 0)
        return mask

    def _meet(self, word: str) -> int:
        if len(self._met) >= _MOST_MET:
            return self._bits.get(word, 0)
        bit = self._bits.get(stem_of(word, self.language), 0)
        self._met[word] = bit
        return bit


def vocabulary_of(claim: str, language: str) -> Vocabulary:
    """The words of a claim that say something."""
    folded_claim, common = comparable(claim), stop_words(language)
    acronyms = {found.lower() for found in _ACRONYM.findall(claim)}
    stems: dict[str, int] = {}
    for word in words_in(folded_claim):
        if word not in common and (len(word) >= _LEAST or word in acronyms or _is_dense(word)):
            stems.setdefault(stem_of(word, language), 1 << len(stems))
    groups = dict.fromkeys(one for one in groups_in(folded_claim) if not _GRAMMAR.fullmatch(one))
    return Vocabulary(
        size=len(stems) + len(groups),
        language=language,
        _bits=stems,
        _groups={group: 1 << at for at, group in enumerate(groups, len(stems))},
        _openings=frozenset().union(*map(openings_of, stems)),
    )


def _is_dense(word: str) -> bool:
    """Whether two signs can be a word of weight: with a digit, or in a script of syllables."""
    return len(word) > 1 and not (word.isascii() and word.isalpha())
