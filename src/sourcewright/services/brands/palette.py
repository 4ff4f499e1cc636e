"""Brand colours: the palette that the text of a page states, each colour with name and role.

Style sheets are not consulted: a colour that a page merely uses may be anybody's.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from sourcewright.domain.records.brands import Colour, ColourRole
from sourcewright.services.brands.markup import Line
from sourcewright.services.brands.outline import Outline

MAX_COLOURS = 60
_MAX_LABEL = 60
_HEX = re.compile(r"(?<![\w&#/])#([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})(?![\w-])")
_HEX_LABELLED = re.compile(
    r"\bhex(?: code| value)?\s{0,3}[:=]?\s{0,3}([0-9A-Fa-f]{6})\b", re.IGNORECASE
)
_RGB = re.compile(
    r"\bRGB\s{0,3}[:=(]?\s{0,3}(\d{1,3})\s{0,3}[,/ ]\s{0,3}(\d{1,3})\s{0,3}[,/ ]\s{0,3}(\d{1,3})\b"
    r"|\bR\s{0,2}[:=]?\s{0,2}(\d{1,3})[\s,/]{1,3}G\s{0,2}[:=]?\s{0,2}(\d{1,3})[\s,/]{1,3}B\s{0,2}[:=]?\s{0,2}(\d{1,3})\b",
    re.IGNORECASE,
)
_WHOLE_HEX = re.compile(r"#?([0-9A-Fa-f]{6}|[0-9A-Fa-f]{3})")
_SUBJECT = re.compile(
    r"colou?r|palette|swatch|farb|couleur|colores|kleur|\u8272|\u30ab\u30e9\u30fc", re.IGNORECASE
)
"""Headings under which any code of a colour is one."""
_CODES = re.compile(
    r"\b(?:hex|html|web|rgba?|cmyk|hsla?|hsb|pms|pantone|ral|ncs|coated|uncoated|tcx|tpx|code|value)\b"
    r"|#?\b[0-9A-Fa-f]{6}\b|\b[CMYKRGBHSL]\s{0,2}[:=]?\s{0,2}\d{1,3}\b|\d",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:don.?t|do not|never|avoid|incorrect|wrong|misuse|gradient)\b", re.IGNORECASE
)
_ROLES: Mapping[ColourRole, re.Pattern[str]] = {
    "text_secondary": re.compile(
        r"\bsecondary text\b|\btext secondary\b|\bmuted text\b", re.IGNORECASE
    ),
    "surface": re.compile(r"\bsurfaces?\b", re.IGNORECASE),
    "background": re.compile(r"\bbackgrounds?\b|\bhintergrund\b", re.IGNORECASE),
    "text": re.compile(r"\btext\b|\bbody copy\b", re.IGNORECASE),
    "accent": re.compile(r"\baccents?\b|\bhighlights?\b|\bakzent", re.IGNORECASE),
    "secondary": re.compile(r"\bsecondary\b|\bsupporting\b|\bsekund", re.IGNORECASE),
    "primary": re.compile(
        r"\bprimary\b|\b(?:core|main) (?:brand )?(?:colou?r|palette)|\bprim\u00e4r|\bhauptfarbe",
        re.IGNORECASE,
    ),
}
"""The words of each role; of two in one text the first here counts."""
_ROLE_WORDS = re.compile(
    r"\b(?:primary|secondary|accents?|backgrounds?|text|surfaces?|core|main|colou?rs?|palette|brand|"
    r"our|the|and|supporting|highlights?)\b",
    re.IGNORECASE,
)


def hex_of(text: str) -> str | None:
    """A colour code as `#` and six digits in lower case; None if it is none."""
    match = _WHOLE_HEX.fullmatch(text.strip())
    if not match:
        return None
    digits = match[1].lower()
    return "#" + ("".join(2 * digit for digit in digits) if len(digits) == 3 else digits)


def brightness(colour: str) -> int:
    """The perceived brightness of a `#rrggbb` colour, 0 to 255 (ITU-R BT.601)."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return round(0.299 * red + 0.587 * green + 0.114 * blue)


def stated_colours(lines: Sequence[Line], title: str = "") -> tuple[Colour, ...]:
    """The colours that the lines state, in order, each once.

    A name is what precedes the code on its line, or the last short line before it; the line after
    it where a section begins with a code. A role is what the name or a heading above calls it.
    """
    reader = _PaletteReader(outline=Outline(title))
    for line in lines:
        reader.add(line)
        if len(reader.colours) >= MAX_COLOURS:
            break
    return tuple(reader.colours.values())


