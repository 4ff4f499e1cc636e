"""How much of a question a text speaks of: by whole words, in any script."""

import re
from collections.abc import Set as AbstractSet

from sourcewright.logic.seeking import words_of
from sourcewright.logic.signalling import terms_in

UNKNOWN = 0.5
"""Of a question that asks for nothing in words."""
_TITLE, _BODY = 0.4, 0.6
_LOOK = 200_000
"""Characters of a text that are looked at."""
_OPERATOR = re.compile(
    r'(?<!\S)(?:-(?:"[^"]*"|[^\W\d]\S*)|OR\b|AND\b|'
    r"(?:after|before|ext|filetype|in(?:body|page|text|title|url)|lang|loc|site):\S+)"
)
"""What a query tells the engine, and what it wants left out."""
_SHORT = re.compile(r"(?<!\w)(?=\w?[A-Z])[A-Z0-9]{1,2}(?!\w)")
"""Short words are too common to count, but for names in capitals: AI, EU, 5G."""
_NO_NAMES = frozenset({"A", "I"})


def relevance(query: str, *, title: str, text: str) -> float:
    """From 0 to 1: the share of the question's words in the title and in the text.

    A longer word says more, and so weighs more.
    """
    asked = _OPERATOR.sub(" ", query)
    wanted = _words_in(asked)
    if wanted:
        found = (_words_in(title), _words_in(text[:_LOOK]))
    else:
        # Nothing but small words: then these are what was meant.
        wanted = set(words_of(asked))
        found = (set(words_of(title)), set(words_of(text[:_LOOK])))
    if not wanted:
        return UNKNOWN
    return _TITLE * _share(wanted, found[0]) + _BODY * _share(wanted, found[1])


def _words_in(text: str) -> set[str]:
    return terms_in(text) | (set(_SHORT.findall(text)) - _NO_NAMES)


def _share(wanted: AbstractSet[str], found: AbstractSet[str]) -> float:
    return sum(map(len, wanted & found)) / sum(map(len, wanted))
