"""Arguments and responses of econ_search: figures with their exact digits."""

import re
from typing import Annotated, Any, Literal

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    Field,
    StringConstraints,
    WithJsonSchema,
)

from sourcewright.base.text.phrases import count_phrase, cut_between_words
from sourcewright.domain.records.economy import (
    Observation,
    ObservationQuery,
    Observations,
    Series,
    SeriesResults,
)
from sourcewright.domain.records.figures import json_number
from sourcewright.domain.records.periods import period_bounds
from sourcewright.services.records.sources import RecordOutcome
from sourcewright.tools._answers.records import RecordReply, reply_fields, with_freshness
from sourcewright.tools._base import digits
from sourcewright.tools._results import CAMEL, OmittedIfNone

_NOTES_LENGTH = 300
_MOST_DIMENSIONS = 50
_DEFAULT_AREAS = {"worldbank": "WLD"}
_FREQUENCIES = {
    "daily": "d",
    "weekly": "w",
    "biweekly": "bw",
    "monthly": "m",
    "quarterly": "q",
    "semiannual": "sa",
    "annual": "a",
}
"""The codes of FRED, by the names that it gives as the frequency of a series."""
_LONGEST_CODE = 5
Requested = tuple[str | None, int, int]
"""The words of the query, the number of results that was asked for, and the maximum."""


def _period(value: str) -> str:
    if not re.fullmatch(r"\d{4}(-\d\d){0,2}", value, re.ASCII) or period_bounds(value) is None:
        raise ValueError("must be a date such as 2015 or 2015-06-30")
    return value


def _area(value: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9_]{1,20}([;,+][A-Za-z0-9_]{1,20}){0,50}", value, re.ASCII):
        raise ValueError("must be a country code such as DE or USA")
    return value.upper()


def _frequency(value: str) -> str:
    code = _FREQUENCIES.get(re.sub(r"[\s_-]", "", value.lower()), value.lower())
    if len(code) > _LONGEST_CODE:
        raise ValueError("must be d, w, bw, m, q, sa or a")
    return code


def _transform(value: str) -> str:
    if len(value) > _LONGEST_CODE:
        raise ValueError("must be lin, chg, ch1, pch, pc1, pca, cch, cca or log")
    return value.lower()


def _pairs(value: Any) -> Any:
    """Read `["sex=F", "age=TOTAL"]`, and one such text; leave the rest to pydantic."""
    texts = [value] if isinstance(value, str) and "=" in value else value
    if not isinstance(texts, list) or not all(isinstance(one, str) for one in texts):
        return value
    pairs = [one.partition("=") for one in texts]
    if not all(equals for _, equals, _ in pairs):
        raise ValueError('each must be a dimension and its code, such as "sex=F"')
    return {name.strip(): code.strip() for name, _, code in pairs}


def _codes(value: dict[str, str]) -> dict[str, str]:
    form = re.compile(r"[A-Za-z0-9_+,;. -]{1,200}", re.ASCII)
    if len(value) > _MOST_DIMENSIONS or not all(map(form.fullmatch, (*value, *value.values()))):
        raise ValueError("must be codes by dimension, such as sex: F")
    return {name.strip(): codes.strip() for name, codes in value.items()}


Period = Annotated[
    str,
    BeforeValidator(digits),
    StringConstraints(strip_whitespace=True),
    AfterValidator(_period),
]
Area = Annotated[str, StringConstraints(strip_whitespace=True), AfterValidator(_area)]
Frequency = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=100), AfterValidator(_frequency)
]
Transform = Annotated[
    str, StringConstraints(strip_whitespace=True, max_length=100), AfterValidator(_transform)
]
Codes = Annotated[
    dict[str, str],
    BeforeValidator(_pairs),
    AfterValidator(_codes),
    # A list, because strict clients cannot express an object of any names; that is accepted too.
    WithJsonSchema({"type": "array", "items": {"type": "string"}}),
]


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
        description="As published; a string if a JSON number would change it. Absent: missing.",
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
    """What the office says about the series."""

    model_config = CAMEL

    title: str
    units: OmittedIfNone[str] = None
    frequency: OmittedIfNone[str] = None
    last_updated: OmittedIfNone[str] = None
    url: OmittedIfNone[str] = None


def series_found(series: Series, source: str) -> SeriesOrObservation:
    fields = {name: getattr(series, name) for name in Series.__dataclass_fields__}
    if series.notes:
        fields["notes"] = cut_between_words(series.notes, _NOTES_LENGTH)
    return SeriesOrObservation(source=source, **fields)


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


def truncation_warning(result: Observations) -> str | None:
    """Say how many observations of several series are not shown."""
    count, there = len(result.observations), result.available or 0
    if count >= there or (result.series_count or 1) < 2:
        return None
    least = "at least " if result.at_least else ""
    return (
        f"Showing {count} of {least}{count_phrase(there, 'observation')} of "
        f"{result.series_count} series. Narrow with country, dimensions or dates, or raise "
        "num_results."
    )


class EconSearchAnswer(RecordReply):
    """Series, best first; or observations, the latest first unless date_from is given."""

    mode: Literal["series", "observations"]
    results: list[SeriesOrObservation]
    series_id: OmittedIfNone[str] = None
    country: OmittedIfNone[str] = None
    series: OmittedIfNone[SeriesFacts] = Field(None, description="About the series.")
    available: OmittedIfNone[int] = Field(None, description="How many results there are.")
    truncation_warning: OmittedIfNone[str] = None


def series_answer(
    outcome: RecordOutcome[SeriesResults], request: Requested, ignored: list[str]
) -> EconSearchAnswer:
    catalogue = outcome.answer.value
    results = [series_found(one, outcome.provider) for one in catalogue.series]
    answer = EconSearchAnswer(
        mode="series",
        results=results,
        result_count=len(results),
        available=catalogue.total,
        filters_ignored=ignored or None,
        **_shared(outcome, request),
    )
    return with_freshness(answer, outcome.answer)


def observation_answer(
    outcome: RecordOutcome[Observations], query: ObservationQuery, request: Requested
) -> EconSearchAnswer:
    result, name = outcome.answer.value, outcome.provider
    results = [observation_found(one, query.series_id, name) for one in result.observations]
    answer = EconSearchAnswer(
        mode="observations",
        series_id=query.series_id,
        country=None if "country" in result.ignored else query.country or _DEFAULT_AREAS.get(name),
        results=results,
        result_count=len(results),
        series=series_facts(result.series),
        available=result.available,
        truncation_warning=truncation_warning(result),
        filters_ignored=list(result.ignored) or None,
        **_shared(outcome, request),
    )
    return with_freshness(answer, outcome.answer)


def _shared(outcome: RecordOutcome[Any], request: Requested) -> dict[str, Any]:
    query, requested, most = request
    return reply_fields(outcome, query=query, requested=requested, most=most)
