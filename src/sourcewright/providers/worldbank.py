"""World Bank Open Data: development indicators of economies and of groups of them.

Docs: https://datahelpdesk.worldbank.org/knowledgebase/topics/125589-developer-information
Silent on: the frequency of an indicator, and the unit where the name does not say it.
"""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any
from urllib.parse import quote

from sourcewright.base.errors import BadRequest
from sourcewright.base.formats.answer_limits import truncate_text
from sourcewright.base.formats.json_values import (
    Record,
    list_of,
    record_of,
    records_of,
    require_value,
    required_count,
    text_of,
)
from sourcewright.domain.records.economy import (
    Catalogue,
    Observation,
    ObservationQuery,
    Observations,
    Series,
)
from sourcewright.domain.records.figures import figure_of, parse_figures
from sourcewright.domain.records.periods import is_within, period_order, year_of_date
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

WORLD = "WLD"
_FIRST_YEAR = "1900"
_MOST_ROWS = 20_000
"""Rows of one page: every economy for every year of one indicator."""
_MOST_PAGES = 20
_NOTE_LENGTH = 300
_UNKNOWN = frozenset({"120", "175"})
"""Its messages about a parameter with an unknown value."""


class WorldBank(Provider):
    """Lists the World Development Indicators and returns their observations."""

    info = ProviderInfo(
        name="worldbank",
        title="World Bank Open Data",
        home="https://data.worldbank.org",
        base_url="https://api.worldbank.org/v2",
        rate=RateLimit(starts=5),
        allowed_hosts=("api.worldbank.org",),
    )

    async def list_series(self) -> Catalogue:
        series: list[Series] = []
        for page in range(1, _MOST_PAGES + 1):
            params = {"source": "2", "format": "json", "per_page": "2000", "page": str(page)}
            indicators, pages = await self.upstream.search(
                "/indicator", params, read=read_indicators
            )
            series += indicators
            if page >= pages:
                break
        return Catalogue(series=tuple(series))

    async def observe_series(self, query: ObservationQuery) -> Observations:
        country = query.country or WORLD
        path = f"/country/{quote(country, safe=';')}/indicator/{quote(query.series_id, safe='')}"
        several = ";" in country or country.lower() == "all"
        return await self.upstream.search(
            path,
            self._params(query, several=several),
            read=lambda answer: read_observations(answer, query, several=several),
            parse=parse_figures,
        )

    def _params(self, query: ObservationQuery, *, several: bool) -> dict[str, str]:
        """Years of one economy come latest first; of several economies, request the latest of each."""
        params = {"format": "json", "per_page": str(_MOST_ROWS)}
        if query.date_from or query.date_to:
            this_year = datetime.fromtimestamp(self.upstream.now(), UTC).year
            since = year_of_date(query.date_from or _FIRST_YEAR)
            until = year_of_date(query.date_to or str(this_year + 1))
            return params | {"date": f"{since}:{max(since, until)}"}
        return params | ({"mrv": str(query.limit)} if several else {"per_page": str(query.limit)})


def in_order(rows: Sequence[Record], query: ObservationQuery) -> list[Record]:
    """The rows within the dates: the latest first, or the earliest first if a start date is given."""
    since = year_of_date(query.date_from) if query.date_from else None
    until = year_of_date(query.date_to) if query.date_to else None
    fitting = [row for row in rows if is_within(_date(row), since, until)]
    ordered = sorted(
        fitting, key=lambda row: period_order(_date(row)), reverse=query.date_from is None
    )
    return ordered[: query.limit]


def read_page(answer: Any) -> tuple[tuple[Record, ...], Record]:
    """The rows of a page, and the facts about it.

    Raises:
        NotFound: It has no such indicator or economy.
        BadRequest: It does not understand the request.
    """
    head = record_of(list_of(answer)[0])
    if "message" in head:
        messages = records_of(head["message"])
        words = "; ".join(filter(None, (text_of(one.get("value")) for one in messages)))
        if {text_of(one.get("id")) for one in messages} & _UNKNOWN:
            raise not_found("worldbank", "such indicator or economy")
        raise BadRequest("worldbank", words or "an error without a message", cause="status")
    facts, rows = answer
    total = required_count(facts["total"])
    read = () if rows is None else tuple(map(record_of, list_of(rows)))
    if total and not read:
        raise ValueError(f"{total} rows announced, but none sent")
    return read, facts


def read_observations(answer: Any, query: ObservationQuery, *, several: bool) -> Observations:
    rows, facts = read_page(answer)
    indicator = record_of(rows[0]["indicator"]) if rows else {}
    return Observations(
        observations=tuple(_observation(row, several=several) for row in in_order(rows, query)),
        series=Series(
            series_id=query.series_id,
            title=text_of(indicator.get("value")) or query.series_id,
            last_updated=text_of(facts.get("lastupdated")),
            url=f"https://data.worldbank.org/indicator/{quote(query.series_id, safe='.')}",
        )
        if rows
        else None,
        available=required_count(facts["total"]),
        at_least=several and not query.date_from and not query.date_to,
        series_count=len({text_of(record_of(row["country"])["id"]) for row in rows}),
        ignored=tuple(
            name for name in ("frequency", "units", "dimensions") if getattr(query, name)
        ),
    )


def read_indicators(answer: Any) -> tuple[tuple[Series, ...], int]:
    """The series on a page of the catalogue, and the number of its pages."""
    rows, facts = read_page(answer)
    return tuple(map(read_indicator, rows)), required_count(facts["pages"])


def read_indicator(record: Record) -> Series:
    name = require_value(text_of(record["id"]), "id")
    note = text_of(record.get("sourceNote"))
    return Series(
        series_id=name,
        title=require_value(text_of(record["name"]), "name"),
        units=text_of(record.get("unit")),
        notes=truncate_text(note, _NOTE_LENGTH) if note else None,
        url=f"https://data.worldbank.org/indicator/{quote(name, safe='.')}",
    )


def _date(row: Record) -> str:
    return require_value(text_of(row["date"]), "date")


def _observation(row: Record, *, several: bool) -> Observation:
    country = record_of(row["country"])
    code = text_of(row.get("countryiso3code")) or text_of(country.get("id"))
    return Observation(
        date=_date(row),
        value=figure_of(row["value"]),
        title=text_of(country.get("value")) if several else None,
        units=text_of(row.get("unit")),
        notes=text_of(row.get("obs_status")),
        dimensions={"country": code} if code else {},
    )
