"""Table of venues: series by acronym, abbreviations of journals, contractions of title words."""

import json
from functools import lru_cache
from importlib.resources import files
from typing import NamedTuple


class VenueTable(NamedTuple):
    """The table in `data/venues.json`, whose `origin` says where its parts come from."""

    names: tuple[tuple[str, str], ...]
    acronyms: frozenset[str]
    canonical: dict[str, str]
    """One acronym for all that have the same name, such as NIPS and NeurIPS."""
    journals: dict[str, tuple[str, ...]]
    """The names of journals by an abbreviation that is not made of their initials."""
    contractions: dict[str, tuple[str, ...]]
    longer_stems: dict[str, tuple[str, ...]]
    """Beginnings of words for which an abbreviation does not stand, although they begin with it."""


@lru_cache(maxsize=1)
def venue_table() -> VenueTable:
    data = json.loads(files("sourcewright").joinpath("data/venues.json").read_bytes())
    series: dict[str, list[str]] = data["series"]
    first: dict[str, str] = {}
    canonical: dict[str, str] = {}
    for acronym, names in series.items():
        canonical[acronym] = first.setdefault(names[0], acronym)
    return VenueTable(
        names=tuple((name, acronym) for acronym, names in series.items() for name in names),
        acronyms=frozenset(series),
        canonical=canonical,
        journals={short: tuple(names) for short, names in data["journals"].items()},
        contractions={short: tuple(words) for short, words in data["contractions"].items()},
        longer_stems={short: tuple(stems) for short, stems in data["longer_stems"].items()},
    )
