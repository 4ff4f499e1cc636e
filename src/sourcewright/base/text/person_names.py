"""Person names: splits a name in one line into given, family, particle and suffix."""

import re
from dataclasses import dataclass

from sourcewright.base.text.name_particles import (
    CONNECTORS,
    is_particle,
    leading_particles,
    trailing_particles,
)

_SUFFIX = re.compile(r"(?:jr|sr)\.?|i{2,3}|iv|vi{0,3}|[2-9](?:nd|rd|th)", re.IGNORECASE)
_GIVEN_AND_JUNIOR = re.compile(r"(\S.{0,80}?)\s([JS]r\.?)")
"""`John A Jr`, as PubMed writes what follows the family name."""
_FAMILY_AND_SUFFIX = re.compile(r"(\S.{0,80}?)\s([JS]r\.?|I{2,3}|IV)")
"""`Smith Jr.`, before the comma of an inverted name."""
_ORGANISATION = re.compile(
    r"(?i:\b(?:academy|administration|agency|alliance|association|authority|board|bureau|centers|centre"
    r"|collaboration|commission|committee|company|consortium|corporation|council|department"
    r"|federation|foundation|group|hospital|inc|initiative|institut[eo]?s?|investigators"
    r"|laborator(?:y|ies)|ltd|gmbh|ministry|museum|network|organi[sz]ation|partnership"
    r"|program(?:me)?|project|society|task force|team|universit(?:y|é|ät|à)"
    r"|universi(?:dad|dade|teit|tet)|working party)\b)"
    r"|[0-9&/]|^The\b|(?<!^)\b(?:of|for|the|and|on)\b"
)
_NEWSROOM_WORDS = frozenset(
    ("news", "newsroom", "staff", "editors", "editorial", "contributors", "desk", "redaktion")
)
"""Last words of bylines that are no person's."""
_IDEOGRAPHIC = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]{1,8}")
"""A part of a Chinese, Japanese or Korean name, which begins with the family name."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonName:
    """One author: a family name with its parts, or `whole` for a name that cannot be split."""

    family: str | None = None
    given: str | None = None
    suffix: str | None = None
    whole: str | None = None


def has_organisation_shape(text: str) -> bool:
    """Whether a byline names an organisation: `BBC News`, `Contributors to Wikimedia projects`.

    For bylines only: in a list of references `Staff` may be a family name.
    """
    words = text.split()
    small = (word for word in words[1:] if word.islower() and word.isalpha())
    is_phrase = words[:1] != [] and words[0][:1].isupper()
    return (
        is_organisation_name(text)
        or (len(words) > 1 and words[-1].casefold() in _NEWSROOM_WORDS)
        or (is_phrase and any(not is_particle(word) for word in small))
    )


def is_organisation_name(text: str) -> bool:
    """Whether a word in the name is one of organisations: `Society`, `University`, `of`."""
    return bool(_ORGANISATION.search(text))


def is_suffix(text: str) -> bool:
    """Whether a part of a name is one such as `Jr.` and `III`."""
    return _SUFFIX.fullmatch(text) is not None


def split_name(text: str) -> PersonName:
    """Splits `Family, Given`, `Family, Suffix, Given` and `Given Family`."""
    family, *rest = (part.strip() for part in text.split(","))
    if not family or not all(rest):
        return PersonName(whole=text)
    if len(rest) > 2 or (rest and _ORGANISATION.search(family)):
        return PersonName(whole=text)
    if len(rest) == 2:
        return _split_with_suffix(text, family, *rest)
    # `Martin King, II` has a suffix; in `Kumar, V` and `Smith, JR` these are initials.
    is_initials = bool(rest) and _is_word(family) and rest[0].isalpha()
    if rest and _SUFFIX.fullmatch(rest[0]) and not is_initials:
        return _split_reading_order(family, suffix=rest[0])
    return _inverted(family, rest[0]) if rest else _split_reading_order(text.strip())


def in_reading_order(text: str) -> str:
    """`Ada Harbour` for `Harbour, Ada`; any other name unchanged."""
    name = split_name(text)
    if "," not in text or not name.family or not name.given:
        return text
    return " ".join(filter(None, (name.given, name.family, name.suffix)))


def _inverted(family: str, given: str) -> PersonName:
    """A name from the parts before and after its comma, of which one may contain the suffix."""
    if junior := _GIVEN_AND_JUNIOR.fullmatch(given):
        return PersonName(family=family, given=junior[1], suffix=junior[2])
    if junior := _FAMILY_AND_SUFFIX.fullmatch(family):
        return PersonName(family=junior[1], given=given, suffix=junior[2])
    return PersonName(family=family, given=given)


def _is_word(text: str) -> bool:
    return len(text.split()) == 1


def _split_with_suffix(text: str, family: str, second: str, third: str) -> PersonName:
    if _SUFFIX.fullmatch(second):
        return PersonName(family=family, given=third, suffix=second)
    if _SUFFIX.fullmatch(third):
        return PersonName(family=family, given=second, suffix=third)
    return PersonName(whole=text)


def _split_reading_order(text: str, suffix: str | None = None) -> PersonName:
    """A name in reading order: the family name is the last word with the particles before it."""
    words = text.split()
    if len(words) > 2 and suffix is None and _SUFFIX.fullmatch(words[-1]):
        suffix = words.pop()
    if len(words) < 2 or _ORGANISATION.search(text):
        return PersonName(whole=text if suffix is None else f"{text}, {suffix}")
    if len(words) == 2 and all(map(_IDEOGRAPHIC.fullmatch, words)):
        return PersonName(family=words[0], given=words[1], suffix=suffix)
    start = _start_of_family(words)
    return PersonName(
        family=" ".join(words[start:]), given=" ".join(words[:start]) or None, suffix=suffix
    )


def _start_of_family(words: list[str]) -> int:
    """Where the family name begins in reading order: at its particles, if in small letters."""
    last = len(words) - 1
    if leading_particles(words) == last and not words[0][:1].isupper():
        return 0
    if last > 3 and words[last - 1] in CONNECTORS:
        # `Maria das Neves e Sousa`: a connector joins the last two names to one.
        last -= 2
    start = last - trailing_particles(words[:last])
    while words[start][:1].isupper() and start < last:
        start += 1
    return start
