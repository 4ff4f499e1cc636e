"""The sentence of a short text that is closest to a claim: a signal where to look, no verdict."""

import re

from sourcewright.logic.seeking import folded

_SENTENCE_END = re.compile(
    r"(?<=[.!?\u2026])[\"'\u201d\u2019)\]]*\s+|(?<=[\u3002\uff01\uff1f])|\n+"
)
_TERM = re.compile(r"\d+(?:[.,]\d+)*%?|[^\W\d_]+")
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3041-\u30ff\u3400-\u9fff\uac00-\ud7af]"
)
_ENDINGS = ("'s", "ing", "ed", "es", "s")
_NUMBER_WORTH = 2.5
_LEAST_LETTERS = 3
_STOP_WORDS = frozenset(
    [
        "a",
        "about",
        "after",
        "all",
        "also",
        "an",
        "and",
        "any",
        "are",
        "as",
        "at",
        "be",
        "been",
        "but",
        "by",
        "can",
        "could",
        "did",
        "do",
        "does",
        "for",
        "from",
        "had",
        "has",
        "have",
        "how",
        "if",
        "in",
        "into",
        "is",
        "it",
        "its",
        "may",
        "more",
        "most",
        "no",
        "not",
        "of",
        "on",
        "or",
        "our",
        "over",
        "such",
        "than",
        "that",
        "the",
        "their",
        "them",
        "then",
        "there",
        "these",
        "they",
        "this",
        "those",
        "to",
        "was",
        "we",
        "were",
        "what",
        "when",
        "which",
        "who",
        "will",
        "with",
        "would",
        "you",
        "your",
    ]
)


def signal_in(text: str, claim: str) -> str:
    """The sentence that shares most with the claim; empty when none shares anything."""
    wanted = _terms(claim)
    scored = [(_score(_terms(sentence), wanted), sentence) for sentence in sentences_of(text)]
    best, sentence = max(scored, key=lambda one: one[0], default=(0.0, ""))
    return sentence if best > 0 else ""


def sentences_of(text: str) -> list[str]:
    """The sentences of a text, in any script that marks their ends."""
    return [part.strip() for part in _SENTENCE_END.split(text) if part and part.strip()]


def _score(found: set[str], wanted: set[str]) -> float:
    shared = found & wanted
    return sum(_NUMBER_WORTH if term[0].isdigit() else 1.0 for term in shared)


def _terms(text: str) -> set[str]:
    """What is compared: word stems, numbers whole, and pairs where words are not spaced."""
    terms: set[str] = set()
    for word in _TERM.findall(folded(text)):
        if word[0].isdigit():
            terms.add(word.replace(",", "").rstrip("%"))
        elif _UNSPACED.search(word):
            terms |= {word[at : at + 2] for at in range(max(1, len(word) - 1))}
        elif len(word) >= _LEAST_LETTERS and word not in _STOP_WORDS:
            terms.add(_stem(word))
    return terms


def _stem(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_LETTERS:
            return word.removesuffix(ending)
    return word
