"""A SearXNG instance: results of other engines, on a private network."""

from base64 import b64encode
from typing import Any

from sourcewright.world import operators
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.messages import Request, Response, as_json, as_page

HOSTS = ("searxng.harbour.example", "localhost", "10.0.0.7")
LOCKED = "10.0.0.7"
"""Requires a password."""
LOGIN = "keeper:light:house"
SILENT = "lighthouse"
"""A word in a query for which its engines do not respond."""

_KINDS: dict[str, Kind] = {"general": "web", "images": "images", "news": "news"}
_HOURS = {"day": 24, "week": 168, "month": 744, "year": 8760}
_BASIC = f"Basic {b64encode(LOGIN.encode()).decode()}"


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    params = request.params
    if request.host == LOCKED and request.headers.get("authorization") != _BASIC:
        return as_page("401 Authorization Required", "", status=401)
    if not request.path.endswith("/search"):
        return as_page("404 Not Found", "", status=404)
    if params.get("format") != "json":
        return as_page("403 Forbidden", "", status=403)
    kind = _KINDS.get(params.get("categories", "general"))
    age = params.get("time_range")
    if not params.get("q") or kind is None or (age and age not in _HOURS):
        return as_page("Bad Request", "", status=400)
    return as_json(_listing(kind, dict(params)))


def _listing(kind: Kind, params: dict[str, str]) -> dict[str, Any]:
    hours = _HOURS.get(params.get("time_range", ""))
    language, _, country = params.get("language", "all").lower().partition("-")
    hits = [
        item
        for item in operators.search(kind, params["q"], newest_hours=hours)
        if language in ("all", item.language) and country in ("", item.country)
    ]
    silent = SILENT in params["q"]
    return {
        "query": params["q"],
        "number_of_results": 0,
        "results": [] if silent else [_READERS[kind](item) for item in hits],
        "answers": [],
        "corrections": [],
        "infoboxes": [],
        "suggestions": [],
        "unresponsive_engines": [["brave", "Suspended: too many requests"]] if silent else [],
    }


def _page(item: Item) -> dict[str, Any]:
    return {
        "url": item.url,
        "title": item.title,
        "content": item.text,
        "publishedDate": f"{item.published:%Y-%m-%dT%H:%M:%S}",
        "pubdate": f"{item.published:%Y-%m-%d %H:%M:%S}",
        "engine": "bing",
        "engines": ["bing"],
        "template": "default.html",
        "parsed_url": ["https", item.host, item.path, "", "", ""],
        "img_src": "",
        "thumbnail": "",
        "priority": "",
        "positions": [1],
        "score": 1.0,
        "category": "general",
    }


def _article(item: Item) -> dict[str, Any]:
    hours = int(item.age.total_seconds() // 3600)
    metadata = f"{hours} hours ago | {item.host}"
    return _page(item) | {"publishedDate": None, "pubdate": "", "metadata": metadata}


def _picture(item: Item) -> dict[str, Any]:
    return _page(item) | {
        "url": item.url.removesuffix(".jpg"),
        "img_src": item.url.removeprefix("https:"),
        "thumbnail_src": f"https://{item.host}/thumbnails{item.path}",
        "resolution": f"{item.width} x {item.height}",
        "category": "images",
        "template": "images.html",
    }


_READERS = {"web": _page, "images": _picture, "news": _article}
