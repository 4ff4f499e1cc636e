"""Word lists of several languages from `data/words.json`: stop words, units, negations.

Also tells which language a text is in, by its stop words.
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
