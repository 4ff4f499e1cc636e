"""Word lists of several languages from `data/words.json`: stop words, units, negations.

Also detects the language of a text by its stop words.
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from sourcewright.base.text.words import fold_for_search

Words = Mapping[str, Sequence[str]]


@cache
def words(section: str) -> Words:
    """Return the word lists of a section by name: of a language, a script or a unit."""
    section_lists = _load_sections()[section]
    return {
        name: entries if isinstance(entries, list) else entries.split()
        for name, entries in section_lists.items()
    }


def regex_alternatives(section: str, name: str | None = None) -> str:
    """Return the words of a section, or of one name in it, as regex alternatives, longest first."""
    word_lists = [words(section)[name]] if name else words(section).values()
    unique = {word for word_list in word_lists for word in word_list}
    return "|".join(sorted(unique, key=lambda word: (-len(word), word)))


@cache
def _load_sections() -> dict[str, dict[str, str | list[str]]]:
    sections: dict[str, dict[str, str | list[str]]] = json.loads(
        files("sourcewright").joinpath("data/words.json").read_bytes()
    )
    return sections


_WORD = re.compile(r"[^\W\d_]+(?:[\u0900-\u0dff]+[^\W\d_]*)*")
_DETECTION_CHARACTERS = 4000


@cache
def stop_words(language: str) -> frozenset[str]:
    return frozenset(fold_for_search(" ".join(words("stop words")[language])).split())


def detect_language(claim: str, text: str) -> str:
    """Return the language with most stop words in the claim; the text breaks ties."""
    counts = [_stop_word_counts(claim), _stop_word_counts(text)]
    return max(words("stop words"), key=lambda name: [count[name] for count in counts])


def _stop_word_counts(text: str) -> dict[str, int]:
    tokens = _WORD.findall(fold_for_search(text[:_DETECTION_CHARACTERS]))
    return {name: sum(map(stop_words(name).__contains__, tokens)) for name in words("stop words")}
