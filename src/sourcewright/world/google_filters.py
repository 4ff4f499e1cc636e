"""Google's `tbs` parameter as resellers of its results accept it, and its date format."""

from collections.abc import Iterable

from sourcewright.world.corpus.web import Item

_HOURS = {"h": 1, "d": 24, "w": 168, "m": 730, "y": 8766}
_LARGE, _ICON = 600, 128


def narrowed(items: Iterable[Item], tbs: str) -> list[Item]:
    """The items that a comma-separated `tbs` lets pass, newest first if it says so."""
    parts = dict(part.split(":", 1) for part in tbs.split(",") if part)
    hits = [item for item in items if _passes(item, parts)]
    return sorted(hits, key=lambda item: item.age) if parts.get("sbd") == "1" else hits


def ordered(items: Iterable[Item], *, country: str | None, language: str | None) -> list[Item]:
    """Country and language are preferences: matching items come first."""
    country = "gb" if country == "uk" else country
    return sorted(items, key=lambda item: (item.language != language, item.country != country))


def age(item: Item) -> str:
    hours = int(item.age.total_seconds() // 3600)
    if hours < 1:
        return f"{int(item.age.total_seconds() // 60)} minutes ago"
    return f"{hours} hours ago" if hours < 24 else f"{hours // 24} days ago"


def _passes(item: Item, parts: dict[str, str]) -> bool:
    hours = _HOURS.get(parts.get("qdr", ""))
    sizes = {"l": item.width >= _LARGE, "m": _ICON < item.width < _LARGE, "i": item.width <= _ICON}
    return (
        (hours is None or item.age.total_seconds() <= hours * 3600)
        and sizes.get(parts.get("isz", ""), True)
        and parts.get("ift", item.file_type) == item.file_type
    )
