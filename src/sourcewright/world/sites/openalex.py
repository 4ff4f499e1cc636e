"""OpenAlex's API: works with their locations and references, and lists of works."""

import re
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.ids import openalex_id, pmcid, pmid
from sourcewright.world.corpus.works import Author, Location, iso
from sourcewright.world.messages import Request, Response, as_json, as_redirect, as_text

HOSTS = ("api.openalex.org",)

Record = dict[str, Any]

_SITE = "https://openalex.org"
_ARXIV = "10.48550/arxiv."
# What the web framework behind the real service says about a path that leads nowhere.
_MISSING = (
    "<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>\n<h1>Not Found</h1>\n"
    "<p>The requested URL was not found on the server. If you entered the URL manually please "
    "check your spelling and try again.</p>\n"
)
_TYPES = {
    "journal-article": "article",
    "proceedings-article": "article",
    "posted-content": "preprint",
    "Preprint": "preprint",
    "Dataset": "dataset",
}
_MOST_AUTHORS = 100
# Numbers of real publishers, lent to invented ones so that those can be asked for.
_PUBLISHERS = {"conference": "P4310319808", "lakes": "P4310319908", "clocks": "P4310319965"}
_MOST_PER_PAGE = 200
_MOST_RESULTS = 10_000
_FIELD_NAMES = (
    "id doi title display_name publication_year publication_date ids language primary_location "
    "type indexed_in open_access authorships cited_by_count biblio is_retracted is_paratext "
    "locations_count locations best_oa_location referenced_works_count referenced_works "
    "related_works abstract_inverted_index updated_date created_date"
)
_EVERY_FIELD = frozenset(_FIELD_NAMES.split())


def answer(request: Request, corpus: Corpus) -> Response:
    path = request.decoded_path
    if path.rstrip("/") == "/works":
        return _list(request, corpus)
    name = re.sub(r"^(/works)?/", "", path)
    merged = corpus.by_merged_number(name.upper())
    if merged is not None:
        query = f"?{request.query}" if request.query else ""
        return as_redirect(
            f"https://{request.host}/works/{openalex_id(merged)}{query}", status=301
        )
    work = _named(name, corpus)
    if work is None or not openalex_id(work):
        return as_text(_MISSING, status=404, content_type="text/html; charset=utf-8")
    return _selected(record(work, corpus), request)


def _named(name: str, corpus: Corpus) -> Work | None:
    doi = re.fullmatch(r"(?:doi:|(?:doi:)?https?://(?:dx\.)?doi\.org/)(.+)", name, re.IGNORECASE)
    if doi:
        return corpus.by_doi(doi[1])
    bare = re.sub(r"^(https?://openalex\.org/(works/)?|openalex:|pmid:|pmcid:)", "", name)
    return corpus.by_number(bare.upper())


def _selected(full: Record, request: Request) -> Response:
    fields = [field for field in request.params.get("select", "").split(",") if field]
    for field in fields:
        if field not in full:
            problem = f"{field} is not a valid select field."
            return _invalid(problem)
    return as_json({field: full[field] for field in fields} if fields else full)


def _invalid(message: str) -> Response:
    return as_json({"error": "Invalid query parameters error.", "message": message}, status=400)


def _list(request: Request, corpus: Corpus) -> Response:
    """A page of the works that match the filters, ranked by the search."""
    params = request.params
    filters = [one.partition(":") for one in params.get("filter", "").split(",") if one]
    unknown = [name for name, _, _ in filters if name not in {*_FILTERS, *_SEARCHES}]
    size, page = (_number(params, *names) for names in (("per-page", "per_page"), ("page",)))
    if unknown:
        return _invalid(f"{unknown[0]} is not a valid field.")
    if not 1 <= size <= _MOST_PER_PAGE:
        return _invalid(f"per-page parameter must be between 1 and {_MOST_PER_PAGE}.")
    if page * size > _MOST_RESULTS:
        return _invalid("Maximum results size of 10,000 records is exceeded.")
    known = [work for work in corpus.works if openalex_id(work)]
    for name, _, value in filters:
        if name in _FILTERS:
            known = [work for work in known if _FILTERS[name](work, value, corpus)]
    words = " ".join(v for name, _, v in filters if name in _SEARCHES)
    if "|" in words:
        hits = [work for part in words.split("|") for work in _ordered(known, part, {})]
        return _page(request, list(dict.fromkeys(hits)), corpus)
    return _page(request, _ordered(known, params.get("search", words), params), corpus)


