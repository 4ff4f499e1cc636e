"""Serper: Google's pages, images and news articles as JSON; requires credits."""

import json
from typing import Any

from sourcewright.world import google_filters, operators
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("google.serper.dev",)
WRONG_KEY, SPENT_KEY = "a-wrong-key", "a-spent-key"

_KINDS: dict[str, Kind] = {"/search": "web", "/images": "images", "/news": "news"}
_LISTS = {"web": "organic", "images": "images", "news": "news"}


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    kind, key = _KINDS.get(request.path), request.headers.get("x-api-key", "")
    if key in ("", WRONG_KEY):
        return _problem(403, "Unauthorized.")
    if key == SPENT_KEY:
        return _problem(400, "Not enough credits")
    if kind is None or request.method != "POST":
        return _problem(404, "Not found")
    payload = json.loads(request.body)
    if not payload.get("q"):
        return _problem(400, "Missing query parameter")
    items = google_filters.ordered(
        google_filters.narrowed(operators.search(kind, payload["q"]), payload.get("tbs", "")),
        country=payload.get("gl"),
        language=payload.get("hl"),
    )
    hits = [
        _READERS[kind](item) | {"position": place + 1}
        for place, item in enumerate(items[: payload.get("num", 10)])
    ]
    echo = {"type": request.path[1:], "engine": "google"}
    return as_json({"searchParameters": payload | echo, _LISTS[kind]: hits, "credits": 1})


def _problem(status: int, message: str) -> Response:
    return as_json({"message": message, "statusCode": status}, status=status)


def _page(item: Item) -> dict[str, Any]:
    return {
        "title": item.title,
        "link": item.url,
        "snippet": item.text,
        "date": f"{item.published:%b %d, %Y}",
    }


def _article(item: Item) -> dict[str, Any]:
    return _page(item) | {
        "date": google_filters.age(item),
        "source": item.host,
        "imageUrl": "https://encrypted-tbn0.gstatic.com/images?q=tbn:0",
    }


def _picture(item: Item) -> dict[str, Any]:
    return {
        "title": item.title,
        "imageUrl": item.url,
        "imageWidth": item.width,
        "imageHeight": item.height,
        "thumbnailUrl": f"https://encrypted-tbn0.gstatic.com/images?q=tbn:{item.width}",
        "source": item.host,
        "domain": item.host,
        "link": item.url.removesuffix(".jpg"),
        "googleUrl": "https://www.google.com/imgres",
    }


_READERS = {"web": _page, "images": _picture, "news": _article}
