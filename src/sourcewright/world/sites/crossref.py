"""Crossref's REST API: works, searches, filters and agencies."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from html import escape
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.works import Author, Date, Update, iso
from sourcewright.world.messages import Request, Response, as_json, as_text

HOSTS = ("api.crossref.org",)

Record = dict[str, Any]
Filter = Callable[[Work, str], bool]

_LABELS = {"crossref": "Crossref", "datacite": "DataCite", "jalc": "JaLC", "medra": "mEDRA"}
_MAX_ROWS = 1000
_QUERIES = ("query", "query.title", "query.bibliographic", "query.author")


def answer(request: Request, corpus: Corpus) -> Response:
    path = re.sub(r"^/v1(?=/)", "", request.decoded_path)
    if path.rstrip("/") == "/works":
        return _list(request, corpus)
    if not path.startswith("/works/"):
        return _missing()
    doi = path.removeprefix("/works/")
    if doi.endswith("/agency"):
        return _agency(doi.removesuffix("/agency"), corpus)
    work = corpus.by_doi(doi)
    if work is None or work.agency != "crossref":
        return _missing()
    if any(name.startswith("query") for name in request.params):
        return _invalid("parameter-not-allowed", "query", "This route has no query parameters")
    return as_json(_envelope("work", record(work, corpus)))


def _missing() -> Response:
    return as_text("Resource not found.", status=404, content_type="text/plain")


def _invalid(kind: str, value: str, message: str) -> Response:
    problem = {"type": kind, "value": value, "message": message}
    return as_json(
        {"status": "failed", "message-type": "validation-failure", "message": [problem]},
        status=400,
    )


def _envelope(kind: str, message: object) -> Record:
    return {"status": "ok", "message-type": kind, "message-version": "1.0.0", "message": message}


def _agency(doi: str, corpus: Corpus) -> Response:
    work = corpus.by_doi(doi)
    if work is None:
        return _missing()
    agency = {"id": work.agency, "label": _LABELS[work.agency]}
    return as_json(_envelope("work-agency", {"DOI": doi.lower(), "agency": agency}))


def _list(request: Request, corpus: Corpus) -> Response:
    params = request.params
    rows, offset = params.get("rows", "20"), params.get("offset", "0")
    if not rows.isdecimal() or int(rows) > _MAX_ROWS or not offset.isdecimal():
        problem = f"Integer specified as {rows} but must be at most {_MAX_ROWS}."
        return _invalid("integer-not-valid", rows, problem)
    filters = [one.partition(":") for one in params.get("filter", "").split(",") if one]
    for name, _, _ in filters:
        if name not in _FILTERS:
            problem = f"Filter {name} specified but there is no such filter for this route."
            return _invalid("filter-not-available", name, problem)
    accepted: dict[str, list[str]] = {}
    for name, _, value in filters:
        accepted.setdefault(name, []).append(value)
    works = [work for work in corpus.of_agency("crossref") if _passes(work, accepted)]
    query = " ".join(params[name] for name in _QUERIES if name in params)
    hits = rank(works, query) if query else [(work, 1.0) for work in works]
    sort = params.get("sort", "relevance")
    if sort in _SORTS:
        hits.sort(key=lambda hit: _SORTS[sort](hit[0]), reverse=params.get("order") != "asc")
    elif sort not in {"relevance", "score"}:
        problem = f"Sort specified as {sort} but there is no such order."
        return _invalid("parameter-not-valid", sort, problem)
    return _listing(hits, query, int(rows), int(offset), request, corpus)


_SORTS: dict[str, Callable[[Work], str]] = {
    "published": lambda work: iso(work.date),
    "issued": lambda work: iso(work.date),
    "is-referenced-by-count": lambda work: f"{len(work.title) % 90:09d}",
}


def _passes(work: Work, accepted: Mapping[str, list[str]]) -> bool:
    """Repeated filters are combined with OR, different ones with AND."""
    return all(
        any(_FILTERS[name](work, one) for one in values) for name, values in accepted.items()
    )


def _listing(
    hits: list[tuple[Work, float]],
    query: str,
    rows: int,
    offset: int,
    request: Request,
    corpus: Corpus,
) -> Response:
    page = hits[offset : offset + rows]
    items = [record(work, corpus) | {"score": round(score * 40, 4)} for work, score in page]
    names = [one for one in request.params.get("select", "").split(",") if one]
    unknown = [one for one in names if one not in _SELECTABLE]
    if unknown:
        problem = f"Select element {unknown[0]} specified but there is no such field."
        return _invalid("select-not-available", unknown[0], problem)
    message = {
        "facets": {},
        "total-results": len(hits),
        "items": [{k: v for k, v in one.items() if not names or k in names} for one in items],
        "items-per-page": rows,
        "query": {"start-index": offset, "search-terms": query or None},
    }
    return as_json(_envelope("work-list", message))


_SELECTABLE_NAMES = (
    "abstract URL resource member posted score created degree update-policy short-title license "
    "ISSN container-title issued update-to issue prefix approved indexed article-number accepted "
    "author group-title DOI is-referenced-by-count updated-by event chair standards-body "
    "original-title funder translator published archive published-print alternative-id subject "
    "subtitle published-online publisher-location content-domain reference title link type "
    "publisher volume references-count ISBN issn-type assertion deposited page content-created "
    "short-container-title relation editor"
)
_SELECTABLE = frozenset(_SELECTABLE_NAMES.split())


def _updates(work: Work, doi: str) -> bool:
    return any(update.doi.lower() == doi.lower() for update in work.update_to)


_FILTERS: dict[str, Filter] = {
    "updates": _updates,
    "doi": lambda work, value: work.key == value.lower(),
    "type": lambda work, value: work.type == value,
    "is-update": lambda work, value: bool(work.update_to) == (value in {"true", "t", "1"}),
    "update-type": lambda work, value: value in {update.kind for update in work.update_to},
    "from-pub-date": lambda work, value: iso(work.date) >= value,
    "until-pub-date": lambda work, value: bool(work.date) and iso(work.date) <= value,
    "issn": lambda work, value: value in work.journal.issn,
    "prefix": lambda work, value: work.key.startswith(f"{value}/"),
    "member": lambda work, value: work.journal.member == value,
    "has-full-text": lambda work, value: bool(work.locations) == (value in {"true", "t", "1"}),
    "has-abstract": lambda work, value: bool(work.abstract) == (value in {"true", "t", "1"}),
}


def record(work: Work, corpus: Corpus) -> Record:
    """The work in Crossref's format."""
    cited = corpus.cites(work)
    prefix = work.key.partition("/")[0]
    fields: Record = {
        "indexed": _moment((2026, 1, 2)) | {"version": "3.54.1"},
        "reference-count": len(cited),
        "publisher": work.journal.publisher,
        "content-domain": {"domain": [], "crossmark-restriction": False},
        "short-container-title": [work.journal.short] if work.journal.short else [],
        "DOI": work.key,
        "type": work.type,
        "created": _moment(work.date if len(work.date) == 3 else (2002, 7, 25)),
        "source": "Crossref",
        "is-referenced-by-count": len(work.title) % 90,
        "title": [work.title] if work.title else [],
        "prefix": prefix,
        "member": work.journal.member,
        "container-title": []
        if work.type == "posted-content"
        else [escape(work.journal.name, quote=False)],
        "original-title": [],
        "deposited": _moment((2025, 6, 1)),
        "score": 1,
        "resource": {"primary": {"URL": work.landing}},
        "subtitle": [work.subtitle] if work.subtitle else [],
        "short-title": [],
        "issued": {"date-parts": [list(work.date) or [None]]},
        "references-count": len(cited),
        "URL": f"https://doi.org/{work.key}",
        "relation": _relation(work),
        "subject": [],
    }
    if cited:
        fields["reference"] = [_reference(one, at) for at, one in enumerate(cited, 1)]
    return fields | _dates(work) | _details(work) | _rights(work) | _changes(work)


