"""Titles of a citation and of a record: same, shortened, misspelled, altered, different."""

import re
import unicodedata
from functools import lru_cache
from html import unescape
from typing import Literal, NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from sourcewright.base.text.scripts import is_same_script
from sourcewright.base.text.unicode import fold_text
from sourcewright.base.works import WorkRecord
from sourcewright.references.comparison.match import Fingerprint, title_relation

TitleAgreement = Literal["same", "shortened", "cut", "typo", "altered", "foreign", "different"]
"""`shortened`: one lacks the subtitle of the other. `cut`: the citation stops with an ellipsis or in
the middle of the title. `typo`: one letter of one word differs. `altered`: words differ. `foreign`:
they are in different scripts, so that one may be a translation."""

SAME: frozenset[TitleAgreement] = frozenset({"same", "shortened", "cut", "typo"})
"""The kinds of agreement in which a citation names this title."""

MIN_ALTERED = 72.0
"""Per cent of equal letters, or of shared words, of an altered title."""
_MIN_CUT = 30
_MIN_TYPO = 5
"""Shorter words differ in one letter from many others."""
_TAG = re.compile(r"</?[A-Za-z][A-Za-z0-9:]{0,20}(?:\s[^<>]{0,200})?/?>")
_SPELLINGS = (
    (re.compile(r"is(e[drs]?|ers|ing|ations?)$"), r"iz\1"),
    (re.compile(r"our(s|ed|ing|al|able|ite)?$"), r"or\1"),
    (re.compile(r"([aeiou])ll(ing|ed|ers?)$"), r"\1l\2"),
    (re.compile(r"(cent|fib|lit|met|theat)re(s?)$"), r"\1er\2"),
    (re.compile(r"logue(s?)$"), r"log\1"),
    (re.compile(r"ae|oe"), "e"),
)
"""British and American endings, brought to one form on both sides."""
_GREEK_LETTERS = {
    letter: f" {unicodedata.name(chr(letter)).rpartition(' ')[2].lower()} "
    for letter in range(0x3B1, 0x3CA)
}
"""Greek letters, which some records spell out."""
_SIGNS = str.maketrans({"+": "plus", "#": "sharp"})
"""Symbols that distinguish names, as in C++ and C#, which folding would drop."""


class ComparableTitle(NamedTuple):
    """A title prepared for comparison."""

    fingerprint: Fingerprint
    words: tuple[str, ...]
    letters: str
    is_cut: bool


@lru_cache(maxsize=4096)
def prepare_title(text: str) -> ComparableTitle:
    """The title without markup, case, accents, punctuation and spelling variants."""
    plain = _TAG.sub("", unescape(text[:1000]))
    fingerprint = Fingerprint(WorkRecord(source="", title=plain))
    folded = fold_text(fingerprint.title.translate(_SIGNS)).translate(_GREEK_LETTERS)
    words = tuple(map(_spelled, folded.split()))
    is_cut = plain.rstrip().endswith(("...", "\u2026"))
    return ComparableTitle(fingerprint, words, "".join(words), is_cut)


def title_agreement(given: str, recorded: str) -> TitleAgreement:
    """How the title of a citation relates to that of a record."""
    cited, known = prepare_title(given), prepare_title(recorded)
    if not cited.letters or not known.letters:
        return "different"
    if cited.fingerprint.label != known.fingerprint.label:
        return "different"
    if cited.letters == known.letters:
        return "same"
    if title_relation(cited.fingerprint, known.fingerprint) == "shortened":
        return "shortened"
    if not is_same_script(cited.letters, known.letters):
        return "foreign"
    return _inexact_agreement(cited, known)


def _inexact_agreement(cited: ComparableTitle, known: ComparableTitle) -> TitleAgreement:
    if cited.is_cut and len(cited.letters) >= _MIN_CUT and known.letters.startswith(cited.letters):
        return "cut"
    if _is_typo(cited, known):
        return "typo"
    return "altered" if title_similarity(cited, known) >= MIN_ALTERED else "different"


def title_similarity(cited: ComparableTitle, known: ComparableTitle) -> float:
    """Per cent of equal letters or of shared words, whichever is more."""
    letters = fuzz.ratio(cited.letters, known.letters)
    return max(letters, fuzz.token_sort_ratio(" ".join(cited.words), " ".join(known.words)))


def _is_typo(cited: ComparableTitle, known: ComparableTitle) -> bool:
    """Whether exactly one word differs, in one letter that changes neither number nor word."""
    if abs(len(cited.letters) - len(known.letters)) > 1:
        return False
    if Levenshtein.distance(cited.letters, known.letters, score_cutoff=2) > 2:
        return False
    pairs = [pair for pair in zip(cited.words, known.words, strict=False) if pair[0] != pair[1]]
    if len(cited.words) != len(known.words) or len(pairs) != 1:
        return False
    one, other = pairs[0]
    if min(len(one), len(other)) < _MIN_TYPO or not (one + other).isalpha():
        return False
    if one.rstrip("s") == other.rstrip("s"):
        return False
    return Levenshtein.distance(one, other) == 1 or _is_transposed(one, other)


def _is_transposed(one: str, other: str) -> bool:
    differing = [at for at in range(min(len(one), len(other))) if one[at] != other[at]]
    return (
        len(one) == len(other)
        and len(differing) == 2
        and differing[1] == differing[0] + 1
        and one[differing[0]] == other[differing[1]]
        and one[differing[1]] == other[differing[0]]
    )


@lru_cache(maxsize=8192)
def _spelled(word: str) -> str:
    for pattern, spelling in _SPELLINGS:
        word = pattern.sub(spelling, word)
    return word


def content_words(text: str) -> frozenset[str]:
    """The content words of a text, which distinguish titles."""
    return frozenset(word for word in fold_text(text).split() if len(word) > 3)
