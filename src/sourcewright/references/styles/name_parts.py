"""Parts of a CSL name: particles, suffix and initials, as citation styles print them."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sourcewright.references.styles.styled_text import join, one_line, parse_markup

_MAX_LENGTH = 1_000
# Scripts whose names have initials and a space between their parts.
_SPACED_SCRIPT = re.compile(
    "[-0-9A-Za-z\u00c0-\u024f\u0370-\u03ff\u0400-\u052f\u0590-\u05ff\u0600-\u06ff\u0e01-\u0e5b"
    "\u1e00-\u1fff]"
)
_INITIAL_RUN = re.compile(r"(?<=[^\W\d_]\.)(?=[^\W\d_])")
_LONE_CAPITALS = re.compile(r"(?<![^\s-])([^\W\d_])(?=\s|-|$)")
_HYPHEN = re.compile(r" ?([-\u2010\u2011]) ?")


def has_spaced_script(text: str) -> bool:
    return bool(_SPACED_SCRIPT.search(text))


@dataclass(frozen=True, slots=True)
class Name:
    """One name; `literal` for a name that has no parts."""

    family: str = ""
    given: str = ""
    dropping: str = ""
    non_dropping: str = ""
    suffix: str = ""
    has_comma_suffix: bool = False
    """Whether a comma stands before the suffix in reading order too."""
    literal: str = ""

    @property
    def is_spaced(self) -> bool:
        return has_spaced_script(self.family + self.given)


def parse_name(raw: Mapping[str, Any]) -> Name | None:
    """A name of an item; None if it has no text."""
    text = {
        part: parse_markup(one_line(value[:_MAX_LENGTH]))
        for part, value in raw.items()
        if isinstance(value, str)
    }
    family, given = text.get("family", ""), text.get("given", "")
    literal = text.get("literal", "")
    if not family:
        literal = literal or given
        return Name(literal=literal) if literal else None
    dropping, suffix = text.get("dropping-particle", ""), text.get("suffix", "")
    if not suffix and ", " in given:
        given, _, suffix = given.partition(", ")
    if not dropping:
        given, dropping = _split_particle(given)
    return Name(
        family=family,
        given=given,
        dropping=dropping,
        non_dropping=text.get("non-dropping-particle", ""),
        suffix=suffix,
        has_comma_suffix=raw.get("comma-suffix") is True,
    )


def _split_particle(given: str) -> tuple[str, str]:
    """Given names and the words in lower case after them: `Ludwig`, `van`."""
    words = given.split(" ")
    end = len(words)
    while end > 1 and words[end - 1][:1].islower() and not words[end - 1].endswith("."):
        end -= 1
    return (
        (" ".join(words[:end]), " ".join(words[end:])) if words[0][:1].isupper() else (given, "")
    )


def inverted(name: Name, initialize_with: str | None) -> str:
    """`Family, Given`; names in scripts without spaces as one word."""
    if name.literal:
        return name.literal
    if not name.is_spaced:
        return name.family + name.given
    family = join((name.non_dropping, name.family), _gap(name.non_dropping))
    given = join((given_name(name.given, initialize_with), name.dropping), " ")
    return join((family, given, name.suffix), ", ")


def in_reading_order(name: Name, initialize_with: str | None) -> str:
    if name.literal:
        return name.literal
    if not name.is_spaced:
        return name.family + name.given
    family = join((name.non_dropping, name.family), _gap(name.non_dropping))
    given = given_name(name.given, initialize_with)
    surname = join((name.dropping, family), _gap(name.dropping))
    return join((join((given, surname), " "), name.suffix), ", " if name.has_comma_suffix else " ")


def short_name(name: Name) -> str:
    return name.literal or join((name.non_dropping, name.family), _gap(name.non_dropping))


def _gap(particle: str) -> str:
    return "" if particle.endswith(("\u2019", "'", "-")) else " "


def given_name(given: str, initialize_with: str | None) -> str:
    """Given names as initials; with None in full, where only initials get stop and space."""
    spaced = _INITIAL_RUN.sub(" ", _HYPHEN.sub(r"\1", given))
    if initialize_with is None:
        return _LONE_CAPITALS.sub(
            lambda match: f"{match[1]}." if match[1].isupper() else match[1], spaced
        )
    words = [_initials(word, initialize_with.rstrip()) for word in spaced.split()]
    space = " " if initialize_with.endswith(" ") else ""
    return space.join(words) if space else "".join(words)


def _initials(word: str, stop: str) -> str:
    """`J.-L.` for `Jean-Luc`; abbreviations and words in lower case stay."""
    if word[0].islower() or not word[0].isalpha():
        return word
    parts = [part for part in re.split("[-\u2010\u2011]", word) if part]
    return "-".join(
        part if part.endswith(".") or part[0].isdigit() else f"{part[0]}{stop}"
        for number, part in enumerate(parts)
        if number == 0 or not part[0].islower()
    )
