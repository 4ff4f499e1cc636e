"""Design tokens are valid in the DTCG format of 2025.10."""

import re

from jsonschema import Draft202012Validator

from sourcewright.domain.records.brands import BrandFacts, Colour, Font, Typography
from sourcewright.services.brands.tokens import design_tokens

NUMBER = {"type": "number", "minimum": 0, "maximum": 1}
VALUES = {
    "color": {
        "type": "object",
        "required": ["colorSpace", "components"],
        "properties": {
            "colorSpace": {"const": "srgb"},
            "components": {"type": "array", "items": NUMBER, "minItems": 3, "maxItems": 3},
            "alpha": NUMBER,
            "hex": {"pattern": "^#[0-9a-f]{6}$"},
        },
        "additionalProperties": False,
    },
    "fontFamily": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "fontWeight": {"type": "number", "minimum": 1, "maximum": 1000},
    "dimension": {
        "type": "object",
        "required": ["value", "unit"],
        "properties": {"value": {"type": "number"}, "unit": {"enum": ["px", "rem"]}},
        "additionalProperties": False,
    },
}


def tokens_in(group, path=()):
    for name, inner in group.items():
        assert re.fullmatch(r"[^$.{}][^.{}]*", name), name
        if "$value" in inner:
            yield (*path, name), inner
        else:
            yield from tokens_in(inner, (*path, name))


def test_every_token_is_valid_whatever_the_names():
    facts = BrandFacts(
        palette=(
            Colour(hex="#0b3c5d", name="$Deep {Fjord}. Blue", role="primary"),
            Colour(hex="#ffffff", name="...", role="text_secondary"),
            Colour(hex="#000000"),
            Colour(hex="#111111", name="Ink"),
            Colour(hex="#222222", name="ink!"),
        ),
        typography=Typography(
            heading=Font(family="Inter", weights=(400, 700)),
            scale={"h1": "48px", "h2": "2.5rem", "h3": "12pt"},
        ),
    )

    tokens = dict(tokens_in(design_tokens(facts)))

    for token in tokens.values():
        Draft202012Validator(VALUES[token["$type"]]).validate(token["$value"])
    assert len([path for path in tokens if path[:2] == ("color", "palette")]) == 5
    assert {path for path in tokens if path[0] == "fontSize"} == {
        ("fontSize", "h1"),
        ("fontSize", "h2"),
    }


def test_nothing_stated_has_no_tokens():
    assert design_tokens(BrandFacts()) == {}
