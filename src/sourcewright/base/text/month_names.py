"""Month names of 84 languages from `data/months.json`, as Unicode CLDR spells them."""

import json
import unicodedata
from collections import defaultdict
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

_COMMON_LANGUAGES = ("en", "de", "fr", "es", "pt", "it", "nl", "ru")
"""Languages whose months are recognised by their beginnings on a page in any language."""
_MIN_PREFIX = 3
_PUNCTUATION = str.maketrans("", "", ".'\u2019\u05f3\u0970")
_OTHER_NAMES = {"no": "nb nn", "tl": "fil", "sr": "sh", "he": "iw", "id": "in"}
"""Codes of languages under which the table has them, and other codes for the same."""


def folded_letters(text: str) -> str:
    """The text in lower case, with ASCII digits, and without diacritics."""
    decomposed = unicodedata.normalize("NFKD", text.lower())
    bare = "".join(char for char in decomposed if not unicodedata.combining(char))
    digits = (str(unicodedata.digit(char)) if char.isdecimal() else char for char in bare)
    return unicodedata.normalize("NFC", "".join(digits))


def month_of(word: str, language: str | None = None) -> int | None:
    """The number of the month that a word names, abbreviated or not; None if it is not certain.

    The same word may be another month in another language: `listopad` is October in Croatian and
    November in Czech. Without a language it is then none.
    """
    name = folded_letters(word).translate(_PUNCTUATION)
    own = _table_code(language)
    return (
        (_by_beginning(name, _names(own)) if own else None)
        or _by_beginning(name, _common_names())
        or _in_any_language(name)
    )


def _by_beginning(name: str, months: Sequence[Sequence[str]]) -> int | None:
    """The month with this name, or else the only one whose name begins so."""
    for number, names in enumerate(months, start=1):
        if name in names:
            return number
    if len(name) < _MIN_PREFIX:
        return None
    numbers = [
        number
        for number, names in enumerate(months, start=1)
        if any(one.startswith(name) for one in names)
    ]
    return numbers[0] if len(numbers) == 1 else None


def _in_any_language(name: str) -> int | None:
    months = _months_by_name().get(name, set())
    return next(iter(months)) if len(months) == 1 else None


def _table_code(language: str | None) -> str | None:
    code = (language or "").lower().replace("_", "-").partition("-")[0]
    known = next((main for main, others in _OTHER_NAMES.items() if code in others.split()), code)
    return known if known in _table() else None


@cache
def _table() -> Mapping[str, str]:
    table: dict[str, str] = json.loads(
        files("sourcewright").joinpath("data/months.json").read_bytes()
    )
    return table


@cache
def _names(language: str) -> list[list[str]]:
    """The names of each month, January first."""
    return [month.split() for month in _table()[language].split("|")]


@cache
def _common_names() -> list[tuple[str, ...]]:
    by_language = zip(*(_names(language) for language in _COMMON_LANGUAGES), strict=True)
    return [tuple(name for names in month for name in names) for month in by_language]


@cache
def _months_by_name() -> Mapping[str, set[int]]:
    """The numbers of the months that have a name in some language."""
    numbers: dict[str, set[int]] = defaultdict(set)
    for language in _table():
        for number, names in enumerate(_names(language), start=1):
            for name in names:
                numbers[name].add(number)
    return numbers


MONTHS = (
    *("January", "February", "March", "April", "May", "June", "July"),
    *("August", "September", "October", "November", "December"),
)
