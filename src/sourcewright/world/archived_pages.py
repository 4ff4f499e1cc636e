"""Pages that the Wayback Machine archived."""

from urllib.parse import urlsplit

_STAMP = "20190615083000"
_ARCHIVED = ("www.harbour-times.example", "blog.lakeside.example", "signposts.example")
"""Hosts whose pages were all archived once, also those that no longer exist."""


def snapshots(url: str) -> dict[str, object]:
    """The copy of a page, if there is one."""
    full = url if "://" in url else f"http://{url}"
    if urlsplit(full).hostname not in _ARCHIVED:
        return {}
    return {
        "closest": {
            "status": "200",
            "available": True,
            "url": f"http://web.archive.org/web/{_STAMP}/{full}",
            "timestamp": _STAMP,
        }
    }
