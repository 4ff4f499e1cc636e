"""Statistical cubes: cells by dimension, as JSON-stat and SDMX-JSON describe them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, Final

from sourcewright.domain.records.economy import Observation, ObservationQuery, Observations, Series
from sourcewright.domain.records.figures import MISSING, figure_of
from sourcewright.domain.records.periods import frequency_name, is_within, period_order

MAX_CELLS: Final = 1_000_000
"""Maximum cells of one cube; a larger request is narrowed first."""

_TIME: Final = ("time", "time_period")
_FREQUENCY: Final = ("freq", "frequency")
_UNIT: Final = ("unit", "unit_measure", "units")
_SCALE: Final = ("unit_mult", "powercode")


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """One dimension: its categories in the order of the cells."""

    id: str
    label: str
    codes: tuple[str, ...]
    labels: tuple[str, ...]
    units: Mapping[str, str] = field(default_factory=dict)
    """The unit of each category, if categories are measures."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesNotes:
    """Attributes of all cells of a series."""

    units: str | None = None
    frequency: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cube:
    """A cube; cells that were not sent are missing.

    A cell is identified by its number; the last dimension changes fastest.
    """

    label: str
    dimensions: tuple[Dimension, ...]
    cells: Mapping[int, Any]
    """Values as they were sent, by the number of the cell, in ascending order."""
    time: int | None
    """Which dimension is time."""
    statuses: Mapping[int, str] = field(default_factory=dict)
    series_notes: Mapping[int, SeriesNotes] = field(default_factory=dict)
    updated: str | None = None

    def role(self, names: tuple[str, ...]) -> int | None:
        """The position of the first dimension with one of these names."""
        ids = [one.id.lower() for one in self.dimensions]
        return next((ids.index(name) for name in names if name in ids), None)

    def strides(self) -> list[int]:
        """The difference between the numbers of adjacent cells in each dimension."""
        sizes = [len(one.codes) for one in self.dimensions]
        return [prod(sizes[at + 1 :]) for at in range(len(sizes))]

    def place(self, number: int) -> tuple[int, ...]:
        """The category of a cell in each dimension."""
        pairs = zip(self.strides(), self.dimensions, strict=True)
        return tuple(number // stride % len(one.codes) for stride, one in pairs)


def time_position(ids: Sequence[str], declared: Iterable[str] = ()) -> int | None:
    """Which dimension is time: the declared one, or one with the usual name."""
    known = {*declared, *(one for one in ids if one.lower() in _TIME)}
    return next((at for at, one in enumerate(ids) if one in known), None)


def observations_of(cube: Cube, query: ObservationQuery) -> Observations:
    """The observations that match a query: the latest first, or from `date_from` on.

    Raises:
        ValueError: A period or a figure is in no known form.
    """
    keys = _series_keys(cube, cube.cells)
    pairs = zip(keys, cube.cells.values(), strict=True)
    filled = {key for key, value in pairs if value not in MISSING}
    # A dense cube has cells for series that do not exist; they are always empty.
    cells = [number for key, number in zip(keys, cube.cells, strict=True) if key in filled]
    if cube.time is not None:
        cells = _by_period(cube, cube.time, cells, query)
    make = _observation_maker(cube)
    return Observations(
        observations=tuple(make(number) for number in cells[: query.limit]),
        series=Series(series_id=query.series_id, title=cube.label, last_updated=cube.updated),
        available=len(cells),
        series_count=len(set(_series_keys(cube, cells))),
    )


def _series_keys(cube: Cube, cells: Iterable[int]) -> list[int]:
    """For each cell the number of the first cell of its series."""
    if cube.time is None:
        return list(cells)
    stride, size = cube.strides()[cube.time], len(cube.dimensions[cube.time].codes)
    if stride == 1:
        return [number - number % size for number in cells]
    return [number - number // stride % size * stride for number in cells]


def _by_period(cube: Cube, time: int, cells: Sequence[int], query: ObservationQuery) -> list[int]:
    """The cells of the requested periods by period; within a period in the order of the cube."""
    periods = cube.dimensions[time].codes
    newest_first = query.date_from is None
    order = sorted(
        range(len(periods)), key=lambda at: period_order(periods[at]), reverse=newest_first
    )
    stride, size = cube.strides()[time], len(periods)
    by_period: list[list[int]] = [[] for _ in periods]
    for number in cells:
        by_period[number // stride % size].append(number)
    return [
        number
        for at in order
        if by_period[at] and is_within(periods[at], query.date_from, query.date_to)
        for number in by_period[at]
    ]


def _observation_maker(cube: Cube) -> Callable[[int], Observation]:
    frequency, unit, scale = map(cube.role, (_FREQUENCY, _UNIT, _SCALE))
    labelled = [at for at in range(len(cube.dimensions)) if at not in (cube.time, frequency)]

    def make(number: int) -> Observation:
        place = cube.place(number)
        labels = ", ".join(cube.dimensions[at].labels[place[at]] for at in labelled)
        codes = {one.id: one.codes[at] for one, at in zip(cube.dimensions, place, strict=True)}
        period = codes.pop(cube.dimensions[cube.time].id) if cube.time is not None else None
        code = codes[cube.dimensions[frequency].id] if frequency is not None else None
        notes = cube.series_notes.get(number, SeriesNotes())
        unit_label, scale_label = (_label(cube, at, place) for at in (unit, scale))
        units = (unit_label, scale_label, notes.units, _measured_in(cube, codes))
        return Observation(
            date=period,
            value=figure_of(cube.cells[number]),
            title=" — ".join(filter(None, (cube.label, labels))) or None,
            units=", ".join(dict.fromkeys(filter(None, units))) or None,
            frequency=frequency_name(code) or notes.frequency,
            notes=cube.statuses.get(number),
            dimensions=codes,
        )

    return make


def _label(cube: Cube, at: int | None, place: Sequence[int]) -> str | None:
    """The label of a cell in a dimension; None without one, and for a scale of one."""
    if at is None or cube.dimensions[at].codes[place[at]] == "0":
        return None
    return cube.dimensions[at].labels[place[at]]


def _measured_in(cube: Cube, codes: Mapping[str, str]) -> str | None:
    """The unit of the measure, for a dimension whose categories have units."""
    units = (one.units.get(codes.get(one.id, "")) for one in cube.dimensions)
    return next(filter(None, units), None)
