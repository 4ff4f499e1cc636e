"""OECD: statistics of its members and partners, as SDMX dataflows.

Docs: https://www.oecd.org/en/data/insights/data-explainers/2024/09/api.html; for its limit of 60
downloads an hour, .../data-explainers/2024/11/Api-best-practices-and-recommendations.html, and for
the dataflows that refuse `firstNObservations` and `lastNObservations` with 413,
.../data-explainers/2026/03/Restricted-API-parameter.html, read on 2026-11-19.
Silent on: how many observations a dataflow has; only its structure says which dimensions it has.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from sourcewright.base.errors import BadRequest, NotFound, UpstreamError
from sourcewright.base.formats.json_values import (
    Record,
    record_of,
    require_value,
    required_records,
    text_of,
)
from sourcewright.domain.records.cubes import observations_of
from sourcewright.domain.records.economy import Catalogue, ObservationQuery, Observations, Series
from sourcewright.domain.records.figures import parse_figures
from sourcewright.domain.records.sdmx_json import read_message
from sourcewright.domain.records.sdmx_structure import name_of
from sourcewright.net.sources.partial_results import is_too_large, outcome
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404
from sourcewright.providers.oecd.queries import (
    area_of,
    key_of,
    page_of,
    reference_of,
    windows,
    windows_of_years,
)

__all__ = ["Oecd", "key_of", "reference_of"]

_ACCEPT = "application/vnd.sdmx.structure+json, application/vnd.sdmx.data+json;version=2.0.0"
_NOTHING = (b"NoRecordsFound", b"NoResultsFound", b"Could not find")
"""How it says, with status 404, that it has no such dataflow, structure or series."""
_REQUEST_LESS = (
    "this dataflow is too large for this request; request less, with country, dimensions or dates"
)


class Oecd(Provider):
    """Lists the dataflows and returns their observations."""

    info = ProviderInfo(
        name="oecd",
        title="OECD Data Explorer",
        home="https://data-explorer.oecd.org",
        base_url="https://sdmx.oecd.org/public/rest",
        # Its limit was 20 requests a minute; that of data is 60 downloads an hour.
        rate=RateLimit(starts=20, per_seconds=60.0, at_once=2),
        download_rate=RateLimit(starts=60, per_seconds=3600.0),
        allowed_hosts=("sdmx.oecd.org",),
    )

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        del options
        return {"accept": _ACCEPT}

    async def list_series(self) -> Catalogue:
        series = await self.upstream.search(
            "/dataflow/all/all/latest",
            {"detail": "allstubs"},
            read=read_dataflows,
            parse=parse_figures,
        )
        return Catalogue(series=series)

    async def list_dimensions(self, series_id: str) -> tuple[str, ...]:
        """The dimensions of a dataflow in the order of its keys, without time."""
        agency, flow, version = reference_of(series_id)
        path = f"/dataflow/{agency or 'all'}/{quote(flow, safe='@')}/{version or 'latest'}"
        params = {"references": "datastructure"}
        return await self.upstream.lookup(
            path, params, read=read_dimensions, parse=parse_figures, absent=_is_absence
        )

    async def observe_series(self, query: ObservationQuery) -> Observations:
        """Request the last figure of each series of a whole dataflow first.

        The largest dataflows refuse that, so that of them a range of years is requested.
        """
        dimensions = query.dimension_order
        if query.is_narrow and not dimensions:
            dimensions = await self.list_dimensions(query.series_id)
        reference = ",".join(reference_of(query.series_id)).strip(",")
        path = f"/data/{quote(reference, safe=',@')}/{key_of(query, dimensions)}"
        observations = await self._observe(path, query, windows(query))
        if query.is_narrow and is_too_large(observations):
            this_year = datetime.fromtimestamp(self.upstream.now(), UTC).year
            years = windows_of_years(query, this_year=this_year)
            observations = await self._observe(path, query, years)
        if isinstance(observations, UpstreamError):
            raise _explained(observations)
        unhonoured = ("country",) if query.country and not area_of(dimensions) else ()
        return replace(
            observations,
            series=observations.series
            and replace(observations.series, url=page_of(query.series_id)),
            at_least=True,
            ignored=(
                *unhonoured,
                *(name for name in ("frequency", "units") if getattr(query, name)),
            ),
        )

    async def _observe(
        self, path: str, query: ObservationQuery, ranges: Iterable[Mapping[str, str]]
    ) -> Observations | UpstreamError:
        """The observations in the first of these ranges that has enough of them, or in the last.

        Only the last, which is the widest, says that there are none.
        """
        result: Observations | UpstreamError = Observations(observations=())
        for range_ in ranges:
            result = await outcome(
                self.downloads.lookup(
                    path,
                    {**range_, **_FORM},
                    # Within `read`, so that a figure that is none is an unreadable response.
                    read=lambda answer: observations_of(read_message(answer), query),
                    parse=parse_figures,
                    absent=_is_absence,
                )
            )
            if isinstance(result, Observations):
                if len(result.observations) >= query.limit:
                    break
            elif not isinstance(result, NotFound):
                break
        return result


def _explained(error: UpstreamError) -> UpstreamError:
    """The error; where it is the size of the request, with what makes it smaller."""
    return BadRequest("oecd", _REQUEST_LESS, cause="status") if is_too_large(error) else error


_is_absence = own_404(lambda body: body.strip().startswith(_NOTHING))
_FORM = {"dimensionAtObservation": "TIME_PERIOD", "format": "jsondata"}


def read_dataflows(answer: Any) -> tuple[Series, ...]:
    flows = answer["data"]["dataflows"]
    series = tuple(_dataflow(record_of(flow)) for flow in flows)
    if not series:
        raise ValueError("a catalogue without dataflows")
    return series


def _dataflow(record: Record) -> Series:
    parts = (text_of(record[name]) or "" for name in ("agencyID", "id", "version"))
    name = ",".join(parts)
    return Series(
        series_id=name,
        title=require_value(name_of(record), "name"),
        url=page_of(name),
    )


def read_dimensions(answer: Any) -> tuple[str, ...]:
    [structure] = required_records(answer["data"]["dataStructures"])
    listed = record_of(record_of(structure["dataStructureComponents"])["dimensionList"])
    dimensions = required_records(listed["dimensions"])
    placed = sorted(enumerate(dimensions), key=lambda pair: pair[1].get("position", pair[0]))
    return tuple(require_value(text_of(one["id"]), "id") for _, one in placed)
