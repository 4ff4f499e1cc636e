"""Fonts of a brand: the families that its guidelines state for headings, body text and code."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Literal
from urllib.parse import parse_qsl, urlsplit

from sourcewright.domain.records.brands import Font, Typography
from sourcewright.services.brands.markup import Line
from sourcewright.services.brands.outline import Outline

Use = Literal["heading", "body", "mono"]

_SUBJECT = re.compile(r"typograph|typefa[cs]e|\bfonts?\b|schrift|typo\b|police", re.IGNORECASE)
_USES: Mapping[Use, str] = {
    "heading": r"headlines?|headings?|headers?|display|titles?",
    "body": r"body(?: copy| text)?|paragraphs?|running text|copy|body-text",
    "mono": r"mono(?:space(?:d)?)?|code|tabular",
}
_ANY_USE = "|".join(f"(?P<{use}>{words})" for use, words in _USES.items())
_FONT_WORD = r"(?: (?:fonts?|typefa[cs]es?|family|text|copy|type))?"
_FAMILY = r"(?P<family>[^\W\d_a-z][\w&+'\u2019-]{0,30}(?: [^\W_a-z][\w&+'\u2019-]{0,30}){0,4})"
_PATTERNS = tuple(
    re.compile(pattern)
    for pattern in (
        rf"\A(?i:{_ANY_USE})(?i:{_FONT_WORD}) {{0,2}}[:\u2013\u2014-] {{0,2}}{_FAMILY}",
        rf"\A{_FAMILY} {{0,2}}[:\u2013\u2014-] {{0,2}}(?i:(?:used )?(?:for )?(?:all |our )?(?:{_ANY_USE}))\b",
        rf"\b(?i:use|uses|set in|choose) {_FAMILY} (?i:for|in|as) (?i:(?:all |our |the )?(?:{_ANY_USE}))\b",
        rf"\b(?i:{_ANY_USE})(?i:{_FONT_WORD}) (?i:is|are set in|use|uses) {_FAMILY}",
        rf"\A{_FAMILY} (?i:is (?:our|the)) (?i:{_ANY_USE})(?i:{_FONT_WORD})\b",
    )
)
_USE_ALONE = re.compile(rf"(?i:(?:our |the )?(?:{_ANY_USE}){_FONT_WORD}) {{0,2}}:?")
_FAMILY_ALONE = re.compile(_FAMILY)
_WEIGHT_NAMES = {
    "thin": 100,
    "extralight": 200,
    "light": 300,
    "regular": 400,
    "normal": 400,
    "book": 400,
    "medium": 500,
    "semibold": 600,
    "demibold": 600,
    "bold": 700,
    "extrabold": 800,
    "black": 900,
    "heavy": 900,
}
_WEIGHT = re.compile(
    r"\b(?:([1-9]00)|(thin|(?:extra|semi|demi)?[ -]?(?:light|bold)|regular|normal|book|medium|black|heavy))\b",
    re.IGNORECASE,
)
_STYLE_WORDS = frozenset((*_WEIGHT_NAMES, "italic", "oblique", "extra", "semi", "demi"))
_NO_FAMILY_LIST = (
    "a all always and any as avoid bold color colors colour colours do don't download example font fonts"
    " for from heading headings in is it line never no not or our please px regular sans serif size"
    " the these this to type typeface typography use used we weight weights when with you"
)
_NO_FAMILY = frozenset(_NO_FAMILY_LIST.split())
_STEP = re.compile(
    r"\b(?P<step>h[1-6]|body|caption|small|lead|display)\b[^\d\n]{0,20}?(?P<size>\d{1,3}(?:\.\d{1,3})?(?:px|pt|rem|em))\b",
    re.IGNORECASE,
)
_GOOGLE = "google_fonts"


def stated_fonts(lines: Sequence[Line], title: str = "") -> Typography:
    """The fonts that lines under a heading about typography state, and their sizes."""
    fonts: dict[Use, Font] = {}
    scale: dict[str, str] = {}
    waiting: Use | None = None
    for line in _lines_about_fonts(lines, title):
        font = _stated(line.text) or (_alone(line.text, waiting) if waiting else None)
        if font:
            fonts.setdefault(*font)
        for step in _STEP.finditer(line.text):
            scale.setdefault(step["step"].lower(), step["size"].lower())
        alone = _USE_ALONE.fullmatch(line.text)
        waiting = _use(alone) if alone else None
    return Typography(
        heading=fonts.get("heading"),
        body=fonts.get("body"),
        mono=fonts.get("mono"),
        scale=scale,
    )


def with_google_fonts(typography: Typography) -> Typography:
    """Add the weights and the origin of the stated fonts that Google Fonts serves."""
    served = google_families(typography.google_fonts_url or "")

    def completed(font: Font | None) -> Font | None:
        if font is None or font.family.lower() not in served:
            return font
        weights = font.weights or served[font.family.lower()]
        return replace(font, weights=weights, origin=_GOOGLE, origin_id=font.family)

    return replace(
        typography,
        heading=completed(typography.heading),
        body=completed(typography.body),
        mono=completed(typography.mono),
    )


def google_families(url: str) -> dict[str, tuple[int, ...]]:
    """The families, in lower case, that a style sheet of Google Fonts has, with their weights."""
    families: dict[str, tuple[int, ...]] = {}
    try:
        fields = parse_qsl(urlsplit(url[:4096]).query, max_num_fields=50)
    except ValueError:
        return {}
    for name, value in fields:
        for family in value.split("|") if name == "family" else ():
            spelled, _, rest = family.partition(":")
            weights = sorted({int(one) for one in re.findall(r"\b([1-9]00)\b", rest)})
            families[spelled.strip().lower()] = tuple(weights)
    return families


def _lines_about_fonts(lines: Sequence[Line], title: str) -> Iterator[Line]:
    outline = Outline(title)
    for line in lines:
        outline.add(line)
        if outline.mentions(_SUBJECT):
            yield line


def _stated(text: str) -> tuple[Use, Font] | None:
    for pattern in _PATTERNS:
        match = pattern.search(text)
        font = _font(match["family"], text) if match else None
        if match and font:
            return _use(match), font
    return None


def _alone(text: str, use: Use) -> tuple[Use, Font] | None:
    """A family on a line of its own, below the use."""
    match = _FAMILY_ALONE.match(text)
    rest = text[match.end() :] if match else ""
    font = _font(match["family"], text) if match and not rest.strip(" ,;/|()0123456789") else None
    return (use, font) if font else None


def _use(match: re.Match[str]) -> Use:
    return next(use for use in _USES if match[use])


def _is_style(word: str) -> bool:
    """Whether a word after a family names one of its weights or styles."""
    return (
        word.lower().replace("-", "") in _STYLE_WORDS or re.fullmatch("[1-9]00", word) is not None
    )


def _font(family: str, text: str) -> Font | None:
    words = family.split()
    while words and _is_style(words[-1]):
        words.pop()
    if not words or words[0].lower() in _NO_FAMILY or _USE_ALONE.fullmatch(" ".join(words)):
        return None
    weights = {
        int(number) if number else _WEIGHT_NAMES[name.lower().replace(" ", "").replace("-", "")]
        for number, name in _WEIGHT.findall(text)
    }
    return Font(family=" ".join(words), weights=tuple(sorted(weights)))
