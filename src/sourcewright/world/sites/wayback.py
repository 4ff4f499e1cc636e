"""The Internet Archive's Wayback Machine: its availability API."""

from sourcewright.world.archived_pages import snapshots
from sourcewright.world.corpus import Corpus
from sourcewright.world.messages import Request, Response, as_json, as_page

HOSTS = ("archive.org",)


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    if request.path != "/wayback/available":
        return as_page("Page not found", "<p>Item not found.</p>", status=404)
    url = request.params.get("url", "")
    if not url:
        return as_json({"archived_snapshots": {}})
    return as_json({"url": url, "archived_snapshots": snapshots(url)})
