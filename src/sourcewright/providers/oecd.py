"""OECD: statistics of its members and partners, as SDMX dataflows.

Docs: https://www.oecd.org/en/data/insights/data-explainers/2024/09/api.html
Silent on: how many observations a dataflow has; only its structure says which dimensions it has.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.records.economy import Catalogue, ObservationQuery, Observations, Series
from sourcewright.logic.formats.json_values import (
    Record,
    record_of,
    require_value,
    required_records,
    text_of,
)
from sourcewright.logic.records.cubes import observations_of
from sourcewright.logic.records.figures import parse_figures
from sourcewright.logic.records.periods import year_of_date
from sourcewright.logic.records.sdmx_json import read_message
from sourcewright.logic.records.sdmx_structure import name_of
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404

_ACCEPT = "application/vnd.sdmx.structure+json, application/vnd.sdmx.data+json;version=2.0.0"
_AREAS = ("REF_AREA", "LOCATION", "COUNTRY", "COU")
"""Dimensions that are the country, the usual one first."""
_REFERENCE = re.compile(
    r"(?:(\w[\w.-]{0,99})[,/])?(\w[\w.@-]{0,199})(?:[,/]([\w.-]{0,20}))?", re.ASCII
)
_SEVERAL = re.compile(r"[+,; ]+")
_NOTHING = (b"NoRecordsFound", b"NoResultsFound", b"Could not find")
"""How it says, with status 404, that it has no such dataflow, structure or series."""
_DAYS = 366
"""Extra observations to request if only part of a requested year is needed."""


class Oecd(Provider):
    """Lists the dataflows and returns their observations."""

    info = ProviderInfo(
        name="oecd",
        title="OECD Data Explorer",
        home="https://data-explorer.oecd.org",
        base_url="https://sdmx.oecd.org/public/rest",
        # Its limit is 20 requests a minute, and 20 data downloads an hour.
        rate=RateLimit(starts=20, per_seconds=60.0, at_once=2),
        download_rate=RateLimit(starts=20, per_seconds=3600.0),
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
        """Request the last figure of each series of a whole dataflow first."""
        dimensions = query.dimension_order
        if query.is_narrow and not dimensions:
            dimensions = await self.list_dimensions(query.series_id)
        reference = ",".join(reference_of(query.series_id)).strip(",")
        path = f"/data/{quote(reference, safe=',@')}/{key_of(query, dimensions)}"
        observations = Observations(observations=())
        for window in windows(query):
            observations = await self.downloads.lookup(
                path,
                window | _FORM,
                # Within `read`, so that a figure that is none is an unreadable response.
                read=lambda answer: observations_of(read_message(answer), query),
                parse=parse_figures,
                absent=_is_absence,
            )
            if len(observations.observations) >= query.limit:
                break
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


_is_absence = own_404(lambda body: body.strip().startswith(_NOTHING))
_FORM = {"dimensionAtObservation": "TIME_PERIOD", "format": "jsondata"}


def reference_of(series_id: str) -> tuple[str, str, str]:
    """The agency, the dataflow and the version, of which the first and the last may be empty.

    Raises:
        InvalidInput: It is not a reference to a dataflow.
    """
    match = _REFERENCE.fullmatch(series_id.strip())
    if match is None:
        raise InvalidInput(
            "series_id must be an OECD dataflow as a search returns it: agency,dataflow,version"
        )
    return match[1] or "", match[2], match[3] or ""


def area_of(dimensions: Sequence[str]) -> str | None:
    return next((name for name in _AREAS if name in dimensions), None)


def key_of(query: ObservationQuery, dimensions: Sequence[str]) -> str:
    """The key of the requested series: codes by dimension, separated by dots.

    Raises:
        InvalidInput: The dataflow has no such dimension.
    """
    if not query.is_narrow:
        return "all"
    chosen = {name.upper(): codes for name, codes in query.dimensions.items()}
    unknown = [name for name in chosen if name not in dimensions]
    if unknown:
        raise InvalidInput(
            f"{query.series_id} has no dimension {', '.join(unknown)}; it has {', '.join(dimensions)}"
        )
    area = area_of(dimensions)
    if query.country and area:
        chosen[area] = query.country
    codes = ["+".join(filter(None, _SEVERAL.split(chosen.get(one, "")))) for one in dimensions]
    # Dots alone would be a step up in the path.
    return quote(".".join(codes).upper(), safe=".+") if any(codes) else "all"


def windows(query: ObservationQuery) -> Iterator[dict[str, str]]:
    """How many observations of each series to request, the fewest first."""
    since, until = query.date_from, query.date_to
    dates = {
        "startPeriod": year_of_date(since) if since else None,
        "endPeriod": year_of_date(until) if until else None,
    }
    params = {name: year for name, year in dates.items() if year}
    margin = _DAYS if any(len(date or "") > 4 for date in (since, until)) else 0
    which = "firstNObservations" if since else "lastNObservations"
    if not query.is_narrow and not params:
        yield {which: "1"}
    yield params | {which: str(query.limit + margin)}


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


def page_of(series_id: str) -> str:
    agency, flow, version = reference_of(series_id)
    parts = {"ds": "dsDisseminateFinalDMZ", "id": flow, "ag": agency, "vs": version}
    query = "&".join(f"df[{name}]={quote(part)}" for name, part in parts.items())
    return f"https://data-explorer.oecd.org/vis?{query}"
