"""Economic statistics: series, observations, catalogues of series, and queries for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class Series:
    """One statistical series, or one data set of many, as its office describes it."""

    series_id: str
    """The id for requesting its observations."""
    title: str
    units: str | None = None
    frequency: str | None = None
    last_updated: str | None = None
    notes: str | None = None
    popularity: int | None = None
    url: str | None = None
    """The URL of its web page."""
    data_from: str | None = None
    """The first period, as far as the catalogue says."""
    data_to: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SeriesResults:
    """The series that an office's own search found, best first."""

    series: tuple[Series, ...]
    total: int | None = None
    """The total number that the office reports."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Catalogue:
    """Every series of an office, for offices that have no search."""

    series: tuple[Series, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservationQuery:
    """A request for observations of a series."""

    series_id: str
    limit: int
    country: str | None = None
    """An area code in the office's own form; None for the office's default."""
    date_from: str | None = None
    """`2015`, `2015-06` or `2015-06-30`; the period that contains it counts."""
    date_to: str | None = None
    frequency: str | None = None
    units: str | None = None
    dimensions: Mapping[str, str] = field(default_factory=dict)
    """Codes by dimension, for data sets with several."""
    dimension_order: tuple[str, ...] = ()
    """The dimensions in the order of the office's keys, if they are known already."""

    @property
    def is_narrow(self) -> bool:
        """Whether it selects part of a data set."""
        return bool(self.country or self.dimensions)


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One figure of a series in one period."""

    date: str | None
    """The period as published: `2024`, `2024-Q3`, `2024-09`, `2024-09-30`; None for a data set
    without time."""
    value: str | None
    """The digits as published; None for a missing value."""
    title: str | None = None
    """The labels that identify it, for data sets with several dimensions."""
    units: str | None = None
    frequency: str | None = None
    notes: str | None = None
    """Its status, such as `provisional`."""
    dimensions: Mapping[str, str] = field(default_factory=dict)
    """Its code in each dimension but time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observations:
    """The observations of a series, in the requested order. An empty list is a valid answer."""

    observations: tuple[Observation, ...]
    series: Series | None = None
    """The description of the series that came with them."""
    available: int | None = None
    """How many observations match the query; more than in this result if it was limited."""
    at_least: bool = False
    """Whether `available` counts only what was fetched, of a data set that has more."""
    series_count: int | None = None
    """How many series they belong to."""
    ignored: tuple[str, ...] = ()
    """Filters of the query that this office does not support."""