def _reference(work: Work, at: int) -> Record:
    """A reference as publishers deposit it: matched to a DOI, or unstructured."""
    key = f"ref{at}"
    if at % 4 == 3:
        names = ", ".join(author.family or author.name for author in work.authors[:3])
        return {"key": key, "unstructured": f"{names} ({work.year}). {work.plain_title}."}
    fields: Record = {"key": key, "doi-asserted-by": "crossref", "DOI": work.doi}
    fields |= {"article-title": work.plain_title, "journal-title": work.journal.name}
    if work.authors:
        fields["author"] = work.authors[0].family or work.authors[0].name
    return fields | ({"year": str(work.year)} if work.year else {})


def _details(work: Work) -> Record:
    fields: Record = {
        name: value
        for name, value in (("volume", work.volume), ("issue", work.issue), ("page", work.pages))
        if value
    }
    if work.authors:
        fields["author"] = [
            _author(author, first=at == 0) for at, author in enumerate(work.authors)
        ]
    if work.abstract:
        fields["abstract"] = jats(work.abstract)
    if work.journal.issn:
        kinds = ("print", "electronic")
        fields["ISSN"] = list(work.journal.issn)
        fields["issn-type"] = [
            {"value": issn, "type": kind}
            for issn, kind in zip(work.journal.issn, kinds, strict=False)
        ]
    if work.type == "posted-content":
        fields |= {"subtype": "preprint", "group-title": "Invented sciences"}
    return fields