@dataclass(slots=True)
class _PaletteReader:
    """Reads lines in order, and remembers the labels since the last colour."""

    outline: Outline
    colours: dict[str, Colour] = field(default_factory=dict)
    labels: list[str] = field(default_factory=list)
    in_swatch: bool = False
    """Whether the last colour has not been followed by another label."""
    unnamed: str | None = None
    """The last colour, where names follow the codes."""
    names_follow: bool | None = None
    """Whether the current section has its names after the codes; None before its first code."""

    def add(self, line: Line) -> None:
        self.outline.add(line)
        if _NEGATIVE.search(line.text):
            self.labels, self.in_swatch = [], False
        elif codes := self._codes(line.text):
            self._add_codes(line.text, codes)
        elif line.heading:
            self.labels = [] if _SUBJECT.search(line.text) else [line.text]
            self.in_swatch, self.names_follow, self.unnamed = False, None, None
        elif not self._is_other_code(line.text):
            self._add_label(line.text)

    def _add_label(self, text: str) -> None:
        is_label = len(text) <= _MAX_LABEL
        if self.names_follow:
            if self.unnamed and is_label:
                known = self.colours[self.unnamed]
                self.colours[self.unnamed] = replace(
                    known, name=_name([text]), role=_role([text]) or known.role
                )
            self.unnamed = None
            return
        self.labels = [*self.labels[-3:], text] if is_label else []
        self.in_swatch = False

    def _codes(self, text: str) -> list[tuple[int, int, str]]:
        """Start, end and colour of each code on a line."""
        hexes = [*_HEX.finditer(text), *_HEX_LABELLED.finditer(text)]
        codes = [
            (match.start(), match.end(), hex_of(match[1]) or "")
            for match in hexes
            if self._is_colour(match[1], text)
        ]
        if codes or self.in_swatch:
            return sorted(codes)
        return [
            (match.start(), match.end(), "#" + "".join(f"{number:02x}" for number in numbers))
            for match in _RGB.finditer(text)
            if max(numbers := [int(one) for one in match.groups() if one]) < 256
        ]

    def _is_colour(self, digits: str, text: str) -> bool:
        """Whether such digits are the code of a colour rather than a number or a hashtag."""
        if self.outline.mentions(_SUBJECT) or _SUBJECT.search(text) or "hex" in text.lower():
            return True
        return len(digits) == 6 and not digits.isdecimal() and not digits.isalpha()

    def _add_codes(self, text: str, codes: list[tuple[int, int, str]]) -> None:
        end = 0
        for start, stop, colour in codes:
            before = _label(text[end:start])
            known = [*self.labels, before] if before else self.labels
            if self.names_follow is None:
                self.names_follow = not known
            if colour not in self.colours:
                self.colours[colour] = Colour(
                    hex=colour, name=_name(known), role=_role(known) or self._section_role()
                )
                self.unnamed = colour if not known else None
            end = stop
        self.labels, self.in_swatch = [], True

    def _is_other_code(self, text: str) -> bool:
        """Whether a line only gives the same colour in other systems, such as CMYK."""
        return bool(_CODES.search(text)) and not _CODES.sub("", text).strip(" ,:;/|%()-+.Cc&")

    def _section_role(self) -> ColourRole | None:
        headings = (
            one
            for one in self.outline.deepest_first()
            if _SUBJECT.search(one) or _is_only_role(one)
        )
        return next(filter(None, (_role([one]) for one in headings)), None)


def _label(text: str) -> str:
    return _CODES.sub(" ", text[-_MAX_LABEL:]).strip(" \t,:;/|()[]=\u2013\u2014\u2022-.")


def _name(labels: Sequence[str]) -> str | None:
    """The last label that is more than a role; else the last one."""
    names = [label for label in labels if not _is_only_role(label)]
    chosen = (names or list(labels))[-1:]
    return (" ".join(chosen[0].split()).strip(" :,-\u2013\u2014") or None) if chosen else None


def _role(labels: Sequence[str]) -> ColourRole | None:
    """The role that the last label states, or an earlier one that states nothing else."""
    for at, label in enumerate(reversed(labels)):
        for role, words in _ROLES.items():
            if words.search(label) and (at == 0 or _is_only_role(label)):
                return role
    return None


def _is_only_role(label: str) -> bool:
    return not _ROLE_WORDS.sub("", label).strip(" ,:;/|-&")
