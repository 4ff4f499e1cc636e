"""Exa: pages and articles by their meaning, and what is on a page, for those with credits."""

import json
from datetime import datetime
from typing import Any

from sourcewright.world.corpus import Corpus, web
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.exa.ai",)
WRONG_KEY, SPENT_KEY = "a-wrong-key", "a-spent-key"
UNREADABLE = "unreadable"

_KNOWN = frozenset(
    {
        "query",
        "type",
        "numResults",
        "moderation",
        "contents",
        "category",
        "includeDomains",
        "startPublishedDate",
        "userLocation",
    }
)


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    key = request.headers.get("x-api-key", "")
    if key in ("", WRONG_KEY):
        return _problem(401, "Invalid API key", "INVALID_API_KEY")
    if key == SPENT_KEY:
        return _problem(402, "You have exceeded your credits limit.", "NO_MORE_CREDITS")
    doors = {"/search": _search, "/contents": _contents}
    if request.path not in doors or request.method != "POST":
        return _problem(404, "Not found", "NOT_FOUND")
    return doors[request.path](json.loads(request.body))


def _search(asked: dict[str, Any]) -> Response:
    if not asked.get("query") or not asked.keys() <= _KNOWN:
        return _problem(400, "Invalid request body", "INVALID_REQUEST_BODY")
    if not 1 <= asked.get("numResults", 10) <= 100:
        return _problem(400, "Invalid numResults", "INVALID_NUM_RESULTS")
    found = _found(asked)[: asked.get("numResults", 10)]
    wanted = asked.get("contents", {})
    return as_json(
        {
            "requestId": "00000000000000000000000000000000",
            "results": [_result(item, wanted) for item in found],
            "searchTime": 500.0,
            "costDollars": {"total": 0.005},
        }
    )


def _contents(asked: dict[str, Any]) -> Response:
    """The text of each page; what could not be read has a status that says so."""
    if not asked.get("urls") or not asked.keys() <= {"urls", "text"}:
        return _problem(400, "Invalid request body", "INVALID_REQUEST_BODY")
    had = [url for url in asked["urls"] if UNREADABLE not in url]
    lost = {"tag": "CRAWL_NOT_FOUND", "httpStatusCode": 404}
    return as_json(
        {
            "requestId": "00000000000000000000000000000000",
            "results": [_page(url, asked["text"]["maxCharacters"]) for url in had],
            "statuses": [
                {
                    "id": url,
                    "status": "success",
                    "source": "crawled" if "live" in url else "cached",
                }
                if url in had
                else {"id": url, "status": "error", "error": lost}
                for url in asked["urls"]
            ],
            "costDollars": {"total": 0.001},
        }
    )


def _page(url: str, most: int) -> dict[str, Any]:
    text = f"# A page that Exa read\n\n{'It stands at an address that few can read. ' * 10}"
    return {
        "id": url,
        "url": url,
        "title": "A page that Exa read",
        "author": None,
        "publishedDate": "2025-01-02T00:00:00.000Z",
        "text": text[:most],
    }


def _problem(status: int, message: str, tag: str) -> Response:
    body = {"requestId": "0", "error": message, "tag": tag}
    return as_json(body, status=status)


def _found(asked: dict[str, Any]) -> list[Item]:
    kind: Kind = "news" if asked.get("category") == "news" else "web"
    found = web.search(kind, asked["query"], sites=asked.get("includeDomains", ()))
    since = asked.get("startPublishedDate")
    oldest = datetime.fromisoformat(since) if since else None
    country = asked.get("userLocation", "").lower()
    kept = [item for item in found if oldest is None or item.published >= oldest]
    return sorted(kept, key=lambda item: item.country != country) if country else kept


def _result(item: Item, wanted: dict[str, Any]) -> dict[str, Any]:
    made = {
        "id": item.url,
        "title": item.title,
        "url": item.url,
        "publishedDate": f"{item.published:%Y-%m-%dT%H:%M:%S}.000Z",
        "author": None,
    }
    return made | ({"highlights": [item.text]} if wanted.get("highlights") else {})
