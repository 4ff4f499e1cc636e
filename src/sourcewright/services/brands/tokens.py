"""Design tokens of a brand in the format of the Design Tokens Community Group (DTCG, 2025.10).

Docs: https://www.designtokens.org/TR/2025.10/format/ and https://www.designtokens.org/TR/2025.10/color/
"""

import re
from typing import Any

from sourcewright.domain.records.brands import BrandFacts, Colour, Font
from sourcewright.services.brands.facts import by_role

Tokens = dict[str, Any]

_FORBIDDEN = re.compile(r"[^\w]+")
_SIZE = re.compile(r"(\d+(?:\.\d+)?)(px|rem)")
_MAX_NAME = 60


def design_tokens(facts: BrandFacts) -> Tokens:
    """A group of tokens for each kind of fact that is stated."""
    groups = {
        "color": _colours(facts.palette),
        "fontFamily": _families(facts),
        "fontWeight": _weights(facts),
        "fontSize": _sizes(facts),
    }
    return {name: tokens for name, tokens in groups.items() if tokens}


def _colours(palette: tuple[Colour, ...]) -> Tokens:
    tokens = {role.replace("_", "-"): _colour(one) for role, one in by_role(palette).items()}
    shades: Tokens = {}
    for at, one in enumerate(palette, 1):
        name = _name(one.name) or f"color-{at}"
        shades[name if name not in shades else f"{name}-{at}"] = _colour(one)
    return {**tokens, "palette": shades} if shades else tokens


def _colour(colour: Colour) -> Tokens:
    numbers = [int(colour.hex[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    token: Tokens = {
        "$type": "color",
        "$value": {
            "colorSpace": "srgb",
            "components": [round(number, 5) for number in numbers],
            "alpha": 1,
            "hex": colour.hex,
        },
    }
    return {**token, "$description": colour.name} if colour.name else token


def _fonts(facts: BrandFacts) -> dict[str, Font]:
    fonts = facts.typography
    uses = {"heading": fonts.heading, "body": fonts.body, "mono": fonts.mono}
    return {use: font for use, font in uses.items() if font}


def _families(facts: BrandFacts) -> Tokens:
    return {
        use: {"$type": "fontFamily", "$value": [font.family]}
        for use, font in _fonts(facts).items()
    }


def _weights(facts: BrandFacts) -> Tokens:
    return {
        f"{use}-{weight}": {"$type": "fontWeight", "$value": weight}
        for use, font in _fonts(facts).items()
        for weight in font.weights
    }


def _sizes(facts: BrandFacts) -> Tokens:
    """Sizes in the units that the format knows; those in points have no token."""
    sizes = {name: _SIZE.fullmatch(size) for name, size in facts.typography.scale.items()}
    return {
        _name(name): {"$type": "dimension", "$value": {"value": float(size[1]), "unit": size[2]}}
        for name, size in sizes.items()
        if size and _name(name)
    }


def _name(text: str | None) -> str:
    """A token name: without the characters that the format reserves."""
    return _FORBIDDEN.sub("-", (text or "").lower()[:_MAX_NAME]).strip("-_")
