"""Finds notes by their words: those with the rarest words of the query come first."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence

from sourcewright.base.language.lexicon import stop_words
from sourcewright.base.language.stems import stem_of
from sourcewright.base.language.terms import fold_for_matching, ngrams_in, words_in
from sourcewright.base.text.words import UNSPACED

_NUMBER = re.compile(r"[0-9]{1,40}")
_CHARACTER = re.compile(rf"[{UNSPACED}]|(?<![^\W_])[^\W\d_](?![^\W_])")
_LANGUAGE = "en"
_MAX_TERMS = 64
"""Further terms of a query are ignored."""


def topic_key(topic: str) -> str:
    """Return what is compared of a topic: its words, whatever the case and the spaces."""
    return " ".join(topic.casefold().split())


def best_matches(query: str, texts: Sequence[str]) -> list[int]:
    """Return the positions of the texts with a word of the query, the best match first.

    Texts that match equally well stay in their order. Inflected forms of a word match.
    """
    query_terms = _query_terms(query)
    matches = [query_terms & (_terms(text) | _characters(text)) for text in texts]
    counts = Counter(term for some in matches for term in some)
    weights = {
        term: math.log(1 + (len(texts) - count + 0.5) / (count + 0.5))
        for term, count in counts.items()
    }
    scores = {at: sum(weights[one] for one in some) for at, some in enumerate(matches) if some}
    return sorted(scores, key=lambda at: -round(scores[at], 9))


def searched_text(note: str, *others: str | None, tags: Iterable[str] = ()) -> str:
    """Return the text of a finding that is searched: all that its author wrote."""
    return "\n".join(filter(None, (note, *others, *tags)))


def _query_terms(query: str) -> frozenset[str]:
    folded = fold_for_matching(query)
    ignored = stop_words(_LANGUAGE)
    content = [word for word in words_in(folded) if word not in ignored]
    terms = [*(stem_of(word, _LANGUAGE) for word in content), *_others(folded)]
    # A query of common words or of single letters only, such as `the` or `C++`, is taken as it is.
    return frozenset(terms[:_MAX_TERMS]) or _terms(query) | _characters(query)


def _terms(text: str) -> frozenset[str]:
    folded = fold_for_matching(text)
    return frozenset([*(stem_of(word, _LANGUAGE) for word in words_in(folded)), *_others(folded)])


def _characters(text: str) -> frozenset[str]:
    """Return letters that stand alone, and each character of a script without spaces."""
    return frozenset(_CHARACTER.findall(fold_for_matching(text)))


def _others(folded: str) -> list[str]:
    """Return what is no word in a spaced script: numbers, and n-grams of the other scripts."""
    return [*_NUMBER.findall(folded), *ngrams_in(folded)]
