"""FRED's API: economic time series; requires a key."""

from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json
from sourcewright.world.statistics import FRED_SERIES, Indicator

HOSTS = ("api.stlouisfed.org",)
WRONG_KEY = "a-wrong-key"

_FREQUENCIES = {"A": "Annual", "Q": "Quarterly", "M": "Monthly", "D": "Daily"}
_RESAMPLED = {"d", "w", "bw", "m", "q", "sa", "a"}
_UNITS = ("lin", "chg", "ch1", "pch", "pc1", "pca", "cch", "cca", "log")
_TODAY = "2026-07-01"


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    params = request.params
    if params.get("api_key", WRONG_KEY) == WRONG_KEY:
        return _bad("The value for variable api_key is not registered.")
    if params.get("file_type") != "json":
        return Response(
            status=200, body=b"<?xml version='1.0'?><seriess/>", content_type="text/xml"
        )
    routes = {
        "/fred/series": _series,
        "/fred/series/search": _search,
        "/fred/series/observations": _observations,
    }
    route = routes.get(request.path)
    if route is None:
        return as_json({"error_code": 404, "error_message": "Not Found"}, status=404)
    return route(dict(params))


def _bad(words: str) -> Response:
    return as_json({"error_code": 400, "error_message": f"Bad Request.  {words}"}, status=400)


def _search(params: dict[str, str]) -> Response:
    words = params.get("search_text", "").lower().split()
    if not words:
        return _bad("Variable search_text is not set.")
    hits = [one for one in FRED_SERIES if all(w in f"{one.id} {one.title}".lower() for w in words)]
    if params.get("order_by") == "popularity":
        hits.sort(key=lambda one: one.popularity, reverse=params.get("sort_order") == "desc")
    limit = int(params.get("limit", "1000"))
    records = [_record(one) for one in hits[:limit]]
    return as_json(_head() | {"count": len(hits), "offset": 0, "limit": limit, "seriess": records})


def _series(params: dict[str, str]) -> Response:
    one = _named(params)
    if one is None:
        return _bad("The series does not exist.")
    return as_json(_head() | {"seriess": [_record(one)]})


def _observations(params: dict[str, str]) -> Response:
    one = _named(params)
    if one is None:
        return _bad("The series does not exist.")
    if params.get("units", "lin") not in _UNITS:
        return _bad("The value for variable units is not one of: 'lin', 'chg', 'ch1', 'pch'.")
    if params.get("frequency", "d") not in _RESAMPLED:
        return _bad("Value of frequency is not one of: 'd', 'w', 'bw', 'm', 'q', 'sa', 'a'.")
    since = params.get("observation_start", "1600-01-01")
    until = params.get("observation_end", "9999-12-31")
    periods = [period for period in one.periods() if since <= period <= until]
    if params.get("frequency") == "a":
        periods = [period for period in periods if period[5:] == "01-01"]
    order = params.get("sort_order", "asc")
    if order == "desc":
        periods.reverse()
    limit = int(params.get("limit", "100000"))
    rows = [
        {
            "realtime_start": _TODAY,
            "realtime_end": _TODAY,
            "date": period,
            "value": one.figure(period) or ".",
        }
        for period in periods[:limit]
    ]
    facts = {
        "observation_start": since,
        "observation_end": until,
        "units": params.get("units", "lin"),
        "output_type": 1,
        "file_type": "json",
        "order_by": "observation_date",
        "sort_order": order,
        "count": len(periods),
        "offset": 0,
        "limit": limit,
    }
    return as_json(_head() | facts | {"observations": rows})


def _named(params: dict[str, str]) -> Indicator | None:
    name = params.get("series_id", "").upper()
    return next((one for one in FRED_SERIES if one.id == name), None)


def _head() -> dict[str, Any]:
    return {"realtime_start": _TODAY, "realtime_end": _TODAY}


def _record(one: Indicator) -> dict[str, Any]:
    return _head() | {
        "id": one.id,
        "title": one.title,
        "observation_start": one.periods()[0],
        "observation_end": one.periods()[-1],
        "frequency": _FREQUENCIES[one.frequency],
        "frequency_short": one.frequency,
        "units": one.units,
        "units_short": one.units,
        "seasonal_adjustment": "Not Seasonally Adjusted",
        "seasonal_adjustment_short": "NSA",
        "last_updated": "2026-06-30 07:54:01-05",
        "popularity": one.popularity,
        "notes": one.notes,
    }
