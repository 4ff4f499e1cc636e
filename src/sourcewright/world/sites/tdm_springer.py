"""Springer Nature's metadata API: a search whose responses repeat the caller's key."""

from typing import Any

from sourcewright.world.corpus import Corpus, Work
from sourcewright.world.corpus.works import iso
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.springernature.com",)

WRONG_KEY, NARROW_KEY = "a-wrong-key", "a-narrow-key"
"""An unknown key, and a key without sufficient rights."""
_PREFIXES = ("10.1007/", "10.1038/", "10.1057/", "10.1140/")


def answer(request: Request, corpus: Corpus) -> Response:
    key, query = request.params.get("api_key", ""), request.params.get("q", "")
    if request.path != "/meta/v2/json":
        return _problem(404, "Not Found")
    if not key or key == WRONG_KEY:
        return _problem(401, f"Authentication failed. API key {key} is invalid or missing")
    if key == NARROW_KEY:
        return _problem(403, f"The plan of {key} does not include this collection")
    doi = query.removeprefix("doi:").strip('"')
    work = corpus.by_doi(doi) if doi.startswith(_PREFIXES) else None
    records = [_record(work)] if work else []
    count = str(len(records))
    return as_json(
        {
            "apiMessage": "This JSON was invented",
            "query": query,
            "apiKey": key,
            "nextPage": f"/meta/v2/json?q={query}&api_key={key}&s=11",
            "result": [
                {"total": count, "start": "1", "pageLength": "10", "recordsDisplayed": count}
            ],
            "records": records,
            "facets": [],
        }
    )


def _problem(status: int, words: str) -> Response:
    return as_json({"status": "Fail", "message": words}, status=status)


def _record(work: Work) -> dict[str, Any]:
    start, _, end = work.pages.partition("-")
    issns = [*work.journal.issn, "", ""]
    return {
        "contentType": "Article",
        "identifier": f"doi:{work.doi}",
        "language": "en",
        "url": [{"format": "", "platform": "", "value": f"http://dx.doi.org/{work.doi}"}],
        "title": work.title,
        "creators": [{"creator": one.sort_name, "ORCID": one.orcid} for one in work.authors],
        "publicationName": work.journal.name,
        "openaccess": "false",
        "doi": work.doi,
        "publisher": work.journal.publisher,
        "publicationDate": iso((*work.date, 1, 1)[:3]),
        "publicationType": "Journal",
        "issn": issns[0],
        "eIssn": issns[1],
        "volume": work.volume,
        "number": work.issue,
        "startingPage": start,
        "endingPage": end,
        "abstract": {"h1": "Abstract", "p": work.abstract.split("\n\n")},
    }
