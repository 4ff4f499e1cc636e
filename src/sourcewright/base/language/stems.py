"""Stems words with Snowball's stemmers: one form for all inflected forms of a word."""

import re
from functools import cache

import snowballstemmer

from sourcewright.base.language.lexicon import words

_ALGORITHMS = {
    "de": "german",
    "en": "english",
    "es": "spanish",
    "fr": "french",
    "it": "italian",
    "nl": "dutch",
    "pl": "polish",
    "pt": "portuguese",
    "sv": "swedish",
    "tr": "turkish",
}
"""Stemmers for words in Latin letters, by language of the text; the default is English."""

_SCRIPTS = {"\u0370-\u03ff": "greek", "\u0400-\u052f": "russian", "\u0900-\u097f": "hindi"}
"""Stemmers by the script of the word, whatever the language of the text."""

_ARABIC = re.compile("[\u0600-\u06ff]")
_ARTICLE = re.compile("^(?:[\u0648\u0628\u0641\u0643]?\u0627\u0644|\u0644\u0644)(?=.{3})")
"""Arabic writes the article, and some particles before it, as a prefix of the noun."""
_ARTICLE_PREFIXES = frozenset(
    {
        "\u0627\u0644",
        "\u0644\u0644",
        "\u0648\u0627",
        "\u0628\u0627",
        "\u0641\u0627",
        "\u0643\u0627",
    }
)
_MIN_STEM = 3

# British spellings, which Snowball's English stemmer does not map to the American ones.
_OUR = re.compile(
    r"(col|hon|lab|fav|flav|hum|neighb|behavi|tum|vap|vig|rig|harb|endeav|od|arm|ferv|glam|savi"
    r"|splend|val|parl|rum|demean)our"
)
_ISE = re.compile(r"(?<=[^\W\d_]{3})([iy])s(?=(?:e|ed|es|er|ers|ing|ation|ations)$)")
_TRE = re.compile(r"(?<=[^\W\d_]{2})([tb])re(?=s?$)")
_OGUE = re.compile(r"ogue(?=s?$)")


def stem_of(word: str, language: str) -> str:
    """Return the stem of a folded word, good enough for comparison."""
    script = None if word.isascii() else _script_of(word)
    if script == "arabic":
        # Snowball would also remove other prefixes, but the possible first letters must stay known.
        return _without_ending(_ARTICLE.sub("", word))
    word = _bases().get(word, word)
    if script:
        return _stemmed(word, script)
    algorithm = _ALGORITHMS.get(language, "english")
    return _stemmed(_american_spelling(word) if algorithm == "english" else word, algorithm)


def possible_prefixes(stem: str) -> set[str]:
    """Return the first two letters of words that may have this stem, a filter before stemming."""
    prefixes = {stem[:2]} | {form[:2] for form, base in _bases().items() if base[:2] == stem[:2]}
    if stem[1:2] == "e":
        prefixes |= {stem[0] + "a", stem[0] + "o"}
    if stem[:1] == "e":
        prefixes |= {"ae", "oe"}
    if _ARABIC.match(stem):
        prefixes |= _ARTICLE_PREFIXES
    return prefixes


def _stemmed(word: str, algorithm: str) -> str:
    # A stemmer holds the word it works on, and pages are compared in several threads: one stemmer
    # for each word. To make one takes a hundredth of the time of stemming.
    stem: str = snowballstemmer.stemmer(algorithm).stemWord(word)
    return stem


@cache
def _bases() -> dict[str, str]:
    """Base forms by irregular form."""
    return {form: base for base, forms in words("forms by word").items() for form in forms}


def _script_of(word: str) -> str | None:
    if _ARABIC.match(word):
        return "arabic"
    return next((name for script, name in _scripts() if script.match(word)), None)


@cache
def _scripts() -> list[tuple[re.Pattern[str], str]]:
    return [(re.compile(f"[{letters}]"), name) for letters, name in _SCRIPTS.items()]


def _without_ending(word: str) -> str:
    for ending in words("endings by script")["\u0600-\u06ff"]:
        if word.endswith(ending) and len(word) - len(ending) >= _MIN_STEM:
            return word.removesuffix(ending)
    return word


def _american_spelling(word: str) -> str:
    """Convert British to American spelling."""
    word = word.replace("ae", "e").replace("oe", "e").replace("sulph", "sulf")
    if "our" in word:
        word = _OUR.sub(r"\1or", word)
    word = _TRE.sub(r"\1er", _ISE.sub(r"\1z", word))
    return _OGUE.sub("og", word)
