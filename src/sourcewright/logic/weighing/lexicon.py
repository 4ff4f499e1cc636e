"""Words of several languages, by what they are good for; they stand in `data/words.json`."""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

Words = Mapping[str, Sequence[str]]


@cache
def words(section: str) -> Words:
    """The words of a section by the names in it: of languages, scripts, units."""
    told = _told()[section]
    return {
        name: list_ if isinstance(list_, list) else list_.split() for name, list_ in told.items()
    }


def alternatives(section: str, name: str | None = None) -> str:
    """The words of a section, or of one name in it, for a pattern; longer ones first."""
    chosen = [words(section)[name]] if name else words(section).values()
    every = {word for some in chosen for word in some}
    return "|".join(sorted(every, key=lambda word: (-len(word), word)))


@cache
def _told() -> dict[str, dict[str, str | list[str]]]:
    told: dict[str, dict[str, str | list[str]]] = json.loads(
        files("sourcewright").joinpath("data/words.json").read_bytes()
    )
    return told
