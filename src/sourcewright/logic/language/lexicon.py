"""Brings the forms of a word to one: endings off, one spelling, known exceptions.

Words of several languages, by what they are good for; they stand in `data/words.json`.
Words that any sentence may have, by language, and which language a text is in by them.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from sourcewright.logic.text.words import folded

Words = Mapping[str, Sequence[str]]


@cache
def words(section: str) -> Words:
    """The words of a section by the names in it: of languages, scripts, units."""
    told = _told()[section]
    return {
        name: list_ if isinstance(list_, list) else list_.split() for name, list_ in told.items()
    }


def alternatives(section: str, name: str | None = None) -> str:
    """The words of a section, or of one name in it, for a pattern; longer ones first."""
    chosen = [words(section)[name]] if name else words(section).values()
    every = {word for some in chosen for word in some}
    return "|".join(sorted(every, key=lambda word: (-len(word), word)))


@cache
def _told() -> dict[str, dict[str, str | list[str]]]:
    told: dict[str, dict[str, str | list[str]]] = json.loads(
        files("sourcewright").joinpath("data/words.json").read_bytes()
    )
    return told


_OUR = re.compile(
    r"(col|hon|lab|fav|flav|hum|neighb|behavi|tum|vap|vig|rig|harb|endeav|od|arm|ferv|glam|savi"
    r"|splend|val|parl|rum|demean)our"
)
_ISE = re.compile(r"(?<=[^\W\d_]{3})([iy])s(?=(?:e|ed|es|er|ers|ing|ation|ations)$)")
_TRE = re.compile(r"(?<=[^\W\d_]{2})([tb])re(?=s?$)")
_OGUE = re.compile(r"ogue(?=s?$)")
_VOWEL = re.compile(r"[aeiouy]")
_DOUBLE = re.compile(r"([bdfglmnprt])\1$")

_ENGLISH = ("ations", "ation", "ating", "ated", "ates", "ate", "ically", "ities", "ity")
_WHOLE_LETTERS = {"pl": 5, "tr": 5}
"""Languages that put so much behind a word that its beginning says more."""
_ARTICLE = re.compile("^(?:[\u0648\u0628\u0641\u0643]?\u0627\u0644|\u0644\u0644)(?=.{3})")
"""Arabic's, which is written as one with its noun, as are some small words before it."""
_ARTICLES = frozenset(
    {
        "\u0627\u0644",
        "\u0644\u0644",
        "\u0648\u0627",
        "\u0628\u0627",
        "\u0641\u0627",
        "\u0643\u0627",
    }
)
_ARABIC = re.compile("[\u0600-\u06ff]")
_LEAST = 3


def stem_of(word: str, language: str) -> str:
    """The part of a folded word that its forms share, near enough for comparing."""
    endings = None if word.isascii() else _endings_of_script(word)
    if endings is not None:
        return _without(_ARTICLE.sub("", word), endings)
    word = _bases().get(word, word)
    if language in _WHOLE_LETTERS:
        return word[: _WHOLE_LETTERS[language]]
    by_language = words("endings by language")
    if language in by_language:
        return _without(word, by_language[language])
    return _english(_respelled(word))


def openings_of(stem: str) -> set[str]:
    """How words may begin that have this stem, so that most others need no look."""
    firsts = {stem[:2]} | {form[:2] for form, base in _bases().items() if base[:2] == stem[:2]}
    if stem[1:2] == "e":
        firsts |= {stem[0] + "a", stem[0] + "o"}
    if stem[:1] == "e":
        firsts |= {"ae", "oe"}
    if _ARABIC.match(stem):
        firsts |= _ARTICLES
    return firsts


@cache
def _bases() -> dict[str, str]:
    """Words whose forms no rule finds, by form."""
    return {form: base for base, forms in words("forms by word").items() for form in forms}


def _endings_of_script(word: str) -> Sequence[str] | None:
    for script, endings in _by_script():
        if script.match(word):
            return endings
    return None


@cache
def _by_script() -> list[tuple[re.Pattern[str], Sequence[str]]]:
    told = words("endings by script").items()
    return [(re.compile(f"[{letters}]"), endings) for letters, endings in told]


def _without(word: str, endings: Sequence[str]) -> str:
    for ending in endings:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            return word.removesuffix(ending)
    return word


def _respelled(word: str) -> str:
    """As Americans write it."""
    word = word.replace("ae", "e").replace("oe", "e").replace("sulph", "sulf")
    if "our" in word:
        word = _OUR.sub(r"\1or", word)
    word = _TRE.sub(r"\1er", _ISE.sub(r"\1z", word))
    return _OGUE.sub("og", word)


def _english(word: str) -> str:
    word = _singular(word)
    for ending in ("ingly", "edly", "ing", "ed", "ly"):
        rest = word.removesuffix(ending)
        if rest != word and len(rest) >= _LEAST and _VOWEL.search(rest):
            word = _DOUBLE.sub(r"\1", rest)
            break
    word = _without(word, _ENGLISH) if len(word) > 6 else word
    word = word.removesuffix("ion") if word.endswith(("ction", "ption", "ssion")) else word
    word = word.removesuffix("t") if word.endswith("ct") and len(word) > 5 else word
    word = word.removesuffix("at") if word.endswith("at") and len(word) > 6 else word
    if len(word) > _LEAST and word.endswith(("e", "i")):
        return word[:-1] + ("y" if word[-1] == "i" else "")
    return word


def _singular(word: str) -> str:
    if len(word) <= _LEAST or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    return word.removesuffix("s")


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
