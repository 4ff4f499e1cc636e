"""Semantic Scholar's Graph API: one record for a preprint and what it was published as."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.numbering import pmcid, pmid, semantic_scholar_id
from sourcewright.world.corpus.works import iso
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.semanticscholar.org",)

Record = dict[str, Any]

_PAPER = "/graph/v1/paper/"
_WRONG_KEY = "wrong-key"
_TYPES = {
    "journal-article": ["JournalArticle"],
    "proceedings-article": ["Conference"],
    "Dataset": ["Dataset"],
}
_STATUSES = {"gold": "GOLD", "hybrid": "HYBRID", "green": "GREEN", "bronze": "BRONZE"}
_ALWAYS = ("paperId",)


def answer(request: Request, corpus: Corpus) -> Response:
    if request.headers.get("x-api-key") == _WRONG_KEY:
        return as_json({"message": "Forbidden"}, status=403)
    path = request.decoded_path
    if not path.startswith(_PAPER):
        return as_json({"message": "Missing Authentication Token"}, status=403)
    name = path.removeprefix(_PAPER)
    if name in {"search", "search/match"}:
        return _search(request, corpus, only_best=name.endswith("match"))
    work = _named(name, corpus)
    if work is None or not semantic_scholar_id(work):
        return _problem(404, f"Paper with id {name} not found")
    return _with_fields([record(_published(work, corpus), corpus)], request, lambda made: made[0])


def _named(name: str, corpus: Corpus) -> Work | None:
    kind, colon, value = name.partition(":")
    if not colon or name.startswith("10."):
        return corpus.by_doi(name) or corpus.by_number(name.lower())
    kind = kind.upper()
    if kind == "DOI":
        return corpus.by_doi(value)
    if kind == "ARXIV":
        return corpus.by_arxiv(re.sub(r"v[0-9]+$", "", value))
    numbers = {"PMID": value, "PMCID": f"PMC{value.upper().removeprefix('PMC')}"}
    return corpus.by_number(numbers[kind]) if kind in numbers else None


def _published(work: Work, corpus: Corpus) -> Work:
    """A preprint that was published has no record but that of the published paper."""
    return (corpus.by_doi(work.published_as) if work.published_as else None) or work


def _problem(status: int, message: str) -> Response:
    return as_json({"error": message}, status=status)


def _with_fields(made: list[Record], request: Request, envelope: Any) -> Response:
    asked = [one for one in request.params.get("fields", "title").split(",") if one]
    unknown = [one for one in asked if made and one not in made[0]]
    if unknown:
        return _problem(400, f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    kept = (*_ALWAYS, *asked)
    return as_json(envelope([{key: one[key] for key in one if key in kept} for one in made]))


def _search(request: Request, corpus: Corpus, *, only_best: bool) -> Response:
    known = [work for work in corpus.works if semantic_scholar_id(work) and not work.published_as]
    hits = [work for work, _ in rank(known, request.params.get("query", ""))]
    if only_best and not hits:
        return _problem(404, "Title match not found")
    shown = hits[: 1 if only_best else int(request.params.get("limit", "100"))]
    head = {} if only_best else {"total": len(hits), "offset": 0}
    return _with_fields(
        [record(work, corpus) for work in shown], request, lambda made: {**head, "data": made}
    )


def record(work: Work, corpus: Corpus) -> Record:
    """The paper as Semantic Scholar prints it, with every field that can be asked for."""
    number = semantic_scholar_id(work)
    return {
        "paperId": number,
        "externalIds": _external(work, corpus),
        "url": f"https://www.semanticscholar.org/paper/{number}",
        "title": work.plain_title,
        "abstract": work.abstract.replace("\n\n", " ") or None,
        "venue": work.journal.name,
        "publicationVenue": _venue(work),
        "year": work.year,
        "citationCount": len(work.title) % 90,
        "influentialCitationCount": 0,
        "isOpenAccess": bool(_open_copy(work)["url"]),
        "openAccessPdf": _open_copy(work),
        "publicationTypes": _TYPES.get(work.type),
        "publicationDate": iso(work.date) if len(work.date) == 3 else None,
        "journal": _journal(work),
        "authors": [
            {"authorId": str(1000 + at), "name": author.full_name}
            for at, author in enumerate(work.authors)
        ],
    }


def _external(work: Work, corpus: Corpus) -> Record:
    made: Record = {"DOI": work.doi, "CorpusId": int(semantic_scholar_id(work)[:7], 16)}
    preprint = corpus.by_doi(work.preprint) if work.preprint else None
    manuscript = work.manuscript or (preprint.manuscript if preprint else None)
    if manuscript is not None:
        made["ArXiv"] = manuscript.id
    if pmid(work):
        made["PubMed"] = pmid(work)
    if pmcid(work):
        made["PubMedCentral"] = pmcid(work).removeprefix("PMC")
    return made


def _venue(work: Work) -> Record | None:
    if not work.journal.issn:
        return None
    return {
        "id": f"{sum(map(ord, work.journal.name)):08d}-0000-4000-8000-000000000000",
        "name": work.journal.name,
        "type": "journal",
        "alternate_names": [work.journal.short] if work.journal.short else [],
        "issn": work.journal.issn[0],
        "url": f"https://{work.journal.host}/",
    }


def _journal(work: Work) -> Record:
    made = {"name": work.journal.name}
    if work.pages:
        made["pages"] = work.pages.replace("-", " - ")
    if work.volume:
        made["volume"] = work.volume
    return made


def _open_copy(work: Work) -> Record:
    """At most one address; a landing page is given by the resolver's address."""
    secret = [copy for copy in work.elsewhere if copy.known_to == "semantic_scholar"]
    copies = [*work.locations, *secret]
    if not copies:
        return {"url": "", "status": "CLOSED", "license": None}
    copy = copies[0]
    return {
        "url": f"https://doi.org/{work.key}" if copy.serves == "landing" else copy.url,
        "status": "GREEN" if secret else _STATUSES.get(work.oa, "CLOSED"),
        "license": copy.licence.replace("-", "").upper() or None,
    }
