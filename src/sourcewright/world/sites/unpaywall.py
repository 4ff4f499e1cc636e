"""Unpaywall's REST API: open copies of Crossref DOIs."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.works import Location, iso
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.unpaywall.org",)

Record = dict[str, Any]

_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")


def answer(request: Request, corpus: Corpus) -> Response:
    path = request.decoded_path
    if not path.startswith("/v2/"):
        return _problem(404, "Not found.")
    # The real service turns away the address that documentation uses as its example.
    email = request.params.get("email", "")
    if not _EMAIL.fullmatch(email) or email.lower().endswith("@example.com"):
        return _problem(422, "Please use your own email address in API calls.")
    if path.rstrip("/") == "/v2/search":
        return _search(request.params.get("query", ""), corpus)
    doi = path.removeprefix("/v2/")
    work = corpus.by_doi(doi)
    if work is None or work.agency != "crossref":
        return _problem(404, f"'{doi}' isn't in Unpaywall.")
    return as_json(record(work))


def _problem(status: int, message: str) -> Response:
    payload = {"HTTP_status_code": status, "error": True, "message": message}
    return as_json(payload, status=status)


def _search(query: str, corpus: Corpus) -> Response:
    hits = rank(corpus.of_agency("crossref"), query)[:50]
    results = [
        {"response": record(work), "score": score, "snippet": work.plain_title}
        for work, score in hits
    ]
    return as_json({"results": results, "elapsed_seconds": 0.01})


def record(work: Work) -> Record:
    """The work in Unpaywall's format."""
    copies = [_location(copy, best=at == 0) for at, copy in enumerate(work.locations)]
    best = copies[0] if copies else None
    return {
        "doi": work.key,
        "doi_url": f"https://doi.org/{work.key}",
        "title": work.title or None,
        "genre": work.type,
        "is_paratext": False,
        "published_date": iso((*work.date, 1, 1)[:3]) if work.date else None,
        "year": work.year,
        "journal_name": work.journal.name,
        "journal_issns": ",".join(work.journal.issn) or None,
        "journal_issn_l": work.journal.issn[0] if work.journal.issn else None,
        "journal_is_oa": work.journal.oa == "gold",
        "journal_is_in_doaj": work.journal.oa == "gold",
        "publisher": work.journal.publisher,
        "is_oa": bool(copies),
        "oa_status": work.oa if copies else "closed",
        "has_repository_copy": any(copy["host_type"] == "repository" for copy in copies),
        "best_oa_location": best,
        "first_oa_location": best,
        "oa_locations": copies,
        "oa_locations_embargoed": [],
        "data_standard": 2,
        "z_authors": _authors(work),
        "updated": "2025-06-01T08:00:00",
    }


def _location(copy: Location, *, best: bool) -> Record:
    is_pdf = copy.serves != "landing"
    at_repository = copy.host_type == "repository"
    return {
        "endpoint_id": "invented" if at_repository else None,
        "evidence": "deprecated",
        "host_type": copy.host_type,
        "is_best": best,
        "license": copy.licence or None,
        "oa_date": None,
        "pmh_id": "oai:invented:1" if at_repository else None,
        "repository_institution": "Meridian Repository" if at_repository else None,
        "updated": "deprecated",
        "url": copy.url if is_pdf else copy.landing,
        "url_for_landing_page": copy.landing,
        "url_for_pdf": copy.url if is_pdf else None,
        "version": copy.version,
    }


def _authors(work: Work) -> list[Record] | None:
    if not work.authors:
        return None
    return [
        {
            "author_position": "first" if at == 0 else "additional",
            "raw_author_name": author.full_name,
            "is_corresponding": at == 0,
            "raw_affiliation_strings": [author.affiliation] if author.affiliation else [],
        }
        for at, author in enumerate(work.authors)
    ]
