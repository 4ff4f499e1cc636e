"""Google's Custom Search JSON API: pages and images; requires a key and an engine id."""

from typing import Any

from sourcewright.world import operators
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("www.googleapis.com",)
WRONG_KEY, SPENT_KEY = "a-wrong-key", "a-spent-key"
NEWS_ENGINE = "an-engine-of-news"
"""The id of an engine that is configured to return only articles."""

Params = dict[str, str]

_HOURS = {"d": 24, "w": 168, "m": 730, "y": 8766}
_LOOKS = {
    "imgSize": {"HUGE", "ICON", "LARGE", "MEDIUM", "SMALL", "XLARGE", "XXLARGE"},
    "imgType": {"clipart", "face", "lineart", "stock", "photo", "animated"},
    "imgColorType": {"color", "gray", "mono", "trans"},
    "safe": {"active", "high", "medium", "off"},
    "siteSearchFilter": {"i", "e"},
    "num": {str(number) for number in range(1, 11)},
}
_LARGE = 600
"""The width from which an image counts as large here."""


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    params = dict(request.params)
    key = request.headers.get("x-goog-api-key") or params.get("key", "")
    if request.path != "/customsearch/v1":
        return _problem(404, "Requested entity was not found.", "notFound")
    if not key:
        return _problem(403, "Method doesn't allow unregistered callers.", "forbidden")
    if key == WRONG_KEY:
        return _problem(400, "API key not valid. Please pass a valid API key.", "badRequest")
    if key == SPENT_KEY:
        return _problem(403, "Daily Limit Exceeded", "dailyLimitExceeded")
    wrong = [name for name, known in _LOOKS.items() if params.get(name, min(known)) not in known]
    if wrong or not params.get("q") or not params.get("cx"):
        return _problem(400, "Request contains an invalid argument.", "badRequest")
    return as_json(_listing(_hits(params), params))


def _problem(status: int, message: str, reason: str) -> Response:
    error: dict[str, Any] = {
        "code": status,
        "message": message,
        "errors": [{"message": message, "domain": "global", "reason": reason}],
    }
    if message.startswith("API key"):
        error["status"] = "INVALID_ARGUMENT"
        error["details"] = [
            {"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "API_KEY_INVALID"}
        ]
    return as_json({"error": error}, status=status)


def _hits(params: Params) -> list[Item]:
    kind: Kind = "news" if params["cx"] == NEWS_ENGINE else "web"
    kind = "images" if params.get("searchType") == "image" else kind
    age = params.get("dateRestrict", "")
    hits = operators.search(
        kind, _text(params), newest_hours=_HOURS[age[0]] * int(age[1:]) if age else None
    )
    if params.get("sort") == "date":
        hits.sort(key=lambda item: item.age)
    return [item for item in hits if _fits(item, params)][: int(params.get("num", "10"))]


def _text(params: Params) -> str:
    """The query with the conditions of the parameters."""
    parts = [params["q"]]
    if "exactTerms" in params:
        parts.append(f'"{params["exactTerms"]}"')
    if "excludeTerms" in params:
        parts.append(f"-{params['excludeTerms']}")
    if "siteSearch" in params:
        parts.append(f"site:{params['siteSearch']}")
    return " ".join(parts)


def _fits(item: Item, params: Params) -> bool:
    expected = {
        "lr": f"lang_{item.language}",
        "cr": f"country{'UK' if item.country == 'gb' else item.country.upper()}",
        "fileType": item.file_type,
        "imgSize": "LARGE" if item.width >= _LARGE else "MEDIUM",
    }
    return all(params.get(name, value) == value for name, value in expected.items())


def _listing(hits: list[Item], params: Params) -> dict[str, Any]:
    request = {"title": f"Google Custom Search - {params['q']}", "searchTerms": params["q"]}
    total = str(len(hits))
    listing: dict[str, Any] = {
        "kind": "customsearch#search",
        "url": {"type": "application/json"},
        "queries": {"request": [request | {"totalResults": total, "count": len(hits)}]},
        "context": {"title": "The invented web"},
        "searchInformation": {"searchTime": 0.25, "totalResults": total},
    }
    return listing | ({"items": [_item(one) for one in hits]} if hits else {})


def _item(item: Item) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "kind": "customsearch#result",
        "title": item.title,
        "htmlTitle": f"<b>{item.title}</b>",
        "link": item.url,
        "displayLink": item.host,
        "snippet": item.text,
    }
    if item.kind == "images":
        fields["mime"] = "image/jpeg"
        fields["image"] = {
            "contextLink": item.url.removesuffix(".jpg"),
            "height": item.height,
            "width": item.width,
            "byteSize": 34567,
            "thumbnailLink": f"https://encrypted-tbn0.gstatic.com/images?q=tbn:{item.width}",
        }
        return fields
    moment = item.published.isoformat(timespec="seconds")
    fields["pagemap"] = {"metatags": [{"article:published_time": moment, "og:title": item.title}]}
    return fields
