"""FRED: economic time series of the Federal Reserve Bank of St. Louis.

Docs: https://fred.stlouisfed.org/docs/api/fred/
Silent on: the status of a figure; earlier vintages are not requested.
"""

from dataclasses import replace
from typing import Any

from sourcewright.base.errors import BadRequest, Refused, UpstreamError
from sourcewright.base.formats.json_values import (
    Record,
    count_of,
    require_value,
    required_count,
    required_records,
    text_of,
)
from sourcewright.domain.records.economy import (
    Observation,
    ObservationQuery,
    Observations,
    Series,
    SeriesResults,
)
from sourcewright.domain.records.figures import figure_of
from sourcewright.domain.records.periods import frequency_name, period_bounds
from sourcewright.domain.records.series_search import rank_series
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, api_key_option

_MOST_SERIES = 1000
_CANDIDATES = 50
"""Series to rank: by popularity alone, a word in the title counts as little as one in the notes."""
_FORM = {"file_type": "json"}
_TRANSFORMS = {
    "chg": "Change",
    "ch1": "Change from year ago",
    "pch": "Percent change",
    "pc1": "Percent change from year ago",
    "pca": "Compounded annual rate of change",
    "cch": "Continuously compounded rate of change",
    "cca": "Continuously compounded annual rate of change",
    "log": "Natural log",
}
"""Names of the units of transformed series."""


class Fred(Provider):
    """Searches series and returns their observations."""

    info = ProviderInfo(
        name="fred",
        title="FRED",
        home="https://fred.stlouisfed.org",
        base_url="https://api.stlouisfed.org/fred",
        # Its limit is 120 requests a minute.
        rate=RateLimit(starts=120, per_seconds=60.0, gap_seconds=0.1),
        allowed_hosts=("api.stlouisfed.org",),
        options=(api_key_option("FRED_API_KEY", of="FRED (free at fred.stlouisfed.org)"),),
    )

    async def search_series(self, text: str, *, limit: int) -> SeriesResults:
        """Rank series by the query words in the title, then by popularity."""
        params = {
            "search_text": text,
            "order_by": "popularity",
            "sort_order": "desc",
            "limit": str(min(max(limit, _CANDIDATES), _MOST_SERIES)),
        }
        series, total = await self.upstream.search(
            "/series/search", params | self._key(), read=read_list, error_in=error_in
        )
        return SeriesResults(series=rank_series(series, text)[:limit], total=total)

    async def observe_series(self, query: ObservationQuery) -> Observations:
        params_of_series = {"series_id": query.series_id}
        # It refuses an unknown series with 400 and a message; a 404 is none of its answers.
        series = await self.upstream.search(
            "/series", params_of_series | self._key(), read=read_series_list, error_in=error_in
        )
        params = params_of_series | observation_params(query) | self._key()
        observations, total = await self.upstream.search(
            "/series/observations", params, read=read_observations, error_in=error_in
        )
        return Observations(
            observations=observations,
            series=with_requested_units(series, query),
            available=total,
            series_count=1,
            ignored=tuple(name for name in ("country", "dimensions") if getattr(query, name)),
        )

    def _key(self) -> dict[str, str]:
        return _FORM | {"api_key": self.options["key"]}


def observation_params(query: ObservationQuery) -> dict[str, str]:
    since, until = (period_bounds(date or "") for date in (query.date_from, query.date_to))
    params = {
        "observation_start": since[0] if since else None,
        "observation_end": until[1] if until else None,
        "frequency": query.frequency,
        "units": query.units,
        "limit": str(query.limit),
        "sort_order": "asc" if since else "desc",
    }
    return {name: value for name, value in params.items() if value}


def with_requested_units(series: Series, query: ObservationQuery) -> Series:
    """The series with the units and the frequency of the requested figures."""
    transform = _TRANSFORMS.get(query.units or "")
    return replace(
        series,
        units=f"{transform} ({series.units})" if transform else series.units,
        frequency=frequency_name(query.frequency) or series.frequency,
    )


def read_list(answer: Any) -> tuple[tuple[Series, ...], int]:
    """The series of a search, and how many there are."""
    series = tuple(map(read_series, required_records(answer["seriess"])))
    total = required_count(answer["count"])
    if total and not series and not count_of(answer.get("offset")):
        raise ValueError(f"{total} series announced, but none sent")
    return series, total


def read_series_list(answer: Any) -> Series:
    [series] = map(read_series, required_records(answer["seriess"]))
    return series


def read_series(record: Record) -> Series:
    name = require_value(text_of(record["id"]), "id")
    adjusted = text_of(record.get("seasonal_adjustment"))
    units = require_value(text_of(record["units"]), "units")
    return Series(
        series_id=name,
        title=require_value(text_of(record["title"]), "title"),
        units=", ".join(filter(None, (units, adjusted))),
        frequency=text_of(record["frequency"]),
        last_updated=text_of(record.get("last_updated")),
        notes=text_of(record.get("notes")),
        popularity=count_of(record.get("popularity")),
        url=f"https://fred.stlouisfed.org/series/{name}",
        data_from=text_of(record.get("observation_start")),
        data_to=text_of(record.get("observation_end")),
    )


def read_observations(answer: Any) -> tuple[tuple[Observation, ...], int]:
    """The observations, and how many there are in all."""
    observations = tuple(
        Observation(
            date=require_value(text_of(record["date"]), "date"), value=figure_of(record["value"])
        )
        for record in required_records(answer["observations"])
    )
    return observations, required_count(answer["count"])


def error_in(answer: Any) -> UpstreamError | None:
    """The error that FRED explains in words: an unknown series, a wrong key or parameter."""
    words = text_of(answer["error_message"]) or ""
    if "does not exist" in words:
        return not_found("fred", "such series")
    if "api_key" in words:
        return Refused("fred", words, status=count_of(answer["error_code"]), cause="status")
    if count_of(answer["error_code"]) == 400:
        return BadRequest("fred", words, status=400, cause="status")
    return None
