"""OpenAIRE's Graph API: research products with their instances."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus, Work
from sourcewright.world.corpus.works import Author, iso
from sourcewright.world.lucene import unescaped
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.openaire.eu",)

Record = dict[str, Any]

_PATH = "/graph/v3/research-products"
_MOST_RESULTS = 100
_PHRASE = re.compile(r'"((?:[^"\\]|\\.)*)"', re.DOTALL)
_OPERATORS = re.compile(r'[\s"()\\]')
_RIGHTS = {True: ("c_abf2", "OPEN"), False: ("c_14cb", "CLOSED")}
_SCHEME = "http://vocabularies.coar-repositories.org/documentation/access_rights/"


def answer(request: Request, corpus: Corpus) -> Response:
    if request.path != _PATH:
        return _problem(404, "Not Found", request)
    pid, size = request.params.get("pid", ""), request.params.get("pageSize", "10")
    quoted = _PHRASE.fullmatch(pid)
    is_allowed = size.isdecimal() and int(size) <= _MOST_RESULTS
    if not is_allowed or not pid or (_OPERATORS.search(pid) and not quoted):
        return _problem(400, "Bad Request", request)
    match = corpus.by_doi(unescaped(quoted[1]) if quoted else pid)
    hits = [match] if match is not None and is_collected(match) else []
    header: Record = {"numFound": len(hits), "maxScore": 1.0, "queryTime": 12, "page": 1}
    results = [record(work) for work in hits]
    return as_json({"header": header | {"pageSize": int(size)}, "results": results})


def _problem(status: int, error: str, request: Request) -> Response:
    payload = {"message": error, "error": error, "code": status, "path": request.path}
    return as_json(payload, status=status)


def is_collected(work: Work) -> bool:
    return work.agency in {"crossref", "datacite"} and not work.update_to


def record(work: Work) -> Record:
    """The product in OpenAIRE's format."""
    first, _, last = work.pages.partition("-")
    code, label = _RIGHTS[bool(work.locations or work.link_in("openaire"))]
    container = {
        "name": work.journal.name,
        "issnPrinted": work.journal.issn[0] if work.journal.issn else None,
        "issnOnline": work.journal.issn[1] if len(work.journal.issn) > 1 else None,
        "vol": work.volume or None,
        "iss": work.issue or None,
        "sp": first or None,
        "ep": last or None,
    }
    return {
        "id": f"doi_dedup___::{sum(work.key.encode()):032x}",
        "type": "publication" if work.agency == "crossref" else work.type.lower(),
        "mainTitle": work.plain_title or None,
        "subTitle": work.subtitle or None,
        "authors": [_author(author, at) for at, author in enumerate(work.authors, 1)],
        "publicationDate": iso((*work.date, 1, 1)[:3]) if work.date else None,
        "publisher": work.journal.publisher,
        "descriptions": [work.abstract] if work.abstract else None,
        "container": container if work.journal.issn else None,
        "bestAccessRight": {"code": code, "label": label, "scheme": _SCHEME},
        "openAccessColor": work.oa if work.oa in {"gold", "hybrid", "bronze"} else None,
        "isGreen": work.oa == "green",
        "pids": [{"scheme": "doi", "value": work.key}],
        "instances": _instances(work),
    }


def _author(author: Author, rank: int) -> Record:
    pid = {"id": {"scheme": "orcid", "value": author.orcid}, "provenance": None}
    return {
        "fullName": author.sort_name,
        "name": author.given or None,
        "surname": author.family or None,
        "rank": rank,
        "pid": pid if author.orcid else None,
    }


def _instances(work: Work) -> list[Record]:
    """The registered location, and each reported copy."""
    places = [(f"https://doi.org/{work.key}", "")]
    places += [
        (place.landing if place.serves == "landing" else place.url, place.licence)
        for place in work.locations
    ]
    if link := work.link_in("openaire"):
        places.append((link, "cc-by"))
    return [
        {
            "pids": [{"scheme": "doi", "value": work.key}],
            "license": licence.replace("-", " ").upper() or None,
            "type": "Article",
            "urls": [url],
            "refereed": "peerReviewed",
        }
        for url, licence in places
    ]
