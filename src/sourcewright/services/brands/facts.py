"""Brand facts of several pages merged, the fields that each filled, and how complete they are."""

from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from typing import Any, Literal, get_args

from sourcewright.domain.records.brands import BrandFacts, Colour, ColourRole

Coverage = Literal["full", "partial", "none"]

_GROUPS = {"palette": "colors", "tone": "tone_of_voice"}
"""Names of the groups of facts in answers, where they differ."""
_JOINED = ("tone_of_voice.dos", "tone_of_voice.donts")
"""Fields that answers have as one."""


def merged(first: BrandFacts, second: BrandFacts) -> BrandFacts:
    """The first facts, with what they leave empty taken from the second."""
    values: dict[str, Any] = {
        one.name: _filled(getattr(first, one.name), getattr(second, one.name))
        for one in fields(first)
    }
    return replace(first, **{**values, "palette": _palettes(first.palette, second.palette)})


def stated_fields(facts: BrandFacts) -> dict[str, Any]:
    """The fields of an answer that are not empty, as `group.field`."""
    colours = by_role(facts.palette)
    members: dict[str, Any] = {f"colors.{role}": colours[role].hex for role in colours}
    if facts.palette:
        members["colors.palette"] = facts.palette
    for group in fields(facts):
        value = getattr(facts, group.name)
        name = _GROUPS.get(group.name, group.name)
        members |= {f"{name}.{field}": one for field, one in _members(value).items() if one}
    if facts.tone.dos or facts.tone.donts:
        members["tone_of_voice.dos_and_donts"] = (facts.tone.dos, facts.tone.donts)
    return {name: value for name, value in members.items() if name not in _JOINED}


def contributions(before: BrandFacts, after: BrandFacts) -> tuple[str, ...]:
    """The fields that differ."""
    known = stated_fields(before)
    return tuple(name for name, value in stated_fields(after).items() if known.get(name) != value)


def by_role(palette: tuple[Colour, ...]) -> dict[ColourRole, Colour]:
    """The first colour of each role."""
    colours: dict[ColourRole, Colour] = {}
    for colour in palette:
        if colour.role:
            colours.setdefault(colour.role, colour)
    return {role: colours[role] for role in get_args(ColourRole) if role in colours}


def coverage(facts: BrandFacts) -> dict[str, str]:
    """How much of each group is stated.

    Full are a primary and another colour with a role; a logo and an icon; fonts for headings and
    body text.
    """
    roles, logos, fonts = by_role(facts.palette), facts.logos, facts.typography
    has_fonts = fonts.heading or fonts.body or fonts.mono or fonts.google_fonts_url
    has_logos = logos.primary or logos.dark or logos.icon or logos.favicon
    return {
        "colors": _level(full="primary" in roles and len(roles) > 1, partial=bool(facts.palette)),
        "logos": _level(
            full=bool(logos.primary and (logos.icon or logos.favicon)), partial=bool(has_logos)
        ),
        "typography": _level(full=bool(fonts.heading and fonts.body), partial=bool(has_fonts)),
        "tone_of_voice": "found" if any(_members(facts.tone).values()) else "none",
    }


def _level(*, full: bool, partial: bool) -> Coverage:
    return "full" if full else "partial" if partial else "none"


def _members(value: Any) -> Mapping[str, Any]:
    if isinstance(value, Mapping):
        return value
    return (
        {one.name: getattr(value, one.name) for one in fields(value)}
        if is_dataclass(value)
        else {}
    )


def _filled(first: Any, second: Any) -> Any:
    if isinstance(first, Mapping):
        return {**second, **first}
    if not is_dataclass(first) or isinstance(first, type):
        return first or second
    empty = {
        one.name: getattr(second, one.name)
        for one in fields(first)
        if not getattr(first, one.name)
    }
    return replace(first, **empty)


def _palettes(first: tuple[Colour, ...], second: tuple[Colour, ...]) -> tuple[Colour, ...]:
    """All colours once; a name or a role that the first lacks is taken from the second."""
    later = {colour.hex: colour for colour in second}
    known = {colour.hex: _filled(colour, later.get(colour.hex, colour)) for colour in first}
    return (*known.values(), *(one for one in second if one.hex not in known))
