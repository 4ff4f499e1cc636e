"""Knows the words by which a sentence denies or refutes something.

Connectives such as `however` are none: they set two things against each other without
opposing what is claimed.
"""

import re
from functools import cache

from sourcewright.logic.weighing.lexicon import alternatives, words
from sourcewright.logic.weighing.terms import comparable

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
