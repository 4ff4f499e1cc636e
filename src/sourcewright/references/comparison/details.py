"""Volume, issue, pages, publisher and place of a citation, compared with a record."""

import re

from rapidfuzz import fuzz

from sourcewright.base.text.unicode import fold_text

_ACRONYM = re.compile(r"\b[A-Z]{3,8}\b")
_NUMBER = re.compile(r"[0-9]+")
_PAGE = re.compile(r"[A-Za-z]{0,3}[0-9]{1,9}")
_ROMAN = re.compile(r"m{0,3}(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100, "d": 500, "m": 1000}
_PLACEHOLDERS = frozenset({"", "publisher", "unknown", "na", "none", "sn", "null", "sl"})
_PLACEHOLDER_PAGES = frozenset({"1", "1-1", "0", "0-0", "n/a", "na", "1\u20131"})
_COMPANY = frozenset(
    [
        "the",
        "of",
        "and",
        "for",
        "inc",
        "ltd",
        "llc",
        "gmbh",
        "bv",
        "b",
        "v",
        "co",
        "company",
        "corporation",
        "publishing",
        "publishers",
        "publisher",
        "publications",
        "press",
        "verlag",
        "group",
        "international",
        "media",
        "business",
        "nature",
        "ag",
        "&",
        "limited",
    ]
)
_MIN_PLACE = 70.0


def is_placeholder(text: str) -> bool:
    """Whether a value is a placeholder that an index uses for a missing value."""
    return fold_text(text).replace(" ", "") in _PLACEHOLDERS


def same_volume(cited: str, recorded: str) -> bool:
    """Whether two volumes or issues are the same number, in Arabic or Roman numerals."""
    one, other = _numbers(cited), _numbers(recorded)
    if one and other:
        return not set(one).isdisjoint(other)
    return fold_text(cited) == fold_text(recorded)


def has_pages(recorded: str) -> bool:
    """Whether a record has pages, and not the placeholder of an article without them."""
    return recorded.strip().lower() not in _PLACEHOLDER_PAGES and bool(_PAGE.search(recorded))


def same_first_page(cited: str, recorded: str) -> bool:
    """Whether two ranges begin on the same page, as far as they are known."""
    one, other = _pages(cited)[:1], _pages(recorded)[:1]
    return not one or not other or one == other


def counts_from_one(cited: str, recorded: str) -> bool:
    """Whether a range counts the pages of an article whose record has its number instead."""
    one, other = _pages(cited), _pages(recorded)
    return len(one) == 2 and one[0] == "1" and len(other) == 1 and other != ["1"]


def same_pages(cited: str, recorded: str) -> bool:
    """Whether two ranges are the same; either may be its first page alone, or shortened (101-19)."""
    one, other = _pages(cited), _pages(recorded)
    if len(one) != 2 or len(other) != 2:
        return same_first_page(cited, recorded)
    return one[0] == other[0] and _last_page(*one) == _last_page(*other)


def same_publisher(cited: str, recorded: str) -> bool:
    """Whether two names are those of one publisher, ignoring acronyms and company forms."""
    one, other = _publisher_words(cited), _publisher_words(recorded)
    if not one or not other:
        return True
    if one <= other or other <= one or _acronyms(cited) & _acronyms(recorded):
        return True
    if _is_acronym(cited, recorded) or _is_acronym(recorded, cited):
        return True
    return fuzz.token_set_ratio(" ".join(sorted(one)), " ".join(sorted(other))) > 85


def same_place(cited: str, recorded: str) -> bool:
    one, other = fold_text(cited), fold_text(recorded)
    return bool(one and other) and fuzz.token_set_ratio(one, other) >= _MIN_PLACE


def _pages(text: str) -> list[str]:
    """The first and the last page of a range; one if it has one, or several parts."""
    pages = [page.lower().lstrip("0") for page in _PAGE.findall(text)]
    return pages if len(pages) == 2 and pages[0] != pages[1] else pages[:1]


def _last_page(first: str, last: str) -> int:
    """The number of the last page, of which leading digits that repeat may be missing."""
    start, end = (_NUMBER.search(page) for page in (first, last))
    digits, missing = (end[0] if end else ""), (start[0] if start else "")
    return int((missing[: max(0, len(missing) - len(digits))] + digits) or "0")


def _numbers(text: str) -> list[int]:
    digits = [int(one[:18]) for one in _NUMBER.findall(text[:100])]
    bare = fold_text(text[:100]).removeprefix("vol ").removeprefix("volume ")
    if not digits and bare and len(bare) <= 12 and _ROMAN.fullmatch(bare):
        return [_roman(bare)]
    return digits


def _roman(text: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in text]
    following = [*values[1:], 0]
    return sum(-one if one < after else one for one, after in zip(values, following, strict=True))


def _publisher_words(text: str) -> frozenset[str]:
    return frozenset(word for word in fold_text(text).split() if word not in _COMPANY)


def _acronyms(text: str) -> frozenset[str]:
    return frozenset(_ACRONYM.findall(text[:300]))


def _is_acronym(short: str, full: str) -> bool:
    letters = fold_text(short).replace(" ", "")
    words = [word for word in fold_text(full).split() if word not in ("of", "for", "the", "and")]
    return len(letters) > 1 and letters == "".join(word[0] for word in words)
