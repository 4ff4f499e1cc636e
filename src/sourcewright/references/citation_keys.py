"""Citation keys: from a template or the library's own, without duplicates."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from itertools import count
from types import MappingProxyType

from sourcewright.base.errors import InvalidInput
from sourcewright.references.entries import Entry, author_names

MAX_TEMPLATE = 200

_LETTERS = str.maketrans(
    dict(zip("øłđð\u0131ŋŧħ", "olddinth", strict=True)) | {"æ": "ae", "œ": "oe", "þ": "th"}
)
_STOP_WORD_LIST = (
    "a an the of on in for and or to from with by at is are as into via toward towards "
    "der die das des dem den ein eine eines einer und oder von zu zur zum im über für mit auf "
    "le la les l un une du de d et ou en dans sur pour par au aux"
)
_STOP_WORDS = frozenset(_STOP_WORD_LIST.split())
_WORD = re.compile(r"[^\W_]+")
_FIELD = re.compile(r"\{([^{}]*)\}")
_ALLOWED = re.compile(r"[A-Za-z0-9_:.+/-]*")


def citation_keys(entries: Iterable[Entry], template: str | None = None) -> tuple[str, ...]:
    """One key for each entry, in order. Equal keys get the suffixes a, b, … z, aa.

    Raises:
        InvalidInput: The template has an unknown field, or a character that keys may not have.
    """
    make = _key_function(template)
    taken: dict[str, int] = {}
    return tuple(_unique(make(entry) or entry.key, taken) for entry in entries)


def source_keys(sources: Iterable[tuple[str, str, str]]) -> tuple[str, ...]:
    """Keys of surname, year and first word of the title: `vaswani2017attention`."""
    taken: dict[str, int] = {}
    return tuple(
        _unique(f"{_fold(surname)[:60] or 'anon'}{year}{_first_word(title)}", taken)
        for surname, year, title in sources
    )


def _first_word(title: str) -> str:
    return next(filter(None, map(_fold, _WORD.findall(title))), "")[:60]


def _key_function(template: str | None) -> Callable[[Entry], str]:
    if template is None:
        return lambda entry: entry.key
    _check_template(template)

    def make(entry: Entry) -> str:
        return _FIELD.sub(lambda field: _FIELDS[field[1]](entry), template)

    return make


def _check_template(template: str) -> None:
    known = ", ".join(f"{{{name}}}" for name in _FIELDS)
    if len(template) > MAX_TEMPLATE:
        raise InvalidInput(f"the key template is longer than {MAX_TEMPLATE} characters")
    unknown = [name for name in _FIELD.findall(template) if name not in _FIELDS]
    if unknown:
        raise InvalidInput(
            f"the key template has no field {{{unknown[0]}}}; available fields: {known}"
        )
    if not _FIELD.search(template):
        raise InvalidInput(f"the key template {template!r} contains none of the fields {known}")
    if not _ALLOWED.fullmatch(_FIELD.sub("", template)):
        raise InvalidInput(
            "the key template contains a character that is not allowed in keys; letters, digits and - _ : . + / are allowed besides the fields"
        )


def _unique(key: str, taken: dict[str, int]) -> str:
    """The key with a suffix if needed; compared without case, as BibTeX does."""
    # Continues from the last number, so that many equal keys do not take quadratic time.
    numbers = count(taken.get(key.casefold(), 0))
    number = next(n for n in numbers if (key + _suffix(n)).casefold() not in taken)
    free = key + _suffix(number)
    taken[free.casefold()] = taken.get(free.casefold(), 0)
    taken[key.casefold()] = number + 1
    return free


def _suffix(number: int) -> str:
    """The suffix with this number: empty, a, b, … z, aa, ab."""
    letters = ""
    while number:
        number, remainder = divmod(number - 1, 26)
        letters = chr(ord("a") + remainder) + letters
    return letters


def _fold(text: str) -> str:
    """The text in lower-case ASCII letters and digits; other characters are dropped."""
    decomposed = unicodedata.normalize("NFD", text.casefold().translate(_LETTERS))
    return "".join(letter for letter in decomposed if letter.isascii() and letter.isalnum())


def _author(entry: Entry) -> str:
    name = next(author_names(entry), None)
    return _fold((name.family or name.whole or "") if name else "")[:60]


def _title_word(entry: Entry) -> str:
    words = (word.casefold() for word in _WORD.findall(entry.title))
    return next((_fold(word) for word in words if word not in _STOP_WORDS and _fold(word)), "")[
        :60
    ]


_FIELDS: Mapping[str, Callable[[Entry], str]] = MappingProxyType(
    {
        "author": _author,
        "year": lambda entry: str(entry.year or ""),
        "title_word": _title_word,
        "safekey": lambda entry: entry.key,
    }
)
