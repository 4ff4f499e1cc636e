"""Statistics: decoding a cube against parsing its JSON, and searching a catalogue against asking."""

import json
import random
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter, sleep

from search_calls import Row
from sourcewright.domain.records.cubes import observations_of
from sourcewright.domain.records.economy import Catalogue, ObservationQuery, Series
from sourcewright.domain.records.figures import parse_figures
from sourcewright.domain.records.json_stat import read_datasets
from sourcewright.domain.records.series_search import CatalogueCodec, CatalogueText

CUBE_GOAL, CATALOGUE_GOAL = 3.0, 0.1
SIZES = {"freq": 1, "unit": 2, "sex": 5, "geo": 50, "time": 100}
ENTRIES, ROUNDS = 10_000, 9
REQUEST_SECONDS = 0.08
WORDS = [
    "annual",
    "growth",
    "population",
    "GDP",
    "area",
    "prices",
    "women",
    "energy",
    "tides",
    "income",
    "trade",
    "exports",
    "imports",
    "labour",
    "employment",
    "unemployment",
    "rate",
    "share",
    "total",
    "education",
    "health",
    "land",
    "forest",
    "water",
    "emissions",
    "transport",
    "tourism",
    "housing",
    "debt",
    "revenue",
    "expenditure",
    "investment",
    "saving",
    "agriculture",
    "industry",
    "services",
    "youth",
]


def measure() -> Iterator[Row]:
    """Give one row after the other, as they are measured."""
    body = _cube()
    query = ObservationQuery(series_id="x", limit=10)
    ours, theirs = _in_turns(
        lambda: observations_of(read_datasets(parse_figures(body))[0], query),
        lambda: json.loads(body),
    )
    yield "a JSON-stat cube of 50,000 cells", "json.loads", ours, theirs, CUBE_GOAL
    stored = CatalogueCodec().encode(CatalogueText.of(Catalogue(series=_series())))
    # A cached catalogue is decoded for every search, in this process or in the next.
    ours, theirs = _in_turns(
        lambda: CatalogueCodec().decode(stored).search("growth of energy prices", 5),
        lambda: sleep(REQUEST_SECONDS),
    )
    yield "10,000 titles, from the cache", "a request of 80 ms", ours, theirs, CATALOGUE_GOAL


def _in_turns(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    pairs = [(_milliseconds(ours), _milliseconds(theirs)) for _ in range(ROUNDS)]
    return median(pair[0] for pair in pairs), median(pair[1] for pair in pairs)


def _milliseconds(work: Callable[[], object]) -> float:
    start = perf_counter()
    work()
    return 1000 * (perf_counter() - start)


def _cube() -> bytes:
    chance = random.Random(1)  # noqa: S311 -- the same figures at every run
    dimension = {
        name: {
            "label": name,
            "category": {
                "index": {_code(name, at): at for at in range(size)},
                "label": {_code(name, at): f"{name} number {at}" for at in range(size)},
            },
        }
        for name, size in SIZES.items()
    }
    count = 50_000
    document = {
        "version": "2.0",
        "class": "dataset",
        "label": "Figures",
        "id": list(SIZES),
        "size": list(SIZES.values()),
        "dimension": dimension,
        "value": {str(at): round(1000 * chance.random(), 1) for at in range(count)},
        "status": {str(at): "p" for at in range(0, count, 50)},
    }
    return json.dumps(document).encode()


def _code(name: str, at: int) -> str:
    return str(1926 + at) if name == "time" else f"{name.upper()}{at}"


def _series() -> tuple[Series, ...]:
    chance = random.Random(2)  # noqa: S311 -- the same titles at every run
    titles = (" ".join(chance.choices(WORDS, k=8)) for _ in range(ENTRIES))
    return tuple(
        Series(series_id=f"S{at}", title=f"{title} of {at}", notes="note " * 30)
        for at, title in enumerate(titles)
    )


if __name__ == "__main__":
    for line in measure():
        print(*line, round(line[2] / line[3], 3))
