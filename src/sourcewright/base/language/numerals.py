"""Numerals: parses numbers in any script's digits, with grouping, in words, as powers of ten.

Also normalises percent and degree signs, and removes numbers that are labels or dates.
"""

import re
import unicodedata
from functools import cache

from sourcewright.base.doi_prefix import DOI_PREFIX
from sourcewright.base.language.lexicon import regex_alternatives, words

NUMBER = re.compile(
    r"\d{1,3}(?:[ \u00a0\u2009\u202f']\d{3})+(?:[.,]\d+)?(?!\d)|\d+(?:[.,\u066b\u066c]\d+)*"
)
_GROUPED = re.compile(r"\d{1,3}([.,])\d{3}(?:\1\d{3})*|\d{1,2}(?:,\d{2})+,\d{3}")
_SEPARATOR = re.compile("[.,]")
_MAX_NUMBER_LENGTH = 30
_GROUP_SPACES = re.compile(r"[ \u00a0\u2009\u202f'\u066c]")
_OTHER_DIGIT = re.compile(r"[^\W\D0-9]")
_SUPERSCRIPT = re.compile("[\u207b\u207a]?[\u2070\u00b9\u00b2\u00b3\u2074-\u2079]+")
_SUPERSCRIPT_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_FRACTION = re.compile(r"(?<!\d)(\d*+)\s?([½¼¾⅓⅔])")
_FRACTIONS = {"½": "5", "¼": "25", "¾": "75", "⅓": "333", "⅔": "667"}
_ARTICLE_AS_NUMBER = re.compile(
    r"\bhalf an? |\b(?:an?|one|une?|eine?|un) (?=[mb]illi|trilli|dozen|hundred\b|thousand\b)",
    re.IGNORECASE,
)
_HAN = "一二三四五六七八九"
_HAN_NUMBER = re.compile(
    f"(?<!\\d)(?!万一|千万|一一)[{_HAN}十百千万億亿两]{{2,12}}|(?<=百分之)[{_HAN}十]"
)
_HAN_PAIR = re.compile(r"(\d{1,5})[億亿억]\s?(\d{1,4})[万萬만]")
_HAN_SCALES = {"十": 10, "百": 100, "千": 1000}
_HAN_MYRIADS = {"万": 10**4, "億": 10**8, "亿": 10**8}


def in_digits(text: str, language: str) -> str:
    """Return the text with number words, other scripts' digits and powers as ASCII digits."""
    if not text.isascii():
        text = _OTHER_DIGIT.sub(lambda match: str(unicodedata.decimal(match[0])), text)
        text = _SUPERSCRIPT.sub(lambda match: "^" + match[0].translate(_SUPERSCRIPT_DIGITS), text)
        text = _FRACTION.sub(lambda match: f"{match[1] or 0}.{_FRACTIONS[match[2]]}", text)
        text = _HAN_PAIR.sub(lambda match: f"{int(match[1]) * 10**4 + int(match[2])}万", text)
        text = _HAN_NUMBER.sub(lambda match: str(_parse_han(match[0])), text)
    text = _ARTICLE_AS_NUMBER.sub(lambda match: "0.5 " if match[0][0] in "hH" else "1 ", text)
    values, pattern = _number_words(language if language in words("number words") else "en")
    return pattern.sub(lambda match: str(sum(map(values.__getitem__, _parts(match)))), text)


def _parts(match: re.Match[str]) -> list[str]:
    """Split a number in words: `twenty-five` has two parts."""
    return re.split("[- ]", match[0].lower())


@cache
def _number_words(language: str) -> tuple[dict[str, int], re.Pattern[str]]:
    """Values and pattern of number words, from two on: one is an article in most languages."""
    small, tens = words("number words")[language], words("number words")["tens"]
    values = {word: at for at, word in enumerate(small, 2)}
    values |= {word: 10 * at for at, word in enumerate(tens, 2)} | {"one": 1}
    ones = "|".join(["one", *small[:8]])
    alone = "|".join(sorted(set(values) - {"one"}, key=len, reverse=True))
    pattern = rf"\b(?:(?:{'|'.join(tens)})[- ](?:{ones})|{alone})\b"
    return values, re.compile(pattern, re.IGNORECASE)


def _parse_han(text: str) -> int:
    """Parse a Chinese numeral: 三百五十万 is 3,500,000."""
    total = section = digit = 0
    for character in text:
        if character in _HAN_MYRIADS:
            total = (total + section + digit or 1) * _HAN_MYRIADS[character]
            section = digit = 0
        elif character in _HAN_SCALES:
            section += (digit or 1) * _HAN_SCALES[character]
            digit = 0
        else:
            digit = 2 if character == "两" else _HAN.index(character) + 1
    return total + section + digit


