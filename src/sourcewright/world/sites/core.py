"""CORE's API: papers harvested from repositories and journals."""

import re
from collections.abc import Callable
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.works import iso
from sourcewright.world.lucene import words_and_conditions
from sourcewright.world.messages import Request, Response, as_json, as_redirect

HOSTS = ("api.core.ac.uk",)

Record = dict[str, Any]

_BEARER = re.compile(r"Bearer \S+")


def answer(request: Request, corpus: Corpus) -> Response:
    if request.path == "/v3/search/works":
        return as_redirect(f"https://{request.host}/v3/search/works/?{request.query}", status=301)
    if request.path != "/v3/search/works/":
        return as_json({"message": "Not found"}, status=404)
    key = request.headers.get("authorization")
    if key is None:
        # Its documentation allows requests without a key, and all of them share one limit.
        return as_json({"message": "You have reached your limit of API requests"}, status=429)
    if not _BEARER.fullmatch(key):
        return as_json({"message": "Unauthenticated"}, status=401)
    return _search(request, corpus)


def _search(request: Request, corpus: Corpus) -> Response:
    limit = request.params.get("limit", "10")
    text, conditions = words_and_conditions(request.params.get("q", ""))
    unknown = [name for name, _, _ in conditions if name not in _FIELDS]
    if unknown or ":" in text or not (text or conditions):
        return as_json({"message": f"cannot parse {unknown}"}, status=500)
    works = [work for work in corpus.works if is_harvested(work)]
    for field, how, value in conditions:
        works = [work for work in works if _FIELDS[field](work, how, value)]
    hits = [work for work, _ in rank(works, text)] if text else works
    if request.params.get("sort") == "recency":
        hits = sorted(hits, key=lambda work: iso(work.date), reverse=True)
    page = hits[: int(limit) if limit.isdecimal() else 10]
    return as_json(
        {
            "totalHits": len(hits),
            "limit": int(limit),
            "offset": 0,
            "results": [record(work) for work in page],
            "searchId": "0123456789abcdef0123456789abcdef",
        }
    )


def _year_fits(work: Work, how: str, value: str) -> bool:
    year = work.year or 0
    return year >= int(value) if how == ">=" else year <= int(value)


_FIELDS: dict[str, Callable[[Work, str, str], bool]] = {
    "doi": lambda work, _, value: work.key == value.lower(),
    "yearPublished": _year_fits,
    "_exists_": lambda work, _, value: bool(record(work)[value]),
}


def is_harvested(work: Work) -> bool:
    """Whether a repository or open journal offers the work."""
    return bool(work.locations or work.link_in("core"))


def record(work: Work) -> Record:
    """The paper in CORE's format."""
    number = sum(work.key.encode()) * 7919
    date = f"{iso((*work.date, 1, 1)[:3])}T00:00:00" if work.date else ""
    download = download_of(work)
    return {
        "acceptedDate": "",
        "arxivId": work.manuscript.id if work.manuscript else None,
        "authors": [{"name": author.sort_name} for author in work.authors],
        "citationCount": 0,
        "contributors": [],
        "outputs": [f"https://api.core.ac.uk/v3/outputs/{number}"],
        "createdDate": "2019-06-02T02:02:14",
        "dataProviders": [],
        "depositedDate": "",
        "abstract": work.abstract,
        "documentType": "research",
        "doi": work.key,
        "downloadUrl": download,
        "fieldOfStudy": None,
        "fullText": "Not available for public API users.",
        "id": number,
        "identifiers": [{"identifier": work.key, "type": "DOI"}],
        "title": work.plain_title,
        "language": {"code": "en", "name": "English"},
        "magId": None,
        "oaiIds": [],
        "publishedDate": date,
        "publisher": f"'{work.journal.publisher}'",
        "pubmedId": None,
        "references": [],
        "sourceFulltextUrls": [download],
        "updatedDate": "2025-06-01T08:00:00",
        "yearPublished": work.year,
        "journals": [],
        "links": [
            {"type": "download", "url": download},
            {"type": "display", "url": f"https://core.ac.uk/works/{number}"},
        ],
    }


def download_of(work: Work) -> str:
    """The URL of CORE's own copy, or of the copy it found."""
    if link := work.link_in("core"):
        return link
    [best, *_] = work.locations
    return best.landing if best.serves == "landing" else best.url
