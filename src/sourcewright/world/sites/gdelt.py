"""GDELT's document API: news articles of three months; errors are plain text instead of JSON."""

import re
from typing import Any

from sourcewright.world import operators
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item
from sourcewright.world.messages import HTML, Request, Response, as_json, as_text

HOSTS = ("api.gdeltproject.org",)

Params = dict[str, str]

_OPERATOR = re.compile(r"(?<![\w-])(domain|domainis|sourcelang|sourcecountry):([\w.-]+)")
_BRACKETS = re.compile(r"\(([^()]*)\)")
_ILLEGAL = re.compile(r"(?<!\S)-?\w+[^\w\s\"]\S*")
_HOURS = {"h": 1, "d": 24, "w": 168, "m": 730}
_LANGUAGES = {"eng": "en", "deu": "de", "fra": "fr", "jpn": "ja"}
_NAMES = {"en": "English", "de": "German", "fr": "French", "ja": "Japanese"}
_COUNTRIES = {"us": "us", "uk": "gb", "gm": "de", "fr": "fr", "ja": "jp"}
_PLACES = {"us": "United States", "gb": "United Kingdom", "de": "Germany", "fr": "France"}
_THREE_MONTHS = 2190


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    params = dict(request.params)
    if request.path != "/api/v2/doc/doc":
        return as_text("<html><body>404</body></html>", status=404, content_type=HTML)
    refusal = _refusal(params)
    if refusal:
        return as_text(f"{refusal}\n", content_type=HTML)
    hits = _hits(params)
    # An empty list is left out, and with it everything.
    return as_json({"articles": [_article(item) for item in hits]} if hits else {})


def _refusal(params: Params) -> str | None:
    """The error message for the first problem in the query."""
    query, most = params.get("query", ""), params.get("maxrecords", "75")
    words = re.sub(r'"[^"]*"|[()]', " ", _OPERATOR.sub(" ", query))
    phrases, brackets = re.findall(r'"([^"]*)"', query), _BRACKETS.findall(query)
    wrongs = {
        "Your query was too short or too long.": len(query) < 3,
        "The specified phrase is too short.": any(len(one) < 5 for one in phrases),
        "Parentheses may only be used around OR'd statements.": any(
            " OR " not in one for one in brackets
        ),
        "Queries containing OR'd terms must be surrounded by ().": " OR "
        in _BRACKETS.sub(" ", query),
        "One or more of your keywords contained an illegal character.": _ILLEGAL.search(words),
        "Invalid MaxRecords: the maximum is 250 records.": int(most) > 250,
    }
    return next((text for text, is_wrong in wrongs.items() if is_wrong), None)


def _hits(params: Params) -> list[Item]:
    filters: dict[str, set[str]] = {}
    for name, value in _OPERATOR.findall(params["query"]):
        filters.setdefault(name, set()).add(value.lower())
    text = re.sub(r"\bOR\b|[()]", " ", _OPERATOR.sub(" ", params["query"]))
    items = operators.search("news", text, newest_hours=_hours(params))
    hits = [item for item in items if _passes(item, filters)]
    if params.get("sort", "").lower() == "datedesc":
        hits = sorted(hits, key=lambda item: item.age)
    return hits[: int(params.get("maxrecords", "75"))]


def _hours(params: Params) -> int:
    span = params.get("timespan", "3m")
    return min(int(span[:-1]) * _HOURS[span[-1]], _THREE_MONTHS)


def _passes(item: Item, filters: dict[str, set[str]]) -> bool:
    domain = _domain(item)
    return (
        ("domain" not in filters or any(domain.endswith(one) for one in filters["domain"]))
        and ("domainis" not in filters or domain in filters["domainis"])
        and (
            "sourcelang" not in filters or item.language in _iso(filters["sourcelang"], _LANGUAGES)
        )
        and (
            "sourcecountry" not in filters
            or item.country in _iso(filters["sourcecountry"], _COUNTRIES)
        )
    )


def _iso(codes: set[str], known: dict[str, str]) -> set[str]:
    return {known[code] for code in codes if code in known}


def _domain(item: Item) -> str:
    return item.host.removeprefix("www.")


def _article(item: Item) -> dict[str, Any]:
    return {
        "url": item.url,
        "url_mobile": "",
        "title": item.title,
        "seendate": item.published.strftime("%Y%m%dT%H%M%SZ"),
        "socialimage": f"https://{item.host}/social.jpg",
        "domain": _domain(item),
        "language": _NAMES[item.language],
        "sourcecountry": _PLACES.get(item.country, "Japan"),
    }