def possible_values(number: str) -> tuple[tuple[float, float], ...]:
    """Return the possible values, each with its precision, likeliest first: 1.200 is 1.2 or 1200."""
    bare = _GROUP_SPACES.sub("", number).replace("\u066b", ".")[:_MAX_NUMBER_LENGTH]
    if not _GROUPED.fullmatch(bare):
        return _ungrouped(bare)
    as_integer = (float(_SEPARATOR.sub("", bare)), 1.0)
    if len(_SEPARATOR.findall(bare)) > 1:
        return (as_integer,)
    as_decimal = _decimal(bare.replace(",", "."))
    if bare.startswith("0"):
        return (as_decimal,)
    # A comma is more often a thousands separator, a point more often a decimal one.
    return (as_integer, as_decimal) if "," in bare else (as_decimal, as_integer)


def _ungrouped(bare: str) -> tuple[tuple[float, float], ...]:
    """Take the last separator as the decimal one; empty if the rest is no valid grouping."""
    last = max(bare.rfind(","), bare.rfind("."))
    head, tail = (bare[:last], bare[last + 1 :]) if last >= 0 else (bare, "")
    if _SEPARATOR.search(head) and not _GROUPED.fullmatch(head):
        return ()
    return (_decimal(f"{_SEPARATOR.sub('', head)}.{tail}"),)


def _decimal(bare: str) -> tuple[float, float]:
    places = len(bare.partition(".")[2])
    return float(bare), 10.0**-places


# Numbers that are no quantities: labels, dates, versions, confidence levels.
_LABELS = (
    "fig|figs|figure|figures|table|tables|tab|abb|section|sec|chapter|ch|eq|equation|ref|phase|type"
    "|typ|step|page|pages|p|pp|vol|no|nr|article|art|appendix|supplement|grade|stage|version"
    "|kapitel|seite|tabelle|abbildung|p\\s?[<=>\u2264]"
)
_NO_QUANTITY = re.compile(
    r"\b" + DOI_PREFIX + r"/\S{1,200}|\b\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b|\b\d{1,2}:\d{2}\b"
    r"|\b(?!\d{1,3}(?:\.\d{3}){1,9}(?!\.?\d))\d+(?:\.\d+){2,9}\b"
    rf"|\b(?:{_LABELS})\.?\s?\d+(?:[.,]\d+)?(?:[\u2013-]\d+)?[a-z]?\b"
    r"|\d{1,2}(?:\.\d)?\s?%[-\s]?(?:ci|ki|ic|confidence|credible|konfidenz|vertrauens)"
    r"|\b\d+(?:st|nd|rd|th)\b",
    re.IGNORECASE,
)
_PERCENT = re.compile(
    r"\b(?:per\scento?|pour\scent|por\s(?:ciento|cento)|v\.\s?H)\b|في (?:المئة|المائة)",
    re.IGNORECASE,
)
_PERCENT_BEFORE = re.compile(r"(?:百分之|ร้อยละ\s?|\byüzde\s|(?:^|(?<=[\s(]))%\s?)(\d[\d.,]*)")
_POINTS = re.compile(r"%(?:age)?\s?points?|percentage\spoints?", re.IGNORECASE)
_BASIS_POINTS = re.compile(r"\bbasis\s?points?\b", re.IGNORECASE)
_POWERED = re.compile(r"\b(square|cubic)\s(?=[a-z])", re.IGNORECASE)
_DEGREES = re.compile(
    r"(?:°\s?|\b(?:degrees?|grad|degrés?|grados?|gradi)\s)(c|f)(?:elsius|ahrenheit)?\b",
    re.IGNORECASE,
)
_MARKUP_CHARACTERS = str.maketrans("", "", "*_`\\")
_DIGIT = re.compile(r"\d")


def normalise_numbers(text: str, language: str) -> str:
    """Normalise numbers to digits, percent and degree signs to one form; drop label numbers."""
    bare = _NO_QUANTITY.sub(
        lambda match: _DIGIT.sub(" ", match[0]), text.translate(_MARKUP_CHARACTERS)
    )
    text = in_digits(_fraction_words().sub(_fraction_as_percent, bare), language)
    text = _PERCENT_BEFORE.sub(r"\1 %", _PERCENT.sub("%", text))
    text = _POWERED.sub(r"\1", _BASIS_POINTS.sub("basispoint", _POINTS.sub("pp", text)))
    return _DEGREES.sub(lambda match: f"°{match[1].upper()}", text)


def numbered_labels(text: str) -> frozenset[str]:
    """Return the numbered labels in a text: phases, types, tables, dates."""
    return frozenset("".join(match[0].lower().split()) for match in _NO_QUANTITY.finditer(text))


@cache
def _fraction_words() -> re.Pattern[str]:
    names = regex_alternatives("fractions").replace(" ", "[ -]")
    return re.compile(rf"\b(?:{names})\b", re.IGNORECASE)


def _fraction_as_percent(match: re.Match[str]) -> str:
    fraction = re.sub(r"[\s-]+", " ", match[0].lower())
    return next(share for share, names in words("fractions").items() if fraction in names)
