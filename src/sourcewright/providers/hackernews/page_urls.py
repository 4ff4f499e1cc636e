"""URLs of Hacker News pages: which item, user or list each one is."""

import re

from sourcewright.base.urls.parts import url_parts_of

LISTS = {
    "news": ("top", "Hacker News: top stories"),
    "newest": ("new", "Hacker News: newest stories"),
    "best": ("best", "Hacker News: best stories"),
    "ask": ("ask", "Hacker News: Ask HN"),
    "show": ("show", "Hacker News: Show HN"),
    "jobs": ("job", "Hacker News: jobs"),
}
"""Names of lists in the API, and titles, by path."""
_NAMES = {"item": re.compile(r"[1-9][0-9]{0,11}"), "user": re.compile(r"[A-Za-z0-9_-]{1,30}")}


def page_at(url: str) -> tuple[str, str] | None:
    """The kind of page (`item`, `user` or `list`) and its id or name."""
    place = url_parts_of(url)
    if place is None or place.host != "news.ycombinator.com" or len(place.parts) > 2:
        return None
    kind, *rest = place.parts or ("news",)
    if kind in LISTS and not rest and place.params in ({}, {"p": "1"}):
        return "list", kind
    name = rest[0] if rest else place.params.get("id", "")
    return (kind, name) if kind in _NAMES and _NAMES[kind].fullmatch(name) else None
