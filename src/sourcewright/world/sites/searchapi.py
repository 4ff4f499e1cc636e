"""SearchApi: Google's pages, images and news articles as JSON; requires a key."""

from typing import Any

from sourcewright.world import google_filters, operators
from sourcewright.world.corpus import Corpus
from sourcewright.world.corpus.web import Item, Kind
from sourcewright.world.messages import Request, Response, as_json
from sourcewright.world.patents import PUBLICATIONS, Publication

HOSTS = ("www.searchapi.io",)
WRONG_KEY, SPENT_KEY = "a-wrong-key", "a-spent-key"

Params = dict[str, str]

_KINDS: dict[str, Kind] = {"google": "web", "google_images": "images", "google_news": "news"}
_NAMES = {"web": "Google", "images": "Google Images", "news": "Google News"}
_PERIODS = ("last_hour", "last_day", "last_week", "last_month", "last_year")
_MOST = 10


def answer(request: Request, corpus: Corpus) -> Response:
    del corpus
    params = dict(request.params)
    scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
    key = bearer if scheme == "Bearer" else params.get("api_key", "")
    if request.path != "/api/v1/search":
        return as_json({"error": "Not found."}, status=404)
    if key in ("", WRONG_KEY):
        return as_json({"error": "Invalid API key."}, status=401)
    if key == SPENT_KEY:
        return as_json({"error": "You have used all of the searches for the month."}, status=429)
    return _results(params)


def _results(params: Params) -> Response:
    if params.get("engine") == "google_patents":
        return as_json(_patents(params))
    kind = _KINDS.get(params.get("engine", ""))
    if kind is None or not params.get("q"):
        return as_json({"error": "Missing query `q` parameter."}, status=400)
    if params.get("time_period", _PERIODS[0]) not in _PERIODS:
        return as_json({"error": "Unsupported value for `time_period`."}, status=400)
    return as_json(_listing(kind, _hits(kind, params), params))


def _hits(kind: Kind, params: Params) -> list[Item]:
    period = params.get("time_period", "").removeprefix("last_")
    sort = "sbd:1" if params.get("sort_by") == "most_recent" else ""
    parts = [params.get("tbs", ""), f"qdr:{period[0]}" if period else "", sort]
    hits = google_filters.ordered(
        operators.search(kind, params["q"]), country=params.get("gl"), language=params.get("hl")
    )
    hits = google_filters.narrowed(hits, ",".join(filter(None, parts)))
    items = [item for item in hits if params.get("lr", "")[5:] in ("", item.language)]
    return items if kind == "images" else items[: min(int(params.get("num", "10")), _MOST)]


def _listing(kind: Kind, hits: list[Item], params: Params) -> dict[str, Any]:
    listing: dict[str, Any] = {
        "search_metadata": {"id": "search_0", "status": "Success", "total_time_taken": 0.5},
        "search_parameters": params,
        "search_information": {"query_displayed": params["q"], "total_results": len(hits)},
    }
    if not hits:
        return listing | {"error": f"{_NAMES[kind]} didn't return any results."}
    if kind == "images":
        return listing | {"images": [_picture(item) for item in hits]}
    return listing | {"organic_results": [_page(item) for item in hits]}


def _page(item: Item) -> dict[str, Any]:
    fields = {
        "title": item.title,
        "link": item.url,
        "source": item.host,
        "domain": item.host,
        "displayed_link": item.url,
        "snippet": item.text,
        "date": google_filters.age(item),
        "favicon": "data:image/png;base64,iVBORw0KGgo=",
    }
    moment = item.published.strftime("%Y-%m-%dT%H:%M:%SZ")
    return fields | ({"iso_date": moment} if item.kind == "news" else {})


def _picture(item: Item) -> dict[str, Any]:
    return {
        "title": item.title,
        "source": {"name": item.host, "link": item.url.removesuffix(".jpg")},
        "original": {"link": item.url, "width": item.width, "height": item.height, "size": "34KB"},
        "thumbnail": "data:image/jpeg;base64,/9j/4AAQSkZJRg==",
    }


def _patents(params: Params) -> dict[str, Any]:
    words, _, cpc = params.get("q", "").partition(" CPC=")
    since = params.get("after", "filing:0").removeprefix("filing:")
    until = params.get("before", "filing:9").removeprefix("filing:")
    hits = [
        one
        for one in PUBLICATIONS
        if (words in ("*", one.number) or one.matches(words.split()))
        and one.cpc.startswith(cpc)
        and params.get("assignee", "").lower() in one.applicant.lower()
        and params.get("inventor", "").lower() in one.inventor.lower()
        and params.get("country", "") in ("", one.office)
        and since <= one.filed.replace("-", "") <= until
    ]
    status = {"search_metadata": {"status": "Success"}, "search_parameters": params}
    if not hits:
        return status | {"error": "Google Patents didn't return any results."}
    return status | {"organic_results": [_patent(one) for one in hits]}


def _patent(one: Publication) -> dict[str, Any]:
    return {
        "title": f"<b>{one.title}</b>",
        "patent_id": f"patent/{one.number}/en",
        "publication_number": one.number,
        "patent_link": f"https://patents.google.com/patent/{one.number}/en",
        "snippet": f"{one.abstract} &hellip;",
        "priority_date": min(other.filed for other in PUBLICATIONS if other.family == one.family),
        "filing_date": one.filed,
        "publication_date": one.published,
        "inventor": one.inventor,
        "assignee": one.applicant,
        "pdf": f"https://patentimages.storage.googleapis.com/{one.number}.pdf",
    } | ({"grant_date": one.granted} if one.granted else {})
