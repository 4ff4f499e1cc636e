"""Hacker News: Algolia's search and thread API, and the official API.

The official API returns one item, user or list at a time, and null for a missing one.
"""

import re
from typing import Any

from sourcewright.world import operators, threads
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item
from sourcewright.world.messages import Request, Response, as_json

_OWN = "hacker-news.firebaseio.com"
HOSTS = ("hn.algolia.com", _OWN)

_ORDERS = {"/api/v1/search": False, "/api/v1/search_by_date": True}
_THREAD = re.compile(r"/api/v1/items/([0-9]+)")
_SINCE = re.compile(r"created_at_i>=?([0-9]+)")
_ITEM = re.compile(r"/v0/item/([0-9]+)\.json")
_MEMBER = re.compile(r"/v0/user/([^/]+)\.json")
_LIST = re.compile(r"/v0/(top|new|best|ask|show|job)stories\.json")
_TEXTS_OF_ITS_OWN = "blog.lakeside.example"
"""Submissions on this host are text posts without a URL of their own."""


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    return _own(request.decoded_path) if request.host == _OWN else _algolia(request)


def _own(path: str) -> Response:
    if match := _ITEM.fullmatch(path):
        return as_json(threads.items().get(int(match[1])))
    if match := _MEMBER.fullmatch(path):
        return as_json(threads.MEMBERS.get(match[1]))
    if match := _LIST.fullmatch(path):
        return as_json(list(threads.listed(match[1]) or ()))
    if path.startswith("/v0/") and path.endswith(".json"):
        return as_json(None)
    return as_json({"error": "404 Not Found"}, status=404)


def _algolia(request: Request) -> Response:
    if thread := _THREAD.fullmatch(request.path):
        tree = threads.tree(int(thread[1]))
        return (
            as_json(tree) if tree else as_json({"status": 404, "error": "Not Found"}, status=404)
        )
    newest_first = _ORDERS.get(request.path)
    if newest_first is None:
        return as_json({"status": 404, "message": "Not Found"}, status=404)
    params = request.params
    filters, size = params.get("numericFilters", ""), params.get("hitsPerPage", "20")
    since = _SINCE.fullmatch(filters)
    if params.get("tags", "story") != "story" or (filters and since is None):
        return as_json({"status": 400, "message": "invalid filters"}, status=400)
    hits = operators.search("news", params.get("query", ""))
    recent = [item for item in hits if since is None or item.published.timestamp() > int(since[1])]
    if newest_first:
        recent.sort(key=lambda item: item.published, reverse=True)
    page = [_hit(number, item) for number, item in enumerate(recent)][: int(size)]
    return as_json(
        {
            "exhaustive": {"nbHits": True, "typo": True},
            "hits": page,
            "hitsPerPage": int(size),
            "nbHits": len(recent),
            "nbPages": 1,
            "page": 0,
            "params": request.query,
            "query": params.get("query", ""),
        }
    )


def _hit(number: int, item: Item) -> dict[str, Any]:
    story = 40_000_000 + number
    fields = {
        "_tags": ["story", "author_keeper", f"story_{story}"],
        "author": "keeper",
        "created_at": f"{item.published:%Y-%m-%dT%H:%M:%SZ}",
        "created_at_i": int(item.published.timestamp()),
        "num_comments": number + 2,
        "objectID": str(story),
        "points": 10 * number + 7,
        "story_id": story,
        "title": item.title,
        "updated_at": f"{item.published:%Y-%m-%dT%H:%M:%SZ}",
    }
    own = item.host == _TEXTS_OF_ITS_OWN
    return fields | ({"story_text": f"<p>{item.text}"} if own else {"url": item.url})
