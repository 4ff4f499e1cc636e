"""doi.org: the resolver, the handle API, and the registration agency of a DOI."""

from typing import Any
from urllib.parse import quote

from sourcewright.world.corpus import Corpus, Work
from sourcewright.world.messages import Request, Response, as_json, as_page, as_redirect

HOSTS = ("doi.org", "dx.doi.org", "www.doi.org", "hdl.handle.net")

_AGENCIES = {"crossref": "Crossref", "datacite": "DataCite", "jalc": "JaLC", "medra": "mEDRA"}
_STAMP = "2024-05-06T07:08:09Z"


def answer(request: Request, corpus: Corpus) -> Response:
    if request.scheme == "http":
        query = f"?{request.query}" if request.query else ""
        return as_redirect(f"https://{request.host}{request.path}{query}", status=301)
    path = request.decoded_path
    if path.startswith("/api/handles/"):
        return _handle(path.removeprefix("/api/handles/"), request, corpus)
    for door in ("/ra/", "/doiRA/"):
        if path.startswith(door):
            dois = path.removeprefix(door).split(",")
            return as_json([_agency(one, corpus) for one in dois])
    return _resolve(path.removeprefix("/"), corpus)


def _resolve(doi: str, corpus: Corpus) -> Response:
    work = corpus.by_doi(doi)
    if work is None:
        inside = "<h2>DOI Not Found</h2><p>This DOI cannot be found in the DOI System.</p>"
        return as_page("Error: DOI Not Found", inside, status=404)
    if not work.handle_url:
        return as_page("Handle Values", "<p>This handle has no URL value.</p>")
    return as_redirect(work.landing)


def _handle(doi: str, request: Request, corpus: Corpus) -> Response:
    work = corpus.by_doi(doi)
    if work is None:
        return as_json({"responseCode": 100, "handle": doi}, status=404)
    values = [value for value in _values(work) if _is_requested(value, request)]
    if not values:
        return as_json({"responseCode": 200, "handle": doi, "values": []})
    return as_json({"responseCode": 1, "handle": doi, "values": values})


def _values(work: Work) -> list[dict[str, Any]]:
    administrator = {
        "handle": f"10.admin/codata_{quote(work.key.partition('/')[0])}",
        "index": 300,
        "permissions": "111111110010",
    }
    values = [_value(100, "HS_ADMIN", {"format": "admin", "value": administrator})]
    if work.handle_url:
        values.insert(0, _value(1, "URL", {"format": "string", "value": work.landing}))
    return values


def _value(index: int, kind: str, data: dict[str, Any]) -> dict[str, Any]:
    return {"index": index, "type": kind, "data": data, "ttl": 86400, "timestamp": _STAMP}


def _is_requested(value: dict[str, Any], request: Request) -> bool:
    kind, index = request.params.get("type"), request.params.get("index")
    if kind is None and index is None:
        return True
    return value["type"] == kind or str(value["index"]) == index


def _agency(doi: str, corpus: Corpus) -> dict[str, str]:
    """The registration agency of a DOI or of a prefix."""
    work = corpus.by_doi(doi)
    agency = work.agency if work else corpus.agencies().get(doi)
    if agency is None:
        return {"DOI": doi, "status": "DOI does not exist"}
    return {"DOI": doi, "RA": _AGENCIES[agency]}
