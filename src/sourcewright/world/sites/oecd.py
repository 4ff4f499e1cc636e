"""The OECD's SDMX service: dataflows, their structures, and their data as SDMX-JSON 2.0."""

import json
from typing import Any

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_text
from sourcewright.world.statistics import OECD_FLOWS, DataSet

HOSTS = ("sdmx.oecd.org",)

_STRUCTURE = "application/vnd.sdmx.structure+json"
_DATA = "application/vnd.sdmx.data+json"


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    parts = request.decoded_path.removeprefix("/public/rest/").split("/")
    params, accepted = dict(request.params), request.headers.get("accept", "")
    if parts[0] == "dataflow" and len(parts) == 4:
        if _STRUCTURE not in accepted:
            return as_text("<?xml version='1.0'?><mes:Structure/>", content_type="text/xml")
        return _dataflows(parts[1:], params)
    if parts[0] == "data" and len(parts) == 3:
        if _DATA not in accepted and params.get("format") != "jsondata":
            return as_text("<?xml version='1.0'?><mes:Data/>", content_type="text/xml")
        return _data(parts[1], parts[2], params)
    return as_text("Not Found", status=404)


def _dataflows(parts: list[str], params: dict[str, str]) -> Response:
    agency, flow, _ = parts
    data_sets = [
        one for one in OECD_FLOWS if agency in ("all", one.agency) and flow in ("all", one.code)
    ]
    if not data_sets:
        return as_text("Could not find requested structures", status=404)
    data: dict[str, Any] = {"dataflows": [_stub(one) for one in data_sets]}
    if params.get("references") == "datastructure":
        data["dataStructures"] = [_structure(one) for one in data_sets]
    return as_json({"meta": {"id": "IREF000001"}, "data": data}, content_type=_STRUCTURE)


def _stub(one: DataSet) -> dict[str, Any]:
    return {
        "id": one.code,
        "version": one.version,
        "agencyID": one.agency,
        "isExternalReference": True,
        "isFinal": True,
        "name": one.title,
        "names": {"en": one.title},
    }


def _structure(one: DataSet) -> dict[str, Any]:
    # Out of order, as it may be: the position counts.
    dimensions = [{"id": axis.id, "position": at} for at, axis in enumerate(one.axes)][::-1]
    listed = {
        "id": "DimensionDescriptor",
        "dimensions": dimensions,
        "timeDimensions": [{"id": "TIME_PERIOD", "position": len(one.axes)}],
    }
    return {
        "id": one.code.partition("@")[0],
        "agencyID": one.agency,
        "dataStructureComponents": {"dimensionList": listed},
    }


def _data(reference: str, key: str, params: dict[str, str]) -> Response:
    *_, name = reference.split(",")[:2]
    one = next((flow for flow in OECD_FLOWS if flow.code == name), None)
    if one is None:
        return as_text(
            "Could not find Dataflow and/or DSD related with this data request", status=404
        )
    codes_by_axis = [set(filter(None, part.split("+"))) for part in key.split(".")]
    if key != "all" and len(codes_by_axis) != len(one.axes):
        return as_text("Not enough key values in query", status=400)
    if one.is_large and {"firstNObservations", "lastNObservations"} & params.keys():
        return as_text("Request Entity Too Large", status=413)
    periods = [
        period
        for period in one.periods()
        if params.get("startPeriod", "0") <= period[:4] <= params.get("endPeriod", "9999")
    ]
    series = {}
    for place in one.places():
        if key == "all" or all(
            not codes or code in codes
            for code, codes in zip(place.values(), codes_by_axis, strict=True)
        ):
            series[_key(one, place)] = _observations(one, place, periods, params)
    filled = {key: cells for key, cells in series.items() if cells}
    if not filled:
        return as_text("NoRecordsFound", status=404)
    return Response(body=_message(one, periods, filled).encode(), content_type=_DATA)


def _key(one: DataSet, place: dict[str, str]) -> str:
    numbers = ([code for code, _ in axis.categories].index(place[axis.id]) for axis in one.axes)
    return ":".join(map(str, numbers))


def _observations(
    one: DataSet, place: dict[str, str], periods: list[str], params: dict[str, str]
) -> list[str]:
    observed = [period for period in periods if one.figure(place, period) is not None]
    if "lastNObservations" in params:
        observed = observed[-int(params["lastNObservations"]) :]
    if "firstNObservations" in params:
        observed = observed[: int(params["firstNObservations"])]
    listed = list(reversed(periods))
    return [
        f'"{listed.index(period)}":[{one.figure(place, period)},'
        f"{1 if period in one.provisional else 0}]"
        for period in observed
    ]


def _message(one: DataSet, periods: list[str], series: dict[str, list[str]]) -> str:
    cells = ",".join(
        f'"{key}":{{"attributes":[0],"observations":{{{",".join(cells)}}}}}'
        for key, cells in series.items()
    )
    dataset = f'{{"structure":0,"action":"Information","series":{{{cells}}}}}'
    head = json.dumps(
        {
            "meta": {"prepared": "2026-06-30T10:00:00Z"},
            "data": {"structures": [_described(one, periods)]},
        }
    )
    return f'{head[:-2]},"dataSets":[{dataset}]}}}}'


def _described(one: DataSet, periods: list[str]) -> dict[str, Any]:
    # The periods come in no order.
    times = [{"id": period, "name": period} for period in reversed(periods)]
    status = [{"id": "A", "name": "Normal value"}, {"id": "P", "name": "Provisional value"}]
    time = {"id": "TIME_PERIOD", "name": "Time period", "roles": ["TIME_PERIOD"], "values": times}
    series = [
        {
            "id": axis.id,
            "name": axis.label,
            "keyPosition": at,
            "values": [{"id": code, "name": name} for code, name in axis.categories],
        }
        for at, axis in enumerate(one.axes)
    ]
    return {
        "name": one.title,
        "names": {"en": one.title},
        "dimensions": {"dataSet": [], "series": series, "observation": [time]},
        "attributes": {
            "dataSet": [],
            "dimensionGroup": [],
            "series": [{"id": "UNIT_MULT", "values": [{"id": "6", "name": "Millions"}]}],
            "observation": [{"id": "OBS_STATUS", "name": "Status", "values": status}],
        },
    }