def _author(author: Author, *, first: bool) -> Record:
    fields: Record = {}
    if author.orcid:
        fields = {"ORCID": f"https://orcid.org/{author.orcid}", "authenticated-orcid": False}
    for name in ("given", "family", "name"):
        if value := getattr(author, name):
            fields[name] = value
    places = [{"name": author.affiliation}] if author.affiliation else []
    return fields | {"sequence": "first" if first else "additional", "affiliation": places}


def jats(text: str) -> str:
    paragraphs = "".join(f"<jats:p>{escape(part)}</jats:p>" for part in text.split("\n\n"))
    return f"<jats:title>Abstract</jats:title>{paragraphs}"


def _dates(work: Work) -> Record:
    if not work.date:
        return {}
    parts = {"date-parts": [list(work.date)]}
    field = "posted" if work.type == "posted-content" else work.date_field
    return {field: parts, "published": parts}


def _rights(work: Work) -> Record:
    fields: Record = {}
    if work.licence:
        fields["license"] = [
            {
                "start": _moment(work.date or (2002, 7, 25)),
                "content-version": version,
                "delay-in-days": 0,
                "URL": "https://creativecommons.org/licenses/by/4.0/",
            }
            for version in ("vor", "tdm")
        ]
    links = [copy for copy in work.locations if copy.host_type == "publisher"]
    if links:
        fields["link"] = [
            {
                "URL": copy.url,
                "content-type": "application/pdf",
                "content-version": "vor",
                "intended-application": "similarity-checking",
            }
            for copy in links
        ]
    return fields


def _relation(work: Work) -> Record:
    related = (("has-preprint", work.preprint), ("is-preprint-of", work.published_as))
    return {
        name: [{"id-type": "doi", "id": doi, "asserted-by": "subject"}]
        for name, doi in related
        if doi
    }


def _changes(work: Work) -> Record:
    related = (("updated-by", work.updated_by), ("update-to", work.update_to))
    return {name: [_update(update) for update in updates] for name, updates in related if updates}


def _update(update: Update) -> Record:
    fields: Record = {
        "DOI": update.doi.lower(),
        "type": update.kind,
        "label": update.label,
        "source": update.source,
        "updated": _moment(update.date),
    }
    return fields | ({"record-id": update.record_id} if update.record_id else {})


def _moment(date: Date) -> Record:
    year, month, day = (*date, 1, 1)[:3]
    moment = datetime(year, month, day, tzinfo=UTC)
    return {
        "date-parts": [[year, month, day]],
        "date-time": moment.strftime("%Y-%m-%dT%H:%M:%SZ"),
        "timestamp": int(moment.timestamp() * 1000),
    }
