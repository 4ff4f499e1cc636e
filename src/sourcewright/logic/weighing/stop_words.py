"""Words that any sentence may have, by language, and which language a text is in by them."""

import re
from functools import cache

from sourcewright.logic.seeking import folded
from sourcewright.logic.weighing.lexicon import words

_WORD = re.compile(r"[^\W\d_]+(?:[\u0900-\u0dff]+[^\W\d_]*)*")
_LOOKED = 4000


@cache
def stop_words(language: str) -> frozenset[str]:
    return frozenset(folded(" ".join(words("stop words")[language])).split())


def language_of(claim: str, text: str) -> str:
    """Whose common words the claim has most of; where that leaves a choice, the text."""
    counts = [_counted(claim), _counted(text)]
    return max(words("stop words"), key=lambda name: [count[name] for count in counts])


def _counted(text: str) -> dict[str, int]:
    found = _WORD.findall(folded(text[:_LOOKED]))
    return {name: sum(map(stop_words(name).__contains__, found)) for name in words("stop words")}
