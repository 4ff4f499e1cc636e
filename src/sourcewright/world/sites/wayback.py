"""The Internet Archive's Wayback Machine: its availability API."""

from urllib.parse import urlsplit

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_page

HOSTS = ("archive.org",)

_STAMP = "20190615083000"
_ARCHIVED = ("www.harbour-times.example", "blog.lakeside.example", "signposts.example")
"""Hosts whose pages were all archived once, also those that no longer exist."""


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path != "/wayback/available":
        return as_page("Page not found", "<p>Item not found.</p>", status=404)
    url = request.params.get("url", "")
    if not url:
        return as_json({"archived_snapshots": {}})
    return as_json({"url": url, "archived_snapshots": snapshots(url)})


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
