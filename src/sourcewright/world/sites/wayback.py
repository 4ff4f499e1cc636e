"""The Internet Archive's Wayback Machine: its availability API, and archived pages."""

import re
from html import escape
from urllib.parse import urlsplit

from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_page

HOSTS = ("archive.org", "web.archive.org")

_STAMP = "20190615083000"
_ARCHIVED = ("www.harbour-times.example", "blog.lakeside.example", "signposts.example")
"""Hosts whose pages were all archived once, also those that no longer exist."""
_COPY = re.compile(r"/web/[0-9]{14}(?:id_)?/(https?:.+)")


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.host == "web.archive.org":
        return _copy(request)
    if request.path != "/wayback/available":
        return as_page("Page not found", "<p>Item not found.</p>", status=404)
    url = request.params.get("url", "")
    if not url:
        return as_json({"archived_snapshots": {}})
    return as_json({"url": url, "archived_snapshots": _snapshots(url)})


def _snapshots(url: str) -> dict[str, object]:
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


def _copy(request: Request) -> Response:
    match = _COPY.fullmatch(request.decoded_path)
    if match is None or not _snapshots(match[1]):
        return as_page("Wayback Machine", "<p>has not archived that URL.</p>", status=404)
    return as_page("A copy", f"<p>As {escape(match[1])} was in 2019.</p>")
