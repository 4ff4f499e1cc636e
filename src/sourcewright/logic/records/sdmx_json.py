"""SDMX-JSON: data messages of statistics offices, decoded into cubes (versions 1.0 and 2.0)."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, NamedTuple

from sourcewright.logic.formats.answer_limits import LimitExceeded
from sourcewright.logic.formats.json_values import (
    Record,
    list_of,
    record_of,
    records_of,
    text_of,
)
from sourcewright.logic.records.cubes import (
    MAX_CELLS,
    Cube,
    Dimension,
    SeriesNotes,
    time_position,
)

_LEVELS: Final = ("dataSet", "series", "observation")
_UNITS: Final = ("UNIT_MEASURE", "UNIT")
_SCALES: Final = ("UNIT_MULT", "POWERCODE")
_BASES: Final = ("BASE_PER", "REFERENCEPERIOD")
_FREQUENCIES: Final = ("FREQ", "FREQUENCY", "TIME_FORMAT")
_STATUSES: Final = ("OBS_STATUS", "OBS_FLAG")
_NO_SCALE: Final = frozenset({"0", ""})
_NORMAL: Final = frozenset({"A", ""})
"""The status of an ordinary figure, which is not reported."""

Labelled = tuple[str, str]
"""A code and its label."""


def read_message(message: Any) -> Cube:
    """The data of one message.

    Raises:
        LookupError, TypeError, ValueError: It is not SDMX-JSON.
    """
    document = record_of(message)
    body = record_of(document["data"]) if "data" in document else document
    structures = list_of(body["structures"]) if "structures" in body else [body["structure"]]
    if len(structures) != 1:
        raise ValueError(f"{len(structures)} structures in one message")
    structure = _Structure(record_of(structures[0]))
    cells = [
        cell
        for dataset in map(record_of, list_of(body["dataSets"]))
        if str(dataset.get("action", "")).lower() != "delete"
        for cell in _DatasetReader(structure, dataset).cells()
    ]
    cells.sort(key=lambda cell: cell.number)
    ids = [one.id for one in structure.dimensions]
    header = record_of(document.get("header") or document.get("meta"))
    return Cube(
        label=structure.name,
        dimensions=structure.dimensions,
        cells={cell.number: cell.value for cell in cells},
        statuses={cell.number: cell.status for cell in cells if cell.status},
        series_notes={cell.number: cell.notes for cell in cells},
        time=time_position(ids, structure.times),
        updated=text_of(header.get("prepared")),
    )


class _Cell(NamedTuple):
    """One observation with its attributes."""

    number: int
    value: Any
    status: str | None
    notes: SeriesNotes


class _Structure:
    """The dimensions and attributes of a message."""

    def __init__(self, structure: Record) -> None:
        described = record_of(structure["dimensions"])
        levels = [records_of(described.get(level)) for level in _LEVELS]
        self.sizes = [len(level) for level in levels]
        declared = [one for level in levels for one in level]
        if not levels[2]:
            raise ValueError("no dimension at the level of observations")
        self.dimensions = tuple(map(_dimension, declared))
        self.sized = [len(one.codes) for one in self.dimensions]
        self.times = [str(one["id"]) for one in declared if "TIME_PERIOD" in _roles(one)]
        self.name = text_of(structure.get("name")) or ""
        attributes = record_of(structure.get("attributes"))
        self.attributes = {
            level: tuple(map(_attribute, records_of(attributes.get(level))))
            for level in (*_LEVELS, "dimensionGroup")
        }
        measures = record_of(structure.get("measures")).get("observation")
        self.measures = len(list_of(measures)) if measures else 1


@dataclass(frozen=True, slots=True)
class _Attribute:
    """An attribute, and the codes that it may have."""

    names: tuple[str, ...]
    """Its id and its roles."""
    values: tuple[Labelled, ...]

    def read(self, value: Any) -> Labelled | None:
        """The code and label of a value: an index into the codes, or the text itself."""
        if value is None:
            return None
        if isinstance(value, int) and not isinstance(value, bool) and self.values:
            return self.values[value]
        if isinstance(value, list):
            value = value[0] if value else None
        text = text_of(None if isinstance(value, Mapping) else value)
        return (text, text) if text else None


def _roles(component: Record) -> list[str]:
    given = component.get("role") or component.get("roles") or ()
    return [given] if isinstance(given, str) else [str(one) for one in given]


def _attribute(component: Record) -> _Attribute:
    values = tuple(map(_attribute_value, records_of(component.get("values"))))
    return _Attribute((str(component["id"]), *_roles(component)), values)


def _attribute_value(value: Record) -> Labelled:
    """A code with its label; free text has only a label."""
    label = text_of(value.get("name")) or text_of(value.get("id")) or ""
    return text_of(value.get("id")) or label, label


def _labelled(value: Record) -> Labelled:
    code = str(value["id"])
    return code, text_of(value.get("name")) or code


def _dimension(component: Record) -> Dimension:
    values = tuple(map(_labelled, map(record_of, list_of(component["values"]))))
    name = str(component["id"])
    return Dimension(
        id=name,
        label=text_of(component.get("name")) or name,
        codes=tuple(code for code, _ in values),
        labels=tuple(label for _, label in values),
    )


class _DatasetReader:
    """Reads the cells of one data set."""

    def __init__(self, structure: _Structure, dataset: Record) -> None:
        self._structure = structure
        self._dataset = dataset
        self._fixed = (0,) * structure.sizes[0]
        self._notes: dict[tuple[Any, ...], SeriesNotes] = {}

    def cells(self) -> list[_Cell]:
        found: list[_Cell] = []
        for cell in self._cells():
            found.append(cell)
            if len(found) > MAX_CELLS:
                raise LimitExceeded(f"more than {MAX_CELLS} observations")
        return found

    def _cells(self) -> Iterator[_Cell]:
        size = self._structure.sizes[1]
        if "series" in self._dataset:
            for key, series in record_of(self._dataset["series"]).items():
                entry = record_of(series)
                at = (*self._fixed, *self._place(key, size))
                own = self._values("series", entry.get("attributes"))
                yield from self._observations(record_of(entry["observations"]), at, own)
        else:
            start = (*self._fixed, *(0,) * size)
            yield from self._observations(record_of(self._dataset["observations"]), start, {})

    def _observations(
        self, sent: Record, start: tuple[int, ...], own: Mapping[str, Labelled]
    ) -> Iterator[_Cell]:
        size, measures = self._structure.sizes[2], self._structure.measures
        for key, values_sent in sent.items():
            values = list_of(values_sent)
            at = (*start, *self._place(key, size))
            attributes = self._values("observation", values[measures:])
            notes = self._series_context(at, own, attributes)
            yield _Cell(self._number(at), values[0], _status(attributes), notes)

    def _number(self, at: tuple[int, ...]) -> int:
        number = 0
        for one, size in zip(at, self._structure.sized, strict=True):
            if one >= size:
                raise ValueError(f"category {one} of {size}")
            number = number * size + one
        return number

    def _place(self, key: str, size: int) -> tuple[int, ...]:
        place = tuple(map(int, key.split(":")))
        if len(place) != size or min(place) < 0:
            raise ValueError(f"the key {key[:40]!r} does not fit {size} dimensions")
        return place

    def _values(self, level: str, values: Any) -> dict[str, Labelled]:
        """The attributes that have a value, under their names."""
        read: dict[str, Labelled] = {}
        # Further values are annotations.
        for attribute, value in zip(self._structure.attributes[level], values or (), strict=False):
            labelled = attribute.read(value)
            if labelled is not None:
                read |= dict.fromkeys(attribute.names, labelled)
        return read

    def _series_context(
        self,
        at: tuple[int, ...],
        own: Mapping[str, Labelled],
        attributes: Mapping[str, Labelled],
    ) -> SeriesNotes:
        """The unit and the frequency; attributes that are closer to the cell come first."""
        given = {**self._common, **self._grouped(at), **own, **attributes}
        units = (
            _first(given, _UNITS),
            _scale(_first(given, _SCALES)),
            _base(_first(given, _BASES)),
        )
        frequency = _first(given, _FREQUENCIES)
        key = (*units, frequency)
        if key not in self._notes:
            self._notes[key] = SeriesNotes(
                units=", ".join(label for _, label in filter(None, units)) or None,
                frequency=frequency[1] if frequency else None,
            )
        return self._notes[key]

    @cached_property
    def _common(self) -> dict[str, Labelled]:
        given = self._dataset.get("attributes")
        if given is None:
            # Older servers declare the only value of an attribute and do not refer to it.
            declared = self._structure.attributes["dataSet"]
            given = [0 if len(one.values) == 1 else None for one in declared]
        return self._values("dataSet", given)

    @cached_property
    def _groups(self) -> dict[tuple[int, ...], dict[tuple[int, ...], dict[str, Labelled]]]:
        """Attributes of groups of cells, by the dimensions and codes that define the group."""
        groups: dict[tuple[int, ...], dict[tuple[int, ...], dict[str, Labelled]]] = {}
        for key, values in record_of(self._dataset.get("dimensionGroupAttributes")).items():
            parts = key.split(":")
            fixed = tuple(at for at, part in enumerate(parts) if part)
            place = tuple(int(parts[at]) for at in fixed)
            groups.setdefault(fixed, {})[place] = self._values("dimensionGroup", values)
        return groups

    def _grouped(self, at: tuple[int, ...]) -> dict[str, Labelled]:
        merged: dict[str, Labelled] = {}
        for fixed, by_place in self._groups.items():
            merged |= by_place.get(tuple(at[one] for one in fixed), {})
        return merged


def _first(given: Mapping[str, Labelled], names: Sequence[str]) -> Labelled | None:
    return next((given[name] for name in names if name in given), None)


def _scale(multiplier: Labelled | None) -> Labelled | None:
    return None if multiplier is None or multiplier[0] in _NO_SCALE else multiplier


def _base(period: Labelled | None) -> Labelled | None:
    return None if period is None else (period[0], f"reference period {period[1]}")


def _status(attributes: Mapping[str, Labelled]) -> str | None:
    status = _first(attributes, _STATUSES)
    return None if status is None or status[0] in _NORMAL else status[1]
