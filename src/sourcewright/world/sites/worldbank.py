"""The World Bank's API: indicators of economies, as paging metadata and rows."""

import json
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json
from sourcewright.world.statistics import WORLD_AREAS, WORLD_INDICATORS, Indicator

HOSTS = ("api.worldbank.org",)

_UPDATED = "2026-07-01"


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    parts = request.decoded_path.strip("/").split("/")
    params = dict(request.params)
    if params.get("format") != "json":
        return Response(body=b"<?xml version='1.0'?><wb:error/>", content_type="text/xml")
    if parts == ["v2", "indicator"]:
        return _catalogue(params)
    if len(parts) == 5 and parts[1] == "country" and parts[3] == "indicator":
        return _rows(parts[2], parts[4], params)
    return as_json({"message": "Not Found"}, status=404)


def _invalid() -> Response:
    text = {
        "id": "120",
        "key": "Invalid value",
        "value": "The provided parameter value is not valid",
    }
    return as_json([{"message": [text]}])


def _catalogue(params: dict[str, str]) -> Response:
    rows = [
        {
            "id": one.id,
            "name": one.title,
            "unit": "",
            "source": {"id": "2", "value": "World Development Indicators"},
            "sourceNote": one.notes,
            "sourceOrganization": "",
            "topics": [],
        }
        for one in WORLD_INDICATORS
    ]
    # Two pages, so that a reader of the first alone is found out.
    size = min(int(params.get("per_page", "50")), 3)
    page = int(params.get("page", "1"))
    pages = -(-len(rows) // size)
    facts = {"page": page, "pages": pages, "per_page": str(size), "total": len(rows)}
    return as_json([facts, rows[(page - 1) * size : page * size]])


def _rows(countries: str, name: str, params: dict[str, str]) -> Response:
    indicator = next((one for one in WORLD_INDICATORS if one.id == name.upper()), None)
    areas = list(WORLD_AREAS) if countries.lower() == "all" else _areas(countries)
    if indicator is None or not areas:
        return _invalid()
    rows = [row for area in areas for row in _years(indicator, area, params)]
    size = int(params.get("per_page", "50"))
    if not rows:
        empty = {"page": 0, "pages": 0, "per_page": 0, "total": 0, "sourceid": None}
        return as_json([empty | {"lastupdated": None}, None])
    facts = {
        "page": 1,
        "pages": -(-len(rows) // size),
        "per_page": size,
        "total": len(rows),
        "sourceid": "2",
        "lastupdated": _UPDATED,
    }
    # The figures are numbers with all their digits, which no double has.
    listed = ",".join(rows[:size])
    return Response(body=f"[{json.dumps(facts)},[{listed}]]".encode())


def _areas(countries: str) -> list[str]:
    known = {short: long for long, (short, _) in WORLD_AREAS.items()} | {a: a for a in WORLD_AREAS}
    requested = countries.upper().split(";")
    return [known[one] for one in requested] if all(one in known for one in requested) else []


def _years(indicator: Indicator, area: str, params: dict[str, str]) -> list[str]:
    since, _, until = params.get("date", "0:9999").partition(":")
    periods = [p for p in reversed(indicator.periods()) if since <= p[:4] <= (until or since)]
    if "mrv" in params:
        periods = periods[: int(params["mrv"])]
    return [_row(indicator, area, period) for period in periods]


def _row(indicator: Indicator, area: str, period: str) -> str:
    short, name = WORLD_AREAS[area]
    row: dict[str, Any] = {
        "indicator": {"id": indicator.id, "value": indicator.title},
        "country": {"id": short, "value": name},
        "countryiso3code": area,
        "date": period[:4],
        "value": "@",
        "unit": "",
        "obs_status": "",
        "decimal": 0,
    }
    return json.dumps(row).replace('"@"', indicator.figure(period, area) or "null")