def _number(params: Mapping[str, str], *names: str) -> int:
    """A page size or number; the default if it is missing, None if it is invalid."""
    default = 1 if names == ("page",) else 25
    text = next((params[name] for name in names if name in params), str(default))
    return int(text) if text.isdecimal() else 0


def _ordered(works: list[Work], query: str, params: Mapping[str, str]) -> list[Work]:
    ranked = [work for work, _ in rank(works, query)] if query.strip() else works
    if params.get("sort") == "publication_date:desc":
        return sorted(ranked, key=lambda work: iso(work.date), reverse=True)
    if params.get("sort") == "cited_by_count:desc":
        return sorted(ranked, key=lambda work: -cited_by_count(work))
    return ranked


def _page(request: Request, works: list[Work], corpus: Corpus) -> Response:
    """A numbered page, or one with a cursor for the next page."""
    params = request.params
    size, number = _number(params, "per-page", "per_page"), _number(params, "page")
    cursor = params.get("cursor")
    at = (number - 1) * size if cursor is None else int("0" + cursor.removeprefix("*"))
    page = works[at : at + size]
    meta: Record = {"count": len(works), "db_response_time_ms": 7, "page": number}
    meta |= {"per_page": size, "groups_count": 0}
    if cursor is not None:
        more = at + size < len(works)
        meta |= {"page": None, "next_cursor": str(at + size) if more else None}
    records = [record(work, corpus) for work in page]
    fields = [field for field in params.get("select", "").split(",") if field]
    unknown = [field for field in fields if field not in _EVERY_FIELD]
    if unknown:
        return _invalid(f"{unknown[0]} is not a valid select field.")
    results = [{name: one[name] for name in fields} if fields else one for one in records]
    return as_json({"meta": meta, "results": results, "group_by": []})


@lru_cache(maxsize=64)
def _any(value: str, prefix: str = "") -> frozenset[str]:
    """The alternatives of a filter, without the URL prefix of each."""
    parts = value.split("|")
    return frozenset(re.sub(prefix, "", one.strip(), flags=re.IGNORECASE) for one in parts)


def _is_open(work: Work, corpus: Corpus) -> bool:
    return any(place["is_oa"] for place in _locations(work, corpus))


def _truth(value: str) -> bool:
    return value.lower() == "true"


Filter = Callable[[Work, str, Corpus], bool]
_IDS, _DOIS = r"^https?://openalex\.org/", r"^(https?://doi\.org/|doi:)"
_SEARCHES = ("title.search", "display_name.search", "title_and_abstract.search", "default.search")
_FILTERS: dict[str, Filter] = {
    "doi": lambda work, value, _: work.key in {one.lower() for one in _any(value, _DOIS)},
    "openalex_id": lambda work, value, _: (
        openalex_id(work) in {one.upper() for one in _any(value, _IDS)}
    ),
    "cites": lambda work, value, corpus: any(
        openalex_id(cited) in {one.upper() for one in _any(value, _IDS)}
        for cited in corpus.cites(work)
    ),
    "publication_year": lambda work, value, _: str(work.year) in _any(value),
    "from_publication_date": lambda work, value, _: iso(work.date) >= value,
    "to_publication_date": lambda work, value, _: bool(work.date) and iso(work.date) <= value,
    "open_access.is_oa": lambda work, value, corpus: _is_open(work, corpus) == _truth(value),
    "is_oa": lambda work, value, corpus: _is_open(work, corpus) == _truth(value),
    "is_retracted": lambda work, value, _: is_retracted(work) == _truth(value),
    "type": lambda work, value, _: _TYPES.get(work.type, "other") in _any(value),
    "primary_location.source.id": lambda work, value, corpus: bool(
        _any(value, _IDS) & _source_ids(work, corpus)
    ),
    "primary_location.source.host_organization_lineage": lambda work, value, _: (
        _PUBLISHERS.get(work.journal.key, "") in _any(value, _IDS)
    ),
    "locations.source.id": lambda work, value, corpus: bool(
        _any(value, _IDS) & _source_ids(work, corpus)
    ),
}


