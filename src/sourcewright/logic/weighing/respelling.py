"""Brings what stands around numbers to one spelling, and takes out those that count nothing."""

import re
from functools import cache

from sourcewright.logic.weighing.lexicon import alternatives, words
from sourcewright.logic.weighing.numerals import in_digits

# What looks like a number and counts nothing: labels, dates, versions, degrees of confidence.
_LABELS = (
    "fig|figs|figure|figures|table|tables|tab|abb|section|sec|chapter|ch|eq|equation|ref|phase|type"
    "|typ|step|page|pages|p|pp|vol|no|nr|article|art|appendix|supplement|grade|stage|version"
    "|kapitel|seite|tabelle|abbildung|p\\s?[<=>\u2264]"
)
_NO_QUANTITY = re.compile(
    r"\b10\.\d{4,9}/\S{1,200}|\b\d{1,4}([-/.])\d{1,2}\1\d{1,4}\b|\b\d{1,2}:\d{2}\b"
    r"|\b(?!\d{1,3}(?:\.\d{3})+(?!\.?\d))\d+(?:\.\d+){2,9}\b"
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
_DRESS = str.maketrans("", "", "*_`\\")
_DIGIT = re.compile(r"\d")


def respelled(text: str, language: str) -> str:
    """In digits, with one sign for percents and one for degrees; labels lose their numbers."""
    bare = _NO_QUANTITY.sub(lambda found: _DIGIT.sub(" ", found[0]), text.translate(_DRESS))
    text = in_digits(_fraction().sub(_percents, bare), language)
    text = _PERCENT_BEFORE.sub(r"\1 %", _PERCENT.sub("%", text))
    text = _POWERED.sub(r"\1", _BASIS_POINTS.sub("basispoint", _POINTS.sub("pp", text)))
    return _DEGREES.sub(lambda found: f"°{found[1].upper()}", text)


def labels_in(text: str) -> frozenset[str]:
    """What has a number for a name: phases, types, tables, days."""
    return frozenset("".join(found[0].lower().split()) for found in _NO_QUANTITY.finditer(text))


@cache
def _fraction() -> re.Pattern[str]:
    named = alternatives("fractions").replace(" ", "[ -]")
    return re.compile(rf"\b(?:{named})\b", re.IGNORECASE)


def _percents(found: re.Match[str]) -> str:
    said = re.sub(r"[\s-]+", " ", found[0].lower())
    return next(share for share, names in words("fractions").items() if said in names)
