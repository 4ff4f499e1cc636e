"""Requests to the OECD: references to dataflows, keys of series, and ranges of periods."""

import re
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from sourcewright.base.errors import InvalidInput
from sourcewright.domain.records.economy import ObservationQuery
from sourcewright.domain.records.periods import year_of_date

_AREAS = ("REF_AREA", "LOCATION", "COUNTRY", "COU")
"""Dimensions that are the country, the usual one first."""
_REFERENCE = re.compile(
    r"(?:(\w[\w.-]{0,99})[,/])?(\w[\w.@-]{0,199})(?:[,/]([\w.-]{0,20}))?", re.ASCII
)
_SEVERAL = re.compile(r"[+,; ]+")
_DAYS = 366
"""Extra observations to request if only part of a requested year is needed."""
_FIRST_YEAR, _LAST_YEAR = 1900, 9999


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


def windows_of_years(query: ObservationQuery, *, this_year: int) -> Iterator[dict[str, str]]:
    """Ranges of years with enough observations of an annual series, then all requested years."""
    since, until = (
        int(year_of_date(date)) if date else None for date in (query.date_from, query.date_to)
    )
    first, last = since, until
    if since is not None:
        last = min(since + query.limit, until or _LAST_YEAR)
    else:
        first = max((until or this_year) - query.limit, _FIRST_YEAR)
    for start, end in dict.fromkeys(((first, last), (since, until))):
        years = {"startPeriod": start, "endPeriod": end}
        yield {name: str(year) for name, year in years.items() if year is not None}


def page_of(series_id: str) -> str:
    agency, flow, version = reference_of(series_id)
    parts = {"ds": "dsDisseminateFinalDMZ", "id": flow, "ag": agency, "vs": version}
    query = "&".join(f"df[{name}]={quote(part)}" for name, part in parts.items())
    return f"https://data-explorer.oecd.org/vis?{query}"