def _source_ids(work: Work, corpus: Corpus) -> set[str]:
    own = [place["source"]["id"].rpartition("/")[2] for place in _locations(work, corpus)]
    # arXiv is a source under a number that everybody knows.
    return {*own, *(["S4306400194"] if work.manuscript else [])}


def cited_by_count(work: Work) -> int:
    return len(work.title) % 90


def is_retracted(work: Work) -> bool:
    """The flag of the real API depends on reported notices, and not every notice is reported."""
    return any(update.kind == "retraction" for update in work.updated_by)


def record(work: Work, corpus: Corpus) -> Record:
    """The work in OpenAlex's format."""
    places = list(_locations(work, corpus))
    best = next((place for place in places if place["is_oa"]), None)
    cited = [f"{_SITE}/{number}" for number in corpus.references(work)]
    return {
        "id": f"{_SITE}/{openalex_id(work)}",
        "doi": f"https://doi.org/{work.key}",
        "title": work.title or None,
        "display_name": work.title or None,
        "publication_year": work.year,
        "publication_date": iso((*work.date, 1, 1)[:3]) if work.date else None,
        "ids": _ids(work),
        "language": "en",
        "primary_location": places[0],
        "type": _TYPES.get(work.type, "other"),
        "indexed_in": [work.agency, *(["pubmed"] if pmid(work) else [])],
        "open_access": _access(work, places, best),
        "authorships": [_authorship(one, at) for at, one in _numbered(work.authors)],
        "cited_by_count": cited_by_count(work),
        "biblio": _biblio(work),
        "is_retracted": is_retracted(work),
        "is_paratext": False,
        "locations_count": len(places),
        "locations": places,
        "best_oa_location": best,
        "referenced_works_count": len(cited),
        "referenced_works": cited,
        "related_works": [],
        "abstract_inverted_index": _inverted(work.abstract),
        "updated_date": "2025-11-02T08:00:00.000000",
        "created_date": "2025-10-10T00:00:00",
    }


def _access(work: Work, places: list[Record], best: Record | None) -> Record:
    return {
        "is_oa": best is not None,
        "oa_status": _colour(work, best),
        "oa_url": (best["pdf_url"] or best["landing_page_url"]) if best else None,
        "any_repository_has_fulltext": any(map(_in_repository, places)),
    }


def _biblio(work: Work) -> Record:
    pages = work.pages.split("-") if work.pages else [None]
    return {
        "volume": work.volume or None,
        "issue": work.issue or None,
        "first_page": pages[0],
        "last_page": pages[-1],
    }


def _ids(work: Work) -> Record:
    ids = {"openalex": f"{_SITE}/{openalex_id(work)}", "doi": f"https://doi.org/{work.key}"}
    if pmid(work):
        ids["pmid"] = f"https://pubmed.ncbi.nlm.nih.gov/{pmid(work)}"
    if pmcid(work):
        ids["pmcid"] = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{pmcid(work)[3:]}"
    return ids


def _colour(work: Work, best: Record | None) -> str:
    if best is None:
        return "closed"
    return "green" if work.oa == "closed" else work.oa


def _locations(work: Work, corpus: Corpus) -> Iterable[Record]:
    """The version of record first, then every other location with its version."""
    own = [copy for copy in work.locations if copy.landing == work.landing]
    yield _place(work, own[0] if own else None)
    for copy in work.locations:
        if copy not in own and not work.key.startswith(_ARXIV):
            yield _repository(copy)
    for copy in work.elsewhere:
        if copy.known_to == "openalex":
            yield _repository(copy)
    preprint = corpus.by_doi(work.preprint) if work.preprint else None
    if preprint is not None:
        yield _preprint(preprint)


