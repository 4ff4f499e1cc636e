"""Series and observations in the responses of econ_search: figures with their exact digits."""

from typing import Any

from pydantic import BaseModel, Field

from sourcewright.domain.economy import Observation, Observations, Series
from sourcewright.logic.records.figures import json_number
from sourcewright.logic.text.phrases import count_phrase, cut_between_words
from sourcewright.tools._results import CAMEL, OmittedIfNone

_NOTES_LENGTH = 300


class SeriesOrObservation(BaseModel):
    """A series in mode `series`, one observation in mode `observations`."""

    model_config = CAMEL

    series_id: str
    title: OmittedIfNone[str] = None
    units: OmittedIfNone[str] = None
    frequency: OmittedIfNone[str] = None
    last_updated: OmittedIfNone[str] = None
    notes: OmittedIfNone[str] = Field(None, description="Notes on a series; status of a figure.")
    date: OmittedIfNone[str] = Field(None, description="The period as published.")
    value: OmittedIfNone[int | float | str] = Field(
        None,
        description="As published; text where a JSON number would change it. Absent: missing.",
    )
    value_text: OmittedIfNone[str] = Field(
        None, description="The published digits, if the number is written differently."
    )
    dimensions: OmittedIfNone[dict[str, str]] = Field(None, description="Codes by dimension.")
    popularity: OmittedIfNone[int] = None
    data_from: OmittedIfNone[str] = None
    data_to: OmittedIfNone[str] = None
    url: OmittedIfNone[str] = None
    source: str


class SeriesFacts(BaseModel):
    """What the office says of the series of the observations."""

    model_config = CAMEL

    title: str
    units: OmittedIfNone[str] = None
    frequency: OmittedIfNone[str] = None
    last_updated: OmittedIfNone[str] = None
    url: OmittedIfNone[str] = None


def series_found(series: Series, source: str) -> SeriesOrObservation:
    shown = {name: getattr(series, name) for name in Series.__dataclass_fields__}
    if series.notes:
        shown["notes"] = cut_between_words(series.notes, _NOTES_LENGTH)
    return SeriesOrObservation(source=source, **shown)


def observation_found(one: Observation, series_id: str, source: str) -> SeriesOrObservation:
    number = None if one.value is None else json_number(one.value)
    return SeriesOrObservation(
        series_id=series_id,
        date=one.date,
        value=number,
        value_text=one.value if one.value is not None and str(number) != one.value else None,
        title=one.title,
        units=one.units,
        frequency=one.frequency,
        notes=one.notes,
        dimensions=dict(one.dimensions) or None,
        source=source,
    )


def series_facts(series: Series | None) -> SeriesFacts | None:
    if series is None:
        return None
    return SeriesFacts(**{name: getattr(series, name) for name in SeriesFacts.model_fields})


def truncation_warning(found: Observations) -> str | None:
    """Say how much of several series is not shown; one series is asked for by its latest figures."""
    shown, there = len(found.observations), found.available or 0
    if shown >= there or (found.series_count or 1) < 2:
        return None
    least = "at least " if found.at_least else ""
    return (
        f"Shown are {shown} of {least}{count_phrase(there, 'observation')} of "
        f"{found.series_count} series. Narrow with country, dimensions or dates, or raise "
        "num_results."
    )


def observation_fields(found: Observations, series_id: str, source: str) -> dict[str, Any]:
    """Return the fields of the answer that only observations have."""
    results = [observation_found(one, series_id, source) for one in found.observations]
    return {
        "mode": "observations",
        "series_id": series_id,
        "results": results,
        "result_count": len(results),
        "series": series_facts(found.series),
        "available": found.available,
        "truncation_warning": truncation_warning(found),
        "filters_ignored": list(found.ignored) or None,
    }
