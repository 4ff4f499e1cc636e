"""Eurostat: the official statistics of Europe, as data sets of many dimensions.

Docs: https://ec.europa.eu/eurostat/web/user-guides/data-browser/api-data-access/api-detailed-guidelines/api-statistics
Silent on: why a code that a dimension does not have yields no data instead of an error.
"""

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

from sourcewright.base.errors import BadRequest, Unavailable, UpstreamError
from sourcewright.base.formats.json_values import (
    Record,
    count_of,
    record_of,
    records_of,
    require_value,
    text_of,
)
from sourcewright.base.text.dates import date_of
from sourcewright.domain.records.cubes import observations_of
from sourcewright.domain.records.economy import Catalogue, ObservationQuery, Observations, Series
from sourcewright.domain.records.figures import parse_figures
from sourcewright.domain.records.json_stat import read_datasets
from sourcewright.domain.records.periods import year_of_date
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

Params = list[tuple[str, str]]

_UNPUBLISHED = 6
"""Latest periods that may be announced without a figure."""
_PREPARATION_SECONDS = 60.0
_OWN_CODES = {"GR": "EL", "GB": "UK"}
"""Countries for which Eurostat has a code other than ISO's."""
_SEVERAL = re.compile(r"[+,; ]+")
_COLUMNS = ("title", "code", "type")
_DAY = re.compile(r"([0-9]{2})\.([0-9]{2})\.([0-9]{4})")


class Eurostat(Provider):
    """Lists the data sets and returns their observations."""

    info = ProviderInfo(
        name="eurostat",
        title="Eurostat",
        home="https://ec.europa.eu/eurostat",
        base_url="https://ec.europa.eu/eurostat/api/dissemination",
        rate=RateLimit(starts=5),
        allowed_hosts=("ec.europa.eu",),
    )

    async def list_series(self) -> Catalogue:
        series = await self.upstream.search(
            "/catalogue/toc/txt", {"lang": "EN"}, read=read_contents, parse=bytes.decode
        )
        return Catalogue(series=series)

    async def observe_series(self, query: ObservationQuery) -> Observations:
        """Request one period of a whole data set first, because that may already be enough."""
        path = f"/statistics/1.0/data/{quote(query.series_id, safe='')}"
        observations = Observations(observations=())
        for window in windows(query):
            params = [("format", "JSON"), ("lang", "EN"), *filters(query), *window]
            observations = await self.upstream.search(
                path,
                params,
                # Within `read`, so that a figure that is none is an unreadable response.
                read=lambda answer: observations_of(read_answer(answer)[0], query),
                parse=parse_figures,
                error_in=error_in,
            )
            if len(observations.observations) >= query.limit:
                break
        return with_facts(observations, query)


def filters(query: ObservationQuery) -> Params:
    chosen = {name.lower(): code for name, code in query.dimensions.items()}
    if query.country:
        chosen["geo"] = query.country
    return [
        (name, _OWN_CODES.get(code, code) if name == "geo" else code)
        for name, codes in chosen.items()
        for code in filter(None, _SEVERAL.split(codes.upper()))
    ]


def windows(query: ObservationQuery) -> Iterator[Params]:
    """The periods to request, each window wider than the one before it."""
    if not query.date_from and not query.date_to:
        if not query.is_narrow:
            yield [("lastTimePeriod", "1")]
        yield [("lastTimePeriod", str(query.limit + _UNPUBLISHED))]
        return
    since = int(year_of_date(query.date_from)) if query.date_from else None
    until = int(year_of_date(query.date_to)) if query.date_to else None
    years = query.limit if query.is_narrow else 0
    if since is not None:
        bound = since + years
        if until is None or bound < until:
            yield _years(since, bound)
    elif until is not None:
        yield _years(until - years, until)
    yield _years(since, until)


def _years(since: int | None, until: int | None) -> Params:
    bounds = {"sinceTimePeriod": since, "untilTimePeriod": until}
    return [(name, str(year)) for name, year in bounds.items() if year is not None]


def with_facts(observations: Observations, query: ObservationQuery) -> Observations:
    code = query.series_id.lower()
    series = observations.series and Series(
        series_id=query.series_id,
        title=observations.series.title,
        last_updated=observations.series.last_updated,
        url=page_of(code),
    )
    return Observations(
        observations=observations.observations,
        series=series,
        available=observations.available,
        at_least=not query.date_from,
        series_count=observations.series_count,
        ignored=tuple(name for name in ("frequency", "units") if getattr(query, name)),
    )


def page_of(code: str) -> str:
    return f"https://ec.europa.eu/eurostat/databrowser/view/{quote(code, safe='')}/default/table"


def read_answer(answer: Any) -> Any:
    """The data set, unless the response says that it is not ready yet."""
    error = error_in(answer) if {"error", "warning"} & record_of(answer).keys() else None
    if error is not None:
        raise error
    return read_datasets(answer)


def error_in(answer: Any) -> UpstreamError | None:
    """The error that Eurostat explains: no such data set, too many cells, a wrong filter."""
    message: Record = records_of(answer.get("error") or answer["warning"])[0]
    words, code = text_of(message["label"]) or "", count_of(message["status"])
    if "ASYNCHRONOUS_RESPONSE" in words:
        detail = "is preparing this extract; try again later, or request less with country or dimensions"
        return Unavailable("eurostat", detail, cause="status", retry_after=_PREPARATION_SECONDS)
    if code == 404:
        return not_found("eurostat", "such data set")
    if code == 413:
        words = f"{words} Request less, with country, dimensions or dates."
    return BadRequest("eurostat", words, status=code, cause="status") if words else None


def read_contents(text: str) -> tuple[Series, ...]:
    """The data sets of the table of contents, each once: a data set may be in several folders.

    Raises:
        ValueError: It is not a table of contents.
    """
    header, *rows = (_cells(line) for line in text.removeprefix("\ufeff").split("\n") if line)
    header = [name.lower() for name in header]
    if tuple(header[:3]) != _COLUMNS:
        raise ValueError(f"expected the columns {_COLUMNS}, got {header[:3]}")
    series_by_code: dict[str, Series] = {}
    for cells in rows:
        row = dict(zip(header, cells, strict=False))
        if row.get("type") in ("dataset", "table") and row["code"] not in series_by_code:
            series_by_code[row["code"]] = _data_set(row)
    if not series_by_code:
        raise ValueError("a table of contents without data sets")
    return tuple(series_by_code.values())


def _cells(line: str) -> list[str]:
    """The cells of a line, which are in quotation marks; the depth of a title is in its spaces."""
    return [cell.strip().strip('"').replace('""', '"').strip() for cell in line.split("\t")]


def _data_set(row: dict[str, str]) -> Series:
    code = require_value(row["code"] or None, "code")
    return Series(
        series_id=code,
        title=require_value(text_of(row["title"]), "title"),
        last_updated=_iso(row.get("last update of data", "")),
        data_from=row.get("data start") or None,
        data_to=row.get("data end") or None,
        url=page_of(code.lower()),
    )


def _iso(text: str) -> str | None:
    """A date such as 26.06.2026 in ISO form."""
    match = _DAY.fullmatch(text)
    return date_of("-".join(reversed(match.groups()))) if match else None
