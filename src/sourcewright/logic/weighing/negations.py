"""Knows the words by which a sentence denies or refutes something.

Connectives such as `however` are none: they set two things against each other without
opposing what is claimed.
"""

import re
from functools import cache

from sourcewright.logic.weighing.lexicon import alternatives
from sourcewright.logic.weighing.terms import comparable

_APOSTROPHES = re.compile("['\u2019\u02bc`]")
_BLANKS = re.compile(r"\s+")


def negates(sentence: str) -> bool:
    """Whether a sentence has a word of negation or refutation, in one of some languages."""
    spaced, unspaced = _cues()
    folded = _BLANKS.sub(" ", _APOSTROPHES.sub(" ", comparable(sentence)))
    return bool(spaced.search(folded) or unspaced.search(sentence))


@cache
def _cues() -> tuple[re.Pattern[str], re.Pattern[str]]:
    bounded = rf"(?<![^\W_])(?:{alternatives('negations')})(?![^\W_])"
    return re.compile(bounded), re.compile(alternatives("negations unspaced"))
