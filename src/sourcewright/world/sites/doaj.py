"""DOAJ's API: articles of fully open journals, with the query in the URL path."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.works import Location
from sourcewright.world.lucene import in_range, words_and_conditions
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("doaj.org",)

Record = dict[str, Any]

_SEARCH = re.compile(r"/api/(?:v[1-4]/)?search/articles/(.+)", re.DOTALL)
_UNESCAPED = re.compile(r"(?<!\\)[?~]|(?<!\\)(?<!TO )(?<!\[)\*")
_MAX_PAGE = 100
_FIELDS = ("bibjson.identifier.id", "bibjson.identifier.id.exact", "doi", "bibjson.year")


def answer(request: Request, corpus: Corpus) -> Response:
    match = _SEARCH.fullmatch(request.decoded_path)
    if match is None:
        return as_json({"status": "not_found", "error": "no such route"}, status=404)
    if _UNESCAPED.search(match[1]):
        return _refused("Query contains disallowed Lucene features")
    works = [work for work in corpus.of_agency("crossref") if is_listed(work)]
    text, conditions = words_and_conditions(match[1])
    unknown = [name for name, _, _ in conditions if name not in _FIELDS]
    size = request.params.get("pageSize", "10")
    if unknown or ":" in text:
        return _refused(f"cannot parse '{match[1][:80]}'")
    if not size.isdecimal():
        return _refused("Page size was not an integer")
    for field, _, value in conditions:
        works = [work for work in works if _fits(work, field, value)]
    hits = [work for work, _ in rank(works, text)] if text else works
    if request.params.get("sort") == "year:desc":
        hits = sorted(hits, key=lambda work: -(work.year or 0))
    return as_json(_page(hits, match[1], min(int(size), _MAX_PAGE)))


def _refused(reason: str) -> Response:
    return as_json({"status": "bad_request", "error": f"{reason} (ref: 0)"}, status=400)


def is_listed(work: Work) -> bool:
    """Whether the work is an article of a fully open journal; notices and books are not listed."""
    return work.journal.oa == "gold" and not work.update_to


def _fits(work: Work, field: str, text: str) -> bool:
    """As the index compares: exactly, or word by word in an analysed field."""
    if field == "bibjson.identifier.id":
        here, text_words = (
            " ".join(re.findall(r"[\w.]+", one.lower())) for one in (work.doi, text)
        )
        return f" {text_words} " in f" {here} "
    if field == "bibjson.year":
        return in_range(work.year, text)
    return field in {"doi", "bibjson.identifier.id.exact"} and work.doi == text


def _page(hits: list[Work], query: str, size: int) -> Record:
    return {
        "total": len(hits),
        "page": 1,
        "pageSize": size,
        "timestamp": "2026-01-02T03:04:05.000006Z",
        "query": query,
        "results": [record(work) for work in hits[:size]],
    }


def record(work: Work) -> Record:
    """The article in DOAJ's format."""
    first, _, last = work.pages.partition("-")
    article: Record = {
        "identifier": [
            {"id": work.doi, "type": "doi"},
            *({"id": issn, "type": "pissn"} for issn in work.journal.issn[:1]),
            *({"id": issn, "type": "eissn"} for issn in work.journal.issn[1:]),
        ],
        "journal": {
            "volume": work.volume,
            "number": work.issue,
            "country": "GB",
            "issns": list(work.journal.issn),
            "publisher": work.journal.publisher,
            "language": ["EN"],
            "title": work.journal.name,
        },
        "title": work.plain_title,
        "author": [_author(author.full_name, author.affiliation) for author in work.authors],
        "link": [_link(location) for location in work.locations],
        "subject": [{"code": "Q", "scheme": "LCC", "term": "Science"}],
        "start_page": first,
        "end_page": last,
    }
    if work.date:
        article |= {"year": str(work.date[0]), "month": str((*work.date, 0)[1])}
    if work.abstract:
        article["abstract"] = work.abstract
    return {
        "id": f"{abs(hash_of(work.key)):032x}",
        "created_date": "2025-01-02T03:04:05Z",
        "last_updated": "2025-06-01T08:00:00Z",
        "bibjson": article,
    }


def hash_of(text: str) -> int:
    """A number that is the same in every process, for realistic identifiers."""
    return int.from_bytes(text.encode()[-15:], "big")


def _author(name: str, affiliation: str) -> Record:
    return {"name": name} | ({"affiliation": affiliation} if affiliation else {})


def _link(location: Location) -> Record:
    if location.serves == "landing":
        return {"content_type": "HTML", "type": "fulltext", "url": location.landing}
    return {"content_type": "PDF", "type": "fulltext", "url": location.url}
