"""Brave's search API: pages, images and news articles; requires a subscription token."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl

from sourcewright.world import operators
from sourcewright.world.corpus import Corpus, web
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.messages import Request, Response, as_json
from sourcewright.world.towns import PLACES, TownPlace

HOSTS = ("api.search.brave.com",)
WRONG_KEY, SPENT_KEY = "a-wrong-key", "a-spent-key"

Params = dict[str, str]

_KINDS: dict[str, Kind] = {
    "/res/v1/web/search": "web",
    "/res/v1/images/search": "images",
    "/res/v1/news/search": "news",
}
_MOST = {"web": 20, "images": 200, "news": 50}
_HOURS = {"pd": 24, "pw": 168, "pm": 744, "py": 8760}
_SAFE = {"web": "off moderate strict", "images": "off strict", "news": "off moderate strict"}
_COUNTRIES = {"ALL", "US", "GB", "DE", "FR", "JP", "IN", "BR"}
_LANGUAGES = {
    "en": "en",
    "de": "de",
    "fr": "fr",
    "jp": "ja",
    "sr": "sr",
    "pt-br": "pt",
    "pt-pt": "pt",
    "zh-hans": "zh",
    "zh-hant": "zh",
}
_LONGEST, _MOST_WORDS = 400, 50
_LOCAL = ("/res/v1/local/pois", "/res/v1/local/descriptions")


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    kind, params = _KINDS.get(request.path), dict(request.params)
    key = request.headers.get("x-subscription-token", "")
    if kind is None and request.path not in _LOCAL:
        return _problem(404, "NOT_FOUND", "Not found.")
    if refusal := _refusal(key):
        return refusal
    if kind is None:
        return _local(request)
    if not _is_valid(kind, params):
        return _problem(422, "VALIDATION", "Unable to validate request parameter(s)")
    if params.get("result_filter") == "locations":
        return as_json(_locations(params, request.headers))
    return as_json(_listing(kind, _hits(kind, params), params))


def _refusal(key: str) -> Response | None:
    if key in ("", WRONG_KEY):
        detail = "The provided subscription token is invalid."
        return _problem(422, "SUBSCRIPTION_TOKEN_INVALID", detail)
    if key == SPENT_KEY:
        return _problem(429, "QUOTA_LIMITED", "Request quota limit exceeded for plan.")
    return None


def _locations(params: Params, headers: Mapping[str, str]) -> dict[str, Any]:
    """The places of the town that the headers name, or of the one that is next to the reader."""
    query = {"original": params["q"], "more_results_available": False}
    town = headers.get("x-loc-city", "").lower()
    latitude = headers.get("x-loc-lat")
    hits = [
        place
        for place in PLACES
        if place.kind in params["q"].lower()
        and town in place.address.lower()
        and (latitude is None or abs(place.latitude - float(latitude)) < 5)
    ]
    listing = {"type": "search", "query": query}
    results = [{"id": place.id, "title": place.name, "type": "location_result"} for place in hits]
    return listing | ({"locations": {"type": "locations", "results": results}} if hits else {})


def _local(request: Request) -> Response:
    """Details or descriptions; a list in one parameter, as a newcomer would write it, is null."""
    ids = [value for name, value in parse_qsl(request.query) if name == "ids"]
    known = {place.id: place for place in PLACES}
    if not 1 <= len(ids) <= 20:
        return _problem(422, "VALIDATION", "Unable to validate request parameter(s)")
    hits = [known.get(one) for one in ids]
    if request.path.endswith("pois"):
        return as_json({"type": "local_pois", "results": [_details(one) for one in hits]})
    described = [
        {"type": "local_description", "id": one.id, "description": one.words}
        for one in hits
        if one and one.words
    ]
    return as_json({"type": "local_descriptions", "results": described})


def _details(place: TownPlace | None) -> dict[str, Any] | None:
    if place is None:
        return None
    day = {"abbr_name": "Thu", "full_name": "Thursday", "opens": "06:59", "closes": "17:00"}
    return {
        "type": "location_result",
        "id": place.id,
        "title": place.name,
        "url": place.site,
        "coordinates": [place.latitude, place.longitude],
        "postal_address": {"type": "PostalAddress", "displayAddress": place.address},
        "contact": {"telephone": place.phone} if place.phone else {},
        "categories": [place.kind],
        "rating": {"ratingValue": 4.5, "bestRating": 5.0, "reviewCount": 120},
        "opening_hours": {"current_day": [day], "days": [[day]]},
    }


def _problem(status: int, code: str, detail: str) -> Response:
    error = {"id": "0", "status": status, "code": code, "detail": detail, "meta": {}}
    return as_json({"type": "ErrorResponse", "error": error, "time": 0}, status=status)


def _is_valid(kind: Kind, params: Params) -> bool:
    text, count = params.get("q", ""), params.get("count", "1")
    return (
        0 < len(text) <= _LONGEST
        and len(text.split()) <= _MOST_WORDS
        and count.isdecimal()
        and 1 <= int(count) <= _MOST[kind]
        and params.get("safesearch", "off") in _SAFE[kind].split()
        and params.get("country", "ALL") in _COUNTRIES
        and params.get("search_lang", "en") in _LANGUAGES
        and params.get("freshness", "pd") in _HOURS
        and params.get("goggles", "https://").startswith("https://")
        and not ("goggles" in params and kind == "images")
    )


def _hits(kind: Kind, params: Params) -> list[Item]:
    hours = _HOURS.get(params.get("freshness", ""))
    if kind == "images":  # it knows the operator for sites at most
        parsed = operators.read(params["q"])
        hits = web.search(kind, parsed.words, sites=parsed.sites)
    else:
        hits = operators.search(kind, params["q"], newest_hours=hours)
    if "goggles" in params:  # whose rules are invented: they boost what is long
        hits = sorted(hits, key=lambda item: len(item.text), reverse=True)
    country, language = params.get("country", "ALL").lower(), params.get("search_lang")
    items = [
        item
        for item in hits
        if country in ("all", item.country)
        and (language is None or _LANGUAGES[language] == item.language)
    ]
    return items[: int(params.get("count", "20"))]


def _listing(kind: Kind, hits: list[Item], params: Params) -> dict[str, Any]:
    query = {"original": params["q"], "more_results_available": False}
    if kind == "images":
        results = [_picture(item) for item in hits]
        return {"type": "images", "query": query, "results": results, "extra": {}}
    results = [_page(item, extra="extra_snippets" in params) for item in hits]
    if kind == "news":
        return {"type": "news", "query": query, "results": results}
    main = [{"type": "web", "index": place, "all": False} for place in range(len(results))]
    listing = {"type": "search", "query": query, "mixed": {"type": "mixed", "main": main}}
    return listing | ({"web": {"type": "search", "results": results}} if results else {})


def _page(item: Item, *, extra: bool) -> dict[str, Any]:
    start, _, rest = item.text.partition(" ")
    fields: dict[str, Any] = {
        "title": item.title,
        "url": item.url,
        "description": f"<strong>{start}</strong> {rest}",
        "page_age": item.published.strftime("%Y-%m-%dT%H:%M:%S"),
        "age": f"{item.published:%B %d, %Y}",
        "language": item.language,
        "type": "news_result" if item.kind == "news" else "search_result",
        "meta_url": {"scheme": "https", "netloc": item.host, "hostname": item.host, "path": ""},
    }
    return fields | ({"extra_snippets": [f"More of {item.title}."]} if extra else {})


def _picture(item: Item) -> dict[str, Any]:
    return {
        "type": "image_result",
        "title": item.title,
        "url": item.url.removesuffix(".jpg"),
        "source": item.host,
        "page_fetched": item.published.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "thumbnail": {"src": f"https://imgs.search.brave.com/{item.width}/rs:fit:500:0:0"},
        "properties": {"url": item.url, "width": item.width, "height": item.height},
        "confidence": "high",
    }