def _place(work: Work, copy: Location | None) -> Record:
    """The location of the DOI itself."""
    is_preprint = work.type == "posted-content"
    kind = "repository" if is_preprint or work.agency == "datacite" else "journal"
    return {
        "id": f"doi:{work.key}",
        "is_oa": copy is not None or work.agency == "datacite",
        "landing_page_url": f"https://doi.org/{work.key}",
        "pdf_url": copy.url if copy and copy.serves != "landing" else None,
        "source": _source(work.journal.name, kind, work.journal.issn, work.journal.publisher),
        "license": work.licence or None,
        "license_id": f"{_SITE}/licenses/{work.licence}" if work.licence else None,
        "version": "acceptedVersion" if is_preprint else "publishedVersion",
        "is_accepted": True,
        "is_published": not is_preprint,
        "raw_source_name": work.journal.name,
        "raw_type": work.type,
    }


def _repository(copy: Location) -> Record:
    at_arxiv = "//arxiv.org/" in copy.landing
    name = "arXiv (Cornell University)" if at_arxiv else "Meridian Repository"
    identifier = copy.landing.rpartition("/")[2]
    return {
        "id": f"pmh:oai:{'arXiv.org' if at_arxiv else 'meridian.example'}:{identifier}",
        "is_oa": True,
        "landing_page_url": copy.landing.replace("https://arxiv.org", "http://arxiv.org"),
        "pdf_url": copy.url if copy.serves != "landing" else None,
        "source": _source(name, "repository", (), None),
        "license": copy.licence or None,
        "license_id": f"{_SITE}/licenses/{copy.licence}" if copy.licence else None,
        "version": copy.version,
        "is_accepted": copy.version != "submittedVersion",
        "is_published": False,
        "raw_source_name": None,
        "raw_type": "text",
    }


def _preprint(work: Work) -> Record:
    if work.manuscript is None:
        return _place(work, work.locations[0] if work.locations else None)
    location = Location(
        url=f"https://arxiv.org/pdf/{work.manuscript.id}",
        landing=f"https://arxiv.org/abs/{work.manuscript.id}",
        version="submittedVersion",
    )
    return _repository(location)


def _source(name: str, kind: str, issn: tuple[str, ...], publisher: str | None) -> Record:
    return {
        "id": f"{_SITE}/S99{sum(map(ord, name)):08d}",
        "display_name": name,
        "issn_l": issn[0] if issn else None,
        "issn": list(issn) or None,
        "is_oa": kind == "repository",
        "is_in_doaj": False,
        "is_core": kind == "journal",
        "host_organization": None,
        "host_organization_name": publisher,
        "host_organization_lineage": [],
        "type": kind,
    }


def _in_repository(place: Record) -> bool:
    return bool(place["is_oa"] and place["source"]["type"] == "repository")


def _numbered(authors: tuple[Author, ...]) -> list[tuple[str, Author]]:
    """Each author with OpenAlex's position; long lists are truncated."""
    first = authors[:_MOST_AUTHORS]
    last = len(first) - 1
    return [
        ("first" if at == 0 else "last" if at == last else "middle", author)
        for at, author in enumerate(first)
    ]


def _authorship(author: Author, position: str) -> Record:
    orcid = f"https://orcid.org/{author.orcid}" if author.orcid else None
    number = sum(map(ord, author.full_name))
    return {
        "author_position": position,
        "author": {
            "id": f"{_SITE}/A99{number:08d}",
            "display_name": author.full_name,
            "orcid": orcid,
        },
        "institutions": [],
        "countries": [],
        "is_corresponding": position == "first",
        "raw_author_name": author.sort_name,
        "raw_affiliation_strings": [author.affiliation] if author.affiliation else [],
        "affiliations": [],
    }


def _inverted(abstract: str) -> dict[str, list[int]] | None:
    index: dict[str, list[int]] = {}
    for at, word in enumerate(abstract.split()):
        index.setdefault(word, []).append(at)
    return index or None
