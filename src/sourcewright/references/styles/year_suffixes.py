"""Year suffixes: the letters that tell works of the same authors and year apart, as in (2019a)."""

from collections.abc import Mapping, Sequence
from typing import Any

Item = Mapping[str, Any]


def year_suffixes(items: Sequence[Item], entries: Sequence[str]) -> list[str]:
    """One suffix for each item, empty where none is needed; `entries` are the printed ones."""
    groups: dict[object, list[int]] = {}
    for place, item in enumerate(items):
        if names := item.get("author"):
            authors = tuple(map(_short_name, names))
            groups.setdefault((authors, _year(item)), []).append(place)
    suffixes = [""] * len(items)
    for places in groups.values():
        if len(places) > 1:
            ordered = sorted(places, key=lambda place: (entries[place].casefold(), place))
            for number, place in enumerate(ordered):
                suffixes[place] = _letters(number)
    return suffixes


def _letters(number: int) -> str:
    """The letters from a to z, then aa, ab and so on."""
    rest, last = divmod(number, 26)
    return (_letters(rest - 1) if rest else "") + chr(ord("a") + last)


def _short_name(name: Mapping[str, str]) -> tuple[str, ...]:
    """The family name and the initials, which is what the style prints."""
    if "family" not in name:
        return (str(name.get("literal", "")).casefold(),)
    initials = "".join(word[0] for word in str(name.get("given", "")).replace("-", " ").split())
    return str(name["family"]).casefold(), initials.casefold()


def _year(item: Item) -> object:
    """The first and the last year of a date, or None without one."""
    parts = item.get("issued", {}).get("date-parts")
    return tuple(one[0] for one in parts if one) if parts else None
