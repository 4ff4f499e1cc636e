"""Tavily's search API: pages and news articles with summaries; requires credits."""

import json
from typing import Any

from sourcewright.world import operators
from sourcewright.world.corpus import Corpus, web
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.tavily.com",)
WRONG_KEY, SPENT_KEY = "a-wrong-key", "a-spent-key"

_KINDS: dict[str, Kind] = {"general": "web", "news": "news"}
_HOURS = {"day": 24, "week": 168, "month": 744, "year": 8760}
_COUNTRIES = {"united states": "us", "united kingdom": "gb", "germany": "de", "japan": "jp"}
_LONGEST = 400


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    key = request.headers.get("authorization", "").removeprefix("Bearer ")
    if key in ("", WRONG_KEY):
        return _problem(401, "Unauthorized: missing or invalid API key.")
    if key == SPENT_KEY:
        return _problem(432, "This request exceeds your plan's set usage limit.")
    if request.path != "/search" or request.method != "POST":
        return as_json({"detail": "Not Found"}, status=404)
    payload = json.loads(request.body)
    flaw = _flaw(payload)
    if flaw:
        return _problem(400, flaw)
    hits = _hits(payload)[: payload.get("max_results", 5)]
    return as_json(
        {
            "query": payload["query"],
            "follow_up_questions": None,
            "answer": None,
            "images": [],
            "results": [_result(item, news=payload.get("topic") == "news") for item in hits],
            "response_time": 0.5,
            "request_id": "00000000-0000-4000-8000-000000000000",
        }
    )


def _problem(status: int, message: str) -> Response:
    return as_json({"detail": {"error": message}}, status=status)


def _flaw(payload: dict[str, Any]) -> str | None:
    topic, country = payload.get("topic", "general"), payload.get("country")
    if len(payload["query"]) > _LONGEST:
        return "Query is too long. Max query length is 400 characters."
    if topic not in _KINDS or payload.get("time_range") not in (None, *_HOURS):
        return "Invalid topic or time_range."
    if not 0 <= payload.get("max_results", 5) <= 20:
        return "Invalid max_results."
    if country and (topic != "general" or country not in _COUNTRIES):
        return "Invalid country."
    return None


def _hits(payload: dict[str, Any]) -> list[Item]:
    """A phrase must match only if `exact_match` is set; a country is a preference, not a filter."""
    kind, text = _KINDS[payload.get("topic", "general")], payload["query"]
    words = operators.read(text)
    hits = web.search(
        kind,
        words.words,
        sites=payload.get("include_domains", ()),
        newest_hours=_HOURS.get(payload.get("time_range", "")),
    )
    phrases = words.phrases if payload.get("exact_match") else ()
    items = [item for item in hits if all(phrase in _text(item) for phrase in phrases)]
    country = _COUNTRIES.get(payload.get("country", ""))
    return sorted(items, key=lambda item: item.country != country) if country else items


def _text(item: Item) -> str:
    return f"{item.title} {item.text}"


def _result(item: Item, *, news: bool) -> dict[str, Any]:
    fields = {
        "url": item.url,
        "title": item.title,
        "content": item.text,
        "score": 0.9,
        "raw_content": None,
    }
    date = {"published_date": f"{item.published:%a, %d %b %Y %H:%M:%S} GMT"}
    return fields | (date if news else {})
