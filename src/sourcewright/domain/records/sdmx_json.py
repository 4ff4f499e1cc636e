"""SDMX-JSON: data messages of statistics offices, decoded into cubes (versions 1.0 and 2.0)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, NamedTuple

from sourcewright.base.formats.answer_limits import LimitExceeded
from sourcewright.base.formats.json_values import Record, list_of, record_of
from sourcewright.domain.records.cubes import MAX_CELLS, Cube, SeriesNotes, time_position
from sourcewright.domain.records.sdmx_structure import GROUP, Labelled, Structure

_UNITS: Final = ("UNIT_MEASURE", "UNIT")
_SCALES: Final = ("UNIT_MULT", "POWERCODE")
_BASES: Final = ("BASE_PER", "REFERENCEPERIOD")
_FREQUENCIES: Final = ("FREQ", "FREQUENCY", "TIME_FORMAT")
_STATUSES: Final = ("OBS_STATUS", "OBS_FLAG")
_NO_SCALE: Final = frozenset({"0", ""})
_NORMAL: Final = frozenset({"A", ""})
"""The status of an ordinary figure, which is not reported."""


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
    structure = Structure(record_of(structures[0]))
    # Of several data sets with the same cell, the last one counts.
    cells = {
        cell.number: cell
        for dataset in map(record_of, list_of(body["dataSets"]))
        if str(dataset.get("action", "")).lower() != "delete"
        for cell in _DatasetReader(structure, dataset).cells()
    }
    numbers = sorted(cells)
    ids = [one.id for one in structure.dimensions]
    return Cube(
        label=structure.name,
        dimensions=structure.dimensions,
        cells={number: cells[number].value for number in numbers},
        statuses={number: status for number in numbers if (status := cells[number].status)},
        series_notes={number: cells[number].notes for number in numbers},
        time=time_position(ids, structure.times),
    )


class _Cell(NamedTuple):
    """One observation with its attributes."""

    number: int
    value: Any
    status: str | None
    notes: SeriesNotes


class _DatasetReader:
    """Reads the cells of one data set."""

    def __init__(self, structure: Structure, dataset: Record) -> None:
        self._structure = structure
        self._dataset = dataset
        self._fixed = (0,) * structure.sizes[0]
        self._notes: dict[tuple[Any, ...], SeriesNotes] = {}

    def cells(self) -> list[_Cell]:
        cells: list[_Cell] = []
        for cell in self._cells():
            cells.append(cell)
            if len(cells) > MAX_CELLS:
                raise LimitExceeded(f"more than {MAX_CELLS} observations")
        return cells

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
        sent = list_of(values or [])  # further values are annotations
        for place, attribute in enumerate(self._structure.attributes[level]):
            if place < len(sent):
                labelled = attribute.read(sent[place])
            else:
                # A group has only its own attributes; those of other groups are not left out.
                labelled = attribute.default if level != GROUP else None
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
            only = (one for one in declared if len(one.values) == 1)
            alone = {name: one.values[0] for one in only for name in one.names}
            return self._values("dataSet", []) | alone
        return self._values("dataSet", given)

    @cached_property
    def _groups(self) -> dict[tuple[int, ...], dict[tuple[int, ...], dict[str, Labelled]]]:
        """Attributes of groups of cells, by the dimensions and codes that define the group."""
        groups: dict[tuple[int, ...], dict[tuple[int, ...], dict[str, Labelled]]] = {}
        order = self._structure.key_order
        for key, values in record_of(self._dataset.get("dimensionGroupAttributes")).items():
            slots = key.split(":")
            if len(slots) > len(order):
                raise ValueError(f"the key {key[:40]!r} does not fit {len(order)} dimensions")
            fixed = tuple(at for at, slot in zip(order, slots, strict=False) if slot)
            place = tuple(int(slot) for slot in slots if slot)
            groups.setdefault(fixed, {})[place] = self._values(GROUP, values)
        return groups

    def _grouped(self, at: tuple[int, ...]) -> dict[str, Labelled]:
        merged: dict[str, Labelled] = {}
        for fixed, by_place in self._groups.items():
            merged |= by_place.get(tuple(at[one] for one in fixed), {})
        return merged


def _first(given: Mapping[str, Labelled], names: Sequence[str]) -> Labelled | None:
    return next((given[name] for name in names if name in given), None)


def _scale(multiplier: Labelled | None) -> Labelled | None:
    if multiplier is None or multiplier[0] in _NO_SCALE:
        return None
    code, label = multiplier
    if not any(map(str.isalnum, label)):
        return None  # the OECD's code 9999 has the label "."
    return code, f"10^{label}" if label.isdecimal() else label


def _base(period: Labelled | None) -> Labelled | None:
    return None if period is None else (period[0], f"reference period {period[1]}")


def _status(attributes: Mapping[str, Labelled]) -> str | None:
    status = _first(attributes, _STATUSES)
    return None if status is None or status[0] in _NORMAL else status[1]
