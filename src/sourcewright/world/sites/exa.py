"""Exa's API: semantic search of pages and articles, and page contents; requires credits."""

import json
from datetime import datetime
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank, web
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.corpus.works import iso
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
        "endPublishedDate",
        "userLocation",
    }
)


def answer(request: Request, corpus: Corpus) -> Response:
    key = request.headers.get("x-api-key", "")
    if key in ("", WRONG_KEY):
        return _problem(401, "Invalid API key", "INVALID_API_KEY")
    if key == SPENT_KEY:
        return _problem(402, "You have exceeded your credits limit.", "NO_MORE_CREDITS")
    if request.path not in {"/search", "/contents", "/answer"} or request.method != "POST":
        return _problem(404, "Not found", "NOT_FOUND")
    payload = json.loads(request.body)
    if request.path == "/answer":
        return _answer(payload)
    return _search(payload, corpus) if request.path == "/search" else _contents(payload)


def _answer(payload: dict[str, Any]) -> Response:
    """A sentence made of the best pages, and those pages as its citations."""
    if not payload.get("query") or not payload.keys() <= {"query", "text"}:
        return _problem(400, "Invalid request body", "INVALID_REQUEST_BODY")
    pages = web.search("web", payload["query"])[:3]
    text = pages[0].text if pages else "I could not find an answer to this question."
    return as_json(
        {
            "requestId": "00000000000000000000000000000000",
            "answer": text,
            "citations": [_result(page, {}) for page in pages],
            "costDollars": {"total": 0.005},
        }
    )


def _search(payload: dict[str, Any], corpus: Corpus) -> Response:
    if not payload.get("query") or not payload.keys() <= _KNOWN:
        return _problem(400, "Invalid request body", "INVALID_REQUEST_BODY")
    if not 1 <= payload.get("numResults", 10) <= 100:
        return _problem(400, "Invalid numResults", "INVALID_NUM_RESULTS")
    most, contents = payload.get("numResults", 10), payload.get("contents", {})
    if payload.get("category") == "research paper":
        results = [_paper(work) for work in _papers(payload, corpus)[:most]]
    else:
        results = [_result(item, contents) for item in _hits(payload)[:most]]
        if payload.get("category") == "company":
            results = [one | {"entities": [_company(one["title"])]} for one in results]
    return as_json(
        {
            "requestId": "00000000000000000000000000000000",
            "results": results,
            "searchTime": 500.0,
            "costDollars": {"total": 0.005},
        }
    )


def _contents(payload: dict[str, Any]) -> Response:
    """The text of each page; an unreadable page has an error status."""
    if not payload.get("urls") or not payload.keys() <= {"urls", "text"}:
        return _problem(400, "Invalid request body", "INVALID_REQUEST_BODY")
    had = [url for url in payload["urls"] if UNREADABLE not in url]
    lost = {"tag": "CRAWL_NOT_FOUND", "httpStatusCode": 404}
    return as_json(
        {
            "requestId": "00000000000000000000000000000000",
            "results": [_page(url, payload["text"]["maxCharacters"]) for url in had],
            "statuses": [
                {
                    "id": url,
                    "status": "success",
                    "source": "crawled" if "live" in url else "cached",
                }
                if url in had
                else {"id": url, "status": "error", "error": lost}
                for url in payload["urls"]
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


def _hits(payload: dict[str, Any]) -> list[Item]:
    kind: Kind = "news" if payload.get("category") == "news" else "web"
    hits = web.search(kind, payload["query"], sites=payload.get("includeDomains", ()))
    since = payload.get("startPublishedDate")
    oldest = datetime.fromisoformat(since) if since else None
    country = payload.get("userLocation", "").lower()
    recent = [item for item in hits if oldest is None or item.published >= oldest]
    return sorted(recent, key=lambda item: item.country != country) if country else recent


def _company(name: str) -> dict[str, Any]:
    return {"type": "company", "properties": {"name": name, "foundedYear": 1987}}


def _papers(payload: dict[str, Any], corpus: Corpus) -> list[Work]:
    """Papers with a landing page, in the requested years and on the requested hosts."""
    first, last = (payload.get(f"{end}PublishedDate", "")[:10] for end in ("start", "end"))
    hosts = payload.get("includeDomains", ())
    papers = [
        work
        for work in corpus.works
        if work.date
        and first <= iso((*work.date, 1, 1)[:3]) <= (last or "9999")
        and (not hosts or any(host in _page_of(work) for host in hosts))
    ]
    return [work for work, _ in rank(papers, payload["query"])]


def _page_of(work: Work) -> str:
    return f"https://arxiv.org/abs/{work.manuscript.id}" if work.manuscript else work.landing


def _paper(work: Work) -> dict[str, Any]:
    return {
        "id": _page_of(work),
        "title": work.plain_title,
        "url": _page_of(work),
        "publishedDate": f"{iso((*work.date, 1, 1)[:3])}T00:00:00.000Z",
        "author": ", ".join(author.full_name for author in work.authors) or None,
    }


def _result(item: Item, contents: dict[str, Any]) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "id": item.url,
        "title": item.title,
        "url": item.url,
        "publishedDate": f"{item.published:%Y-%m-%dT%H:%M:%S}.000Z",
        "author": None,
    }
    if contents.get("highlights"):
        fields["highlights"] = [item.text]
    if "summary" in contents:
        fields["summary"] = _summary(item, contents["summary"].get("schema"))
    return fields


def _summary(item: Item, schema: dict[str, Any] | None) -> str:
    """In words, or as JSON in a string: texts are filled in, and what a page lacks is null."""
    if schema is None:
        return f"About {item.title}."
    fields = schema["properties"].items()
    return json.dumps(
        {name: item.title if one.get("type") == "string" else None for name, one in fields}
    )
