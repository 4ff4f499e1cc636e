"""Pages that the Wayback Machine archived."""

from urllib.parse import urlsplit

_STAMP = "20190615083000"
_ARCHIVED = ("www.harbour-times.example", "blog.lakeside.example", "signposts.example")
"""Hosts whose pages were all archived once, also those that no longer exist."""
_MISSED = "www.pier-museum.example"
"""A host whose snapshots are in the index and not in the availability API."""


def snapshots(url: str) -> dict[str, object]:
    """The copy of a page, if there is one."""
    full = url if "://" in url else f"http://{url}"
    if _host(url) not in _ARCHIVED:
        return {}
    return {
        "closest": {
            "status": "200",
            "available": True,
            "url": f"http://web.archive.org/web/{_STAMP}/{full}",
            "timestamp": _STAMP,
        }
    }


def index_rows(url: str) -> list[list[str]]:
    """The rows of the index about a page, the names of the fields first; none without any."""
    if _host(url) not in (*_ARCHIVED, _MISSED):
        return []
    full = url if "://" in url else f"http://{url}"
    return [["timestamp", "original"], ["20170304050607", full], [_STAMP, full]]


def _host(url: str) -> str | None:
    return urlsplit(url if "://" in url else f"http://{url}").hostname
