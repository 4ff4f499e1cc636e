"""Dataclasses of the domain as fields of answers: camelCase, and nothing that is None."""

from dataclasses import dataclass

from sourcewright.tools._base import Answer, output_schema
from sourcewright.tools._results import CAMEL, OmittedIfNone, WithoutNones


@dataclass(frozen=True, slots=True, kw_only=True)
class Lamp:
    """One lamp."""

    lit_since: str
    burnt_out: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Tower:
    """A tower with its lamps."""

    lamps: tuple[Lamp, ...]
    keeper_name: str | None = None


class Coast(Answer):
    """What stands on a coast."""

    model_config = CAMEL

    first_tower: OmittedIfNone[WithoutNones[Tower]] = None


def test_what_is_none_is_left_out_at_every_depth():
    dark = Tower(lamps=(Lamp(lit_since="dusk"), Lamp(lit_since="noon", burnt_out="dusk")))

    assert Coast(first_tower=dark).result().structured == {
        "firstTower": {
            "lamps": [{"litSince": "dusk"}, {"litSince": "noon", "burntOut": "dusk"}],
        }
    }


def test_the_schema_says_that_it_may_be_left_out_and_never_that_it_may_be_null():
    schema = output_schema(Coast)

    assert schema["$defs"]["Lamp"] == {
        "properties": {"litSince": {"type": "string"}, "burntOut": {"type": "string"}},
        "required": ["litSince"],
        "type": "object",
    }
    assert schema["$defs"]["Tower"]["required"] == ["lamps"]
    assert "null" not in str(schema)
