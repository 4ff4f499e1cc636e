"""Tokenises a claim into terms, and finds which of them a sentence contains."""

import re
from dataclasses import dataclass, field
from itertools import pairwise

from sourcewright.base.language.lexicon import stop_words
from sourcewright.base.language.stems import possible_prefixes, stem_of
from sourcewright.base.text.words import UNSPACED, fold_for_search

_TRIPLED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Unspaced scripts with an alphabet: letter pairs would match everywhere, so triples are used."""
_INDIC = "\u0900-\u0963\u0966-\u0dff\u0f71-\u0fbc"
_PAIRED = UNSPACED.replace(_TRIPLED, "")
_WORD = re.compile(rf"[^\W\d_{UNSPACED}](?:[^\W_{UNSPACED}]++|[{_INDIC}]++)*+")
_RUN = re.compile(rf"[{_TRIPLED}]{{3,}}|[{_PAIRED}]{{1,}}")
_PLAIN_WORD = re.compile("[a-z][a-z0-9]+")
_TRIPLED_CHARACTER = re.compile(f"[{_TRIPLED}]")
_GRAMMAR_PAIR = re.compile("[\u3041-\u309f]{2}|.?[的了着之与和及在是也].?")
"""Pairs that carry grammar only: Japanese inflections, Chinese particles and conjunctions."""
# Invisible characters, and Arabic ligatures that normalisation would expand eighteenfold.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060\ufeff\ufdfa\ufdfb]+")
_HYPHENATED = re.compile(r"(?<=[a-z])-\n\s*(?=[a-z])")
"""A word that was hyphenated at the end of a line."""
_ACCENTS = (
    "[\u0300-\u036f\u0591-\u05c7\u064b-\u065f\u0e31-\u0e4e\u0f18-\u0fbc\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u20d0-\u20ff\u302a-\u302f\u3099\u309a\ufe20-\ufe2f]"
)
_ACCENT_RUN = re.compile(f"({_ACCENTS}{{4}}){_ACCENTS}+")
_ACRONYM = re.compile(r"\b[A-Z]{2}\b")
_MIN_LETTERS = 3
_MAX_CACHED = 50_000
"""Distinct words that are stemmed and cached; no real text has more that may match."""


def fold_for_matching(text: str) -> str:
    """Fold the text without invisible characters.

    Runs of combining accents are cut, because normalising them takes quadratic time.
    """
    text = _HYPHENATED.sub("", text) if "-\n" in text else text
    if text.isascii():
        return fold_for_search(text)
    return fold_for_search(_ACCENT_RUN.sub(r"\1", _INVISIBLE.sub("", text)))


def words_in(text: str) -> list[str]:
    """Return the words in spaced scripts of a folded text."""
    return (_PLAIN_WORD if text.isascii() else _WORD).findall(text)


def ngrams_in(text: str) -> list[str]:
    """Return n-grams of unspaced scripts: pairs of ideographs or kana, triples of letters."""
    groups: list[str] = []
    for run in [] if text.isascii() else _RUN.findall(text):
        if _TRIPLED_CHARACTER.match(run):
            groups += [a + b + c for a, b, c in zip(run, run[1:], run[2:], strict=False)]
        else:
            groups += [a + b for a, b in pairwise(run)] or [run]
    return groups


@dataclass(slots=True)
class Vocabulary:
    """The terms of a claim, one bit each, with a cache of the words seen in the text."""

    size: int
    language: str
    _bit_by_stem: dict[str, int] = field(default_factory=dict)
    _bit_by_group: dict[str, int] = field(default_factory=dict)
    _prefixes: frozenset[str] = frozenset()
    _bit_by_word: dict[str, int] = field(default_factory=dict)

    def mask_of(self, sentence: str) -> int:
        """Return the bit mask of the terms that a folded sentence contains."""
        mask = 0
        for word in words_in(sentence):
            if word[:2] in self._prefixes:
                bit = self._bit_by_word.get(word)
                mask |= self._bit_of(word) if bit is None else bit
        if self._bit_by_group:
            for group in ngrams_in(sentence):
                mask |= self._bit_by_group.get(group, 0)
        return mask

    def _bit_of(self, word: str) -> int:
        if len(self._bit_by_word) >= _MAX_CACHED:
            return self._bit_by_stem.get(word, 0)
        bit = self._bit_by_stem.get(stem_of(word, self.language), 0)
        self._bit_by_word[word] = bit
        return bit


def vocabulary_of(claim: str, language: str) -> Vocabulary:
    """Return the content words of a claim."""
    folded_claim, ignored_words = fold_for_matching(claim), stop_words(language)
    acronyms = {acronym.lower() for acronym in _ACRONYM.findall(claim)}
    stems: dict[str, int] = {}
    for word in words_in(folded_claim):
        if word not in ignored_words and (
            len(word) >= _MIN_LETTERS or word in acronyms or _is_dense(word)
        ):
            stems.setdefault(stem_of(word, language), 1 << len(stems))
    groups = dict.fromkeys(
        one for one in ngrams_in(folded_claim) if not _GRAMMAR_PAIR.fullmatch(one)
    )
    return Vocabulary(
        size=len(stems) + len(groups),
        language=language,
        _bit_by_stem=stems,
        _bit_by_group={group: 1 << at for at, group in enumerate(groups, len(stems))},
        _prefixes=frozenset().union(*map(possible_prefixes, stems)),
    )


def _is_dense(word: str) -> bool:
    """Whether a two-character word can carry meaning: with a digit or non-ASCII letters."""
    return len(word) > 1 and not (word.isascii() and word.isalpha())
