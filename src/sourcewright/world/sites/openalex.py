"""OpenAlex's API: works with their locations, and what they refer to."""

import re
from collections.abc import Iterable
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.numbering import openalex_id, pmcid, pmid
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


def _selected(made: Record, request: Request) -> Response:
    fields = [field for field in request.params.get("select", "").split(",") if field]
    for field in fields:
        if field not in made:
            problem = f"{field} is not a valid select field."
            return _invalid(problem)
    return as_json({field: made[field] for field in fields} if fields else made)


def _invalid(message: str) -> Response:
    return as_json({"error": "Invalid query parameters error.", "message": message}, status=400)


def _list(request: Request, corpus: Corpus) -> Response:
    known = [work for work in corpus.works if openalex_id(work)]
    name, _, value = request.params.get("filter", "").partition(":")
    if name not in {"", "doi", "title.search", "display_name.search"}:
        return _invalid(f"{name} is not a valid field.")
    if name == "doi":
        wanted = {re.sub(r"^https?://doi\.org/", "", one.lower()) for one in value.split("|")}
        found = [work for work in known if work.key in wanted]
    else:
        query = value or request.params.get("search", "")
        found = [work for work, _ in rank(known, query)] if query else known
    shown = found[: int(request.params.get("per-page", "25"))]
    meta = {"count": len(found), "db_response_time_ms": 7, "page": 1, "per_page": len(shown)}
    results = [record(work, corpus) for work in shown]
    return as_json({"meta": meta | {"groups_count": 0}, "results": results, "group_by": []})


def record(work: Work, corpus: Corpus) -> Record:
    """The work as OpenAlex prints it."""
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
        "cited_by_count": len(work.title) % 90,
        "biblio": _biblio(work),
        # The real flag follows what it was told about, and not every notice is told.
        "is_retracted": any(update.kind == "retraction" for update in work.updated_by),
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
    made = {"openalex": f"{_SITE}/{openalex_id(work)}", "doi": f"https://doi.org/{work.key}"}
    if pmid(work):
        made["pmid"] = f"https://pubmed.ncbi.nlm.nih.gov/{pmid(work)}"
    if pmcid(work):
        made["pmcid"] = f"https://www.ncbi.nlm.nih.gov/pmc/articles/{pmcid(work)[3:]}"
    return made


def _colour(work: Work, best: Record | None) -> str:
    if best is None:
        return "closed"
    return "green" if work.oa == "closed" else work.oa


def _locations(work: Work, corpus: Corpus) -> Iterable[Record]:
    """The version of record first, then every other place, each with what it holds."""
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
    """Where the DOI itself leads."""
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
    held = Location(
        url=f"https://arxiv.org/pdf/{work.manuscript.id}",
        landing=f"https://arxiv.org/abs/{work.manuscript.id}",
        version="submittedVersion",
    )
    return _repository(held)


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
    """Each author with the position that OpenAlex gives them; long lists are cut."""
    shown = authors[:_MOST_AUTHORS]
    last = len(shown) - 1
    return [
        ("first" if at == 0 else "last" if at == last else "middle", author)
        for at, author in enumerate(shown)
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
