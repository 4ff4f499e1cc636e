"""Structure of an SDMX-JSON message: dimensions, attributes with their codes, places in keys."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from sourcewright.base.formats.json_values import Record, list_of, record_of, records_of, text_of
from sourcewright.domain.records.cubes import Dimension

LEVELS: Final = ("dataSet", "series", "observation")
GROUP: Final = "dimensionGroup"
Labelled = tuple[str, str]
"""A code and its label."""


class Structure:
    """The dimensions and attributes of a message."""

    def __init__(self, structure: Record) -> None:
        described = record_of(structure["dimensions"])
        # The OECD's server writes `dataset` among the dimensions, `dataSet` among the attributes.
        fixed = described.get("dataSet") or described.get("dataset")
        levels = [records_of(one) for one in (fixed, *map(described.get, LEVELS[1:]))]
        self.sizes = [len(level) for level in levels]
        declared = [one for level in levels for one in level]
        if not levels[2]:
            raise ValueError("no dimension at the level of observations")
        self.dimensions = tuple(map(_dimension, declared))
        self.sized = [len(one.codes) for one in self.dimensions]
        self.times = [str(one["id"]) for one in declared if "TIME_PERIOD" in _roles(one)]
        self.key_order = _key_order(declared)
        self.name = name_of(structure) or ""
        attributes = record_of(structure.get("attributes"))
        self.attributes = {
            level: tuple(map(_attribute, records_of(attributes.get(level))))
            for level in (*LEVELS, GROUP)
        }
        measures = record_of(structure.get("measures")).get("observation")
        self.measures = len(list_of(measures)) if measures else 1


@dataclass(frozen=True, slots=True)
class Attribute:
    """An attribute, and the codes that it may have."""

    names: tuple[str, ...]
    """Its id and its roles."""
    values: tuple[Labelled, ...]
    default: Labelled | None = None
    """Its value where a message leaves it out."""

    def read(self, value: Any) -> Labelled | None:
        """The code and label of a value: an index into the codes, or the value itself."""
        if isinstance(value, list):
            several = dict(one for one in map(self.read, value) if one is not None)
            return (", ".join(several), ", ".join(several.values())) if several else None
        if isinstance(value, int) and not isinstance(value, bool) and self.values:
            if value < 0:
                raise ValueError(f"value {value} of an attribute")
            return self.values[value]
        text = _text(value)
        return (text, text) if text else None


def _key_order(components: Sequence[Record]) -> tuple[int, ...]:
    """The dimensions in the order of a complete key, whatever level each is presented at."""
    places = [one.get("keyPosition") for one in components]
    if not any(isinstance(place, int) for place in places):
        return tuple(range(len(places)))
    # Some servers give time no position: it comes last.
    last = len(places)
    return tuple(
        sorted(
            range(len(places)),
            key=lambda at: place if isinstance(place := places[at], int) else last,
        )
    )


def _roles(component: Record) -> list[str]:
    given = component.get("role") or component.get("roles") or ()
    return [given] if isinstance(given, str) else [str(one) for one in given]


def _attribute(component: Record) -> Attribute:
    values = tuple(map(_attribute_value, records_of(component.get("values"))))
    default = _text(component.get("default"))
    labelled = next((one for one in values if one[0] == default), (default, default))
    return Attribute(
        names=(str(component["id"]), *_roles(component)),
        values=values,
        default=(labelled[0], labelled[1] or labelled[0]) if labelled[0] else None,
    )


def _attribute_value(value: Record) -> Labelled:
    """A code with its label; free text has only one of them."""
    label = name_of(value) or text_of(value.get("id")) or _text(value.get("value")) or ""
    return text_of(value.get("id")) or label, label


def _dimension(component: Record) -> Dimension:
    values = tuple(map(_labelled, map(record_of, list_of(component["values"]))))
    name = str(component["id"])
    return Dimension(
        id=name,
        label=name_of(component) or name,
        codes=tuple(code for code, _ in values),
        labels=tuple(label for _, label in values),
    )


def _labelled(value: Record) -> Labelled:
    """A code with its label; what is in no code list, such as a period, has only a value."""
    code = str(value["id"] if "id" in value else value["value"])
    return code, name_of(value) or code


def name_of(component: Record) -> str | None:
    """The name of a dataflow, a dimension or a code, in English if it has one."""
    return text_of(component.get("name")) or _text(component.get("names"))


def _text(value: Any) -> str | None:
    """A text; of one in several languages the English one, else the first."""
    if isinstance(value, Mapping):
        return text_of(value.get("en") or next(iter(value.values()), None))
    return text_of(value)
