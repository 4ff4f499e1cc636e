"""Answers of record sources in which one value was replaced are read, or called unreadable."""

import json
from collections.abc import Iterator
from itertools import cycle
from typing import Any
from urllib.request import Request, urlopen

import pytest

from sourcewright.world.statistics import OECD_FLOWS

pytestmark = pytest.mark.anyio

KEYS = {
    **dict.fromkeys(("BRAVE_API_KEY", "FRED_API_KEY", "LENS_API_TOKEN"), "an-invented-key"),
    **dict.fromkeys(("USPTO_API_KEY", "SEARCHAPI_API_KEY"), "an-invented-key"),
    "SOURCEWRIGHT_CACHE": "false",
    "CIRCUIT_FAILURE_THRESHOLD": "1000000",
}
FLOW = OECD_FLOWS[0]
TIDES = {"series_id": "TI.GDP.MKTP.CD", "country": "TID", "provider": "worldbank"}
CALLS = [
    ("econ_search", TIDES),
    ("econ_search", {"query": "gdp", "provider": "worldbank"}),
    ("econ_search", {"series_id": "une_tide_m", "provider": "eurostat"}),
    (
        "econ_search",
        {"series_id": f"{FLOW.agency},{FLOW.code},{FLOW.version}", "provider": "oecd"},
    ),
    ("econ_search", {"series_id": "TIDEGDP", "provider": "fred"}),
    ("filing_search", {"query": "Meridian Tidal Power"}),
    ("filing_search", {"query": "Meridian Tidal Power", "facts": True}),
    ("legal_search", {"query": "Kelpworth v. Harbour Authority"}),
    ("clinical_search", {"condition": "tidal asthma"}),
    ("patent_search", {"query": "tidal turbine", "provider": "lens"}),
    ("patent_search", {"query": "tidal turbine", "provider": "uspto"}),
    ("patent_search", {"query": "tidal turbine", "provider": "searchapi"}),
    ("local_search", {"query": "coffee", "provider": "brave"}),
]
REPLACEMENTS = (None, [], {}, "x", 7, True, [None], ["x"], -1.5e300)
MAX_PLACES = 25
"""How many are tried at the beginning of an answer, and how many at its end."""

Place = tuple[str | int, ...]


def places_in(value: Any, place: Place = ()) -> Iterator[Place]:
    """Where a value stands in an answer; of a list, its first two entries."""
    yield place
    items: Any = value.items() if isinstance(value, dict) else ()
    if isinstance(value, list):
        items = enumerate(value[:2])
    for name, inner in items:
        yield from places_in(inner, (*place, name))


def replaced(value: Any, place: Place, replacement: object) -> Any:
    if not place:
        return replacement
    copy = value.copy()
    copy[place[0]] = replaced(value[place[0]], place[1:], replacement)
    return copy


def honest_answer(internet: Any, seen: Any) -> Any:
    """What the simulated internet answers to a request that it has seen; None if that is no JSON."""
    headers = {**seen.headers, "host": seen.host, "accept-encoding": "identity"}
    url = f"{internet.url}{seen.path}?{seen.query}"
    request = Request(url, data=seen.body or None, headers=headers, method=seen.method)
    with urlopen(request) as response:
        try:
            return json.loads(response.read())
        except ValueError:
            return None


@pytest.mark.parametrize(("tool", "arguments"), CALLS)
async def test_a_value_of_another_type_is_no_defect_of_ours(
    application, internet, tool, arguments
):
    app = await application(**KEYS)
    await app.call(tool, arguments)
    requests = {(seen.host, seen.path): seen for seen in internet.seen}.values()
    assert requests
    values, wrong = cycle(REPLACEMENTS), []

    for seen in requests:
        answer = honest_answer(internet, seen)
        every = list(places_in(answer))
        for place in dict.fromkeys((*every[:MAX_PLACES], *every[-MAX_PLACES:])):
            for _ in range(2):
                value = next(values)
                internet.mends()
                internet.says(seen.host, replaced(answer, place, value), path=seen.path)
                result = await app.call(tool, arguments)
                error = result.structured.get("error", {})
                if error.get("kind") == "internal":
                    wrong.append((seen.path, place, value))

    assert wrong == []
