"""CSS values: lengths in pixels, `calc()` included, and colours."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from tinycss2 import parse_component_value_list, serialize
from tinycss2.color4 import parse_color

VIEWPORT_WIDTH = 1366.0
"""Viewport width in pixels: a common desktop screen, 768 pixels high."""
_PIXELS_PER_UNIT = {
    "": 1.0,
    "px": 1.0,
    "pt": 1.33,
    "in": 96.0,
    "cm": 37.8,
    "mm": 3.78,
    **dict.fromkeys(("em", "rem", "pc"), 16.0),
    **dict.fromkeys(("ex", "ch"), 8.0),
    "vw": 13.66,
    **dict.fromkeys(("vh", "dvh", "svh", "lvh", "vmin"), 7.68),
}
_PLAIN_LENGTH = re.compile(r"([-+]?(?:\d{1,9}(?:\.\d{0,9})?|\.\d{1,9}))([a-z]*)")
_MAX_LENGTH, _MAX_NESTING = 200, 8
_MAX_DIFFERENCE = 0.04
"""Of each channel, from 0 to 1: closer colours cannot be told apart."""
_MIN_ALPHA, _MAX_ALPHA = 0.05, 0.9
_IGNORED = ("whitespace", "comment")


def pixels(value: str) -> float | None:
    """The length in pixels; None for a percentage, and for what is not a length."""
    plain = _PLAIN_LENGTH.fullmatch(value)
    if plain:
        scale = _PIXELS_PER_UNIT.get(plain[2])
        return None if scale is None else float(plain[1]) * scale
    if len(value) > _MAX_LENGTH or not any(character.isdigit() for character in value):
        return None
    tokens = [one for one in parse_component_value_list(value) if one.type not in _IGNORED]
    return _operand(tokens[0], 0) if len(tokens) == 1 else None


def _operand(token: Any, depth: int) -> float | None:
    if token.type == "number":
        return float(token.value)
    if token.type == "dimension":
        scale = _PIXELS_PER_UNIT.get(token.lower_unit)
        return None if scale is None else float(token.value) * scale
    if depth >= _MAX_NESTING:
        return None
    if token.type == "() block":
        return _sum(token.content, depth + 1)
    return _function(token, depth + 1) if token.type == "function" else None


def _function(token: Any, depth: int) -> float | None:
    """The value of `calc`, `min`, `max` or `clamp`."""
    arguments: list[list[Any]] = [[]]
    for one in token.arguments:
        if one == ",":
            arguments.append([])
        else:
            arguments[-1].append(one)
    values = [value for value in (_sum(part, depth) for part in arguments) if value is not None]
    if len(values) < len(arguments):
        return None
    if token.lower_name == "clamp" and len(values) == 3:
        return max(values[0], min(values[1], values[2]))
    if token.lower_name == "calc" and len(values) == 1:
        return values[0]
    choose = {"min": min, "max": max}.get(token.lower_name)
    return choose(values) if choose else None


def _sum(tokens: Iterable[Any], depth: int) -> float | None:
    """The value of an expression of `+`, `-`, `*` and `/`; None if a part has no value."""
    total, sign, product, operator = 0.0, 1.0, 1.0, "*"
    for token in tokens:
        if token.type in _IGNORED:
            continue
        if token.type == "literal":
            operator = token.value
            if operator in ("+", "-"):
                total, product = total + sign * product, 1.0
                sign = 1.0 if operator == "+" else -1.0
            continue
        operand = _operand(token, depth)
        if operand is None or (operator == "/" and not operand):
            return None
        product = product / operand if operator == "/" else product * operand
    return total + sign * product


class CssColour(NamedTuple):
    """A colour in sRGB; each channel is between 0 and 1."""

    red: float
    green: float
    blue: float
    alpha: float

    @property
    def is_transparent(self) -> bool:
        return self.alpha < _MIN_ALPHA

    def looks_like(self, other: "CssColour") -> bool:
        """Whether text of one colour cannot be read on the other."""
        return (
            self.alpha > _MAX_ALPHA
            and other.alpha > _MAX_ALPHA
            and all(
                abs(own - its) <= _MAX_DIFFERENCE
                for own, its in zip(self[:3], other[:3], strict=True)
            )
        )


@lru_cache(maxsize=2048)
def parse_colour(value: str) -> CssColour | None:
    """The colour; None for a keyword such as `inherit`, and for what is not a colour."""
    if not value or len(value) > _MAX_LENGTH:
        return None
    try:
        colour = parse_color(value)
        if colour is None or isinstance(colour, str):
            return None
        channels = [part or 0.0 for part in colour.to("srgb")]
        return CssColour(*(min(max(part, 0.0), 1.0) for part in channels))
    except (ArithmeticError, NotImplementedError, ValueError):
        return None


@lru_cache(maxsize=2048)
def background_parts(value: str) -> tuple[str, str]:
    """Colour and image of a `background` shorthand; an image of any kind is `image`."""
    if "var(" in value or len(value) > _MAX_LENGTH:
        return value[: _MAX_LENGTH + 1], "none"
    tokens = parse_component_value_list(value)
    image = any(
        token.type == "url"
        or (token.type == "function" and token.lower_name.endswith(("url", "gradient", "image")))
        for token in tokens
    )
    parts = (serialize([token]) for token in tokens if token.type in ("ident", "hash", "function"))
    colour = next((part for part in parts if parse_colour(part)), "transparent")
    return colour, "image" if image else "none"
