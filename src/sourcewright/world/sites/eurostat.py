"""Eurostat's API: the table of contents as tab-separated text, and data sets as JSON-stat."""

import json
from urllib.parse import parse_qsl

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_text
from sourcewright.world.statistics import EUROSTAT_SETS, DataSet

HOSTS = ("ec.europa.eu",)

_DATA = "/eurostat/api/dissemination/statistics/1.0/data/"
_CONTENTS = "/eurostat/api/dissemination/catalogue/toc/txt"
_HEADER = (
    *("title", "code", "type", "last update of data", "last table structure change"),
    *("data start", "data end", "values"),
)
_NOT_FILTERS = {"format", "lang", "lastTimePeriod", "sinceTimePeriod", "untilTimePeriod"}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path == _CONTENTS:
        return as_text(contents())
    if not request.path.startswith(_DATA):
        return as_json(_problem(404, 1, "ERR_NOT_FOUND_1: Resource not found"), status=404)
    code = request.path.removeprefix(_DATA).lower()
    data_set = next((one for one in EUROSTAT_SETS if one.code == code), None)
    if data_set is None:
        words = f"ERR_NOT_FOUND_4: Dataset {code.upper()} not found"
        return as_json(_problem(404, 100, words), status=404)
    params = parse_qsl(request.query)
    filters = [(name, code) for name, code in params if name not in _NOT_FILTERS]
    if data_set.code == "tide_huge" and not filters:
        words = "EXTRACTION_TOO_BIG: The requested extraction is too big, estimated 16000000 rows."
        return as_json(_problem(413, 140, words), status=413)
    known = {axis.id for axis in data_set.axes}
    if unknown := [name for name, _ in filters if name not in known]:
        words = f"INVALID_QUERY_DIMENSION: {unknown[0]} is not a dimension"
        return as_json(_problem(400, 150, words), status=400)
    return Response(body=cube(data_set, filters, dict(params)).encode())


def _problem(status: int, number: int, words: str) -> dict[str, object]:
    return {"error": [{"status": status, "id": number, "label": words}]}


def contents() -> str:
    """Folders, and each data set in each folder that has it."""
    rows = [_HEADER, ("Database by themes", "data", "folder", "", "", "", "", "")]
    for folder in ("Tidal statistics", "Cross cutting topics"):
        rows.append((f"    {folder}", folder[:4].lower(), "folder", "", "", "", "", ""))
        for one in EUROSTAT_SETS:
            first, last = one.periods()[0], one.periods()[-1]
            described = (f"        {one.title}", one.code, "dataset", one.updated)
            rows.append((*described, "01.02.2026", first, last, "1188"))
    return "\n".join("\t".join(f'"{cell}"' for cell in row) for row in rows) + "\n"


def cube(data_set: DataSet, filters: list[tuple[str, str]], window: dict[str, str]) -> str:
    """The data set as JSON-stat: only cells with a figure are there, by number."""
    axes = [
        [one for one in axis.categories if _fits(axis.id, one[0], filters)]
        for axis in data_set.axes
    ]
    periods = _periods(data_set, window)
    sizes = [*map(len, axes), len(periods)]
    codes = [{code for code, _ in axis} for axis in axes]
    values, statuses, number = [], {}, 0
    for place in data_set.places():
        if not all(code in known for code, known in zip(place.values(), codes, strict=True)):
            continue
        for period in periods:
            figure = data_set.figure(place, period)
            if figure is not None:
                values.append(f'"{number}":{figure}')
                if period in data_set.provisional:
                    statuses[str(number)] = "p"
            number += 1
    head = {
        "version": "2.0",
        "class": "dataset",
        "label": data_set.title,
        "source": "ESTAT",
        "updated": "2026-06-26T23:00:00+0200",
        "value": "@",
        "status": statuses,
        "id": [*(axis.id for axis in data_set.axes), "time"],
        "size": sizes,
        "dimension": {
            axis.id: _dimension(axis.label, members)
            for axis, members in zip(data_set.axes, axes, strict=True)
        }
        | {"time": _dimension("Time", [(period, period) for period in periods])},
        "extension": {"lang": "EN", "status": {"label": {"p": "provisional"}}},
    }
    return json.dumps(head).replace('"@"', f"{{{','.join(values)}}}")


def _fits(axis: str, code: str, filters: list[tuple[str, str]]) -> bool:
    codes = [one.upper() for name, one in filters if name == axis]
    return not codes or code in codes


def _periods(data_set: DataSet, window: dict[str, str]) -> list[str]:
    since, until = window.get("sinceTimePeriod", "0"), window.get("untilTimePeriod", "9999")
    periods = [one for one in data_set.periods() if since <= one[:4] <= until]
    last = window.get("lastTimePeriod")
    return periods[-int(last) :] if last else periods


def _dimension(label: str, members: list[tuple[str, str]]) -> dict[str, object]:
    index = {code: at for at, (code, _) in enumerate(members)}
    return {"label": label, "category": {"index": index, "label": dict(members)}}
