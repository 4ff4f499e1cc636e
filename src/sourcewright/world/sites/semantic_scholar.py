"""Semantic Scholar's Graph API: one record for a preprint and its published paper."""

import json
import re
from typing import Any

from sourcewright.world.corpus import Corpus, Work, rank
from sourcewright.world.corpus.ids import pmcid, pmid, semantic_scholar_id
from sourcewright.world.corpus.works import iso
from sourcewright.world.messages import Request, Response, as_json

HOSTS = ("api.semanticscholar.org",)

Record = dict[str, Any]

_PAPER = "/graph/v1/paper/"
_EDGES = re.compile(r"/(citations|references)$")
_WRONG_KEY = "wrong-key"
_TYPES = {
    "journal-article": ["JournalArticle"],
    "proceedings-article": ["Conference"],
    "Dataset": ["Dataset"],
}
_STATUSES = {"gold": "GOLD", "hybrid": "HYBRID", "green": "GREEN", "bronze": "BRONZE"}
_ALWAYS = ("paperId",)
_MOST_RESULTS = 1000
_MOST_IN_BATCH = 500
_INTENTS: tuple[list[str], ...] = (["background"], ["methodology", "background"], ["result"], [])
_FIELD_NAMES = (
    "paperId externalIds url title abstract venue publicationVenue year citationCount "
    "influentialCitationCount tldr isOpenAccess openAccessPdf publicationTypes publicationDate "
    "journal authors referenceCount"
)
_EVERY_FIELD = frozenset(_FIELD_NAMES.split())


def answer(request: Request, corpus: Corpus) -> Response:
    if request.headers.get("x-api-key") == _WRONG_KEY:
        return as_json({"message": "Forbidden"}, status=403)
    path = request.decoded_path
    if not path.startswith(_PAPER):
        return as_json({"message": "Missing Authentication Token"}, status=403)
    name = path.removeprefix(_PAPER)
    if name == "search/bulk":
        return _bulk(request, corpus)
    if name in {"search", "search/match"}:
        return _search(request, corpus, only_best=name.endswith("match"))
    if name == "batch" and request.method == "POST":
        return _batch(request, corpus)
    return _one(name, request, corpus)


def _one(name: str, request: Request, corpus: Corpus) -> Response:
    """A paper by its id, or its citations and references."""
    name, edges = _EDGES.sub("", name), _EDGES.search(name)
    work = _named(name, corpus)
    if work is None or not semantic_scholar_id(work):
        return _problem(404, f"Paper with id {name} not found")
    if edges:
        return _edges(_published(work, corpus), edges[1], request, corpus)
    return _with_fields(
        [record(_published(work, corpus), corpus)], request, lambda records: records[0]
    )


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
    """A published preprint has only the record of the published paper."""
    return (corpus.by_doi(work.published_as) if work.published_as else None) or work


def _problem(status: int, message: str) -> Response:
    return as_json({"error": message}, status=status)


def _with_fields(records: list[Record], request: Request, envelope: Any) -> Response:
    names = [one for one in request.params.get("fields", "title").split(",") if one]
    unknown = [one for one in names if one not in _EVERY_FIELD]
    if unknown:
        return _problem(400, f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    return as_json(envelope([_kept(one, names) for one in records]))


def _kept(full: Record, names: list[str]) -> Record:
    return {key: full[key] for key in full if key in (*_ALWAYS, *names)}


def _search(request: Request, corpus: Corpus, *, only_best: bool) -> Response:
    params = request.params
    if not params.get("query"):
        return _problem(400, "Missing required parameter: 'query'")
    known = [work for work in corpus.works if semantic_scholar_id(work) and not work.published_as]
    works = [work for work in known if _in_years(work, params.get("year", ""))]
    if "openAccessPdf" in params:
        works = [work for work in works if _open_copy(work)["url"]]
    hits = [work for work, _ in rank(works, params["query"])]
    if only_best:
        if not hits:
            return _problem(404, "Title match not found")
        return _with_fields([record(hits[0], corpus)], request, lambda records: {"data": records})
    return _listed(hits, request, 100, corpus)


def _bulk(request: Request, corpus: Corpus) -> Response:
    """Every paper with one of the alternatives, phrases in quotes; in no order, no summaries."""
    query = request.params.get("query", "")
    if not query:
        return _problem(400, "Missing required parameter: 'query'")
    known = [work for work in corpus.works if semantic_scholar_id(work) and not work.published_as]
    parts = [re.findall(r"\w+", part.lower()) for part in query.split("|")]
    hits = [
        work
        for work in known
        if any(
            " ".join(part) in " ".join(re.findall(r"\w+", work.plain_title.lower()))
            for part in parts
            if part
        )
    ]
    records = [record(work, corpus) for work in hits[:_MOST_RESULTS]]
    head: Record = {"total": len(hits), "token": None}
    return _with_fields(records, request, lambda data: head | {"data": data})


def _in_years(work: Work, years: str) -> bool:
    """`2019`, `2016-2020`, `2010-` or `-2015`."""
    if not years:
        return True
    first, dash, last = years.partition("-")
    return int(first or 0) <= (work.year or 0) <= int(last or 9999 if dash else first)


def _listed(hits: list[Work], request: Request, most: int, corpus: Corpus) -> Response:
    """A list without hits has no `data` at all."""
    offset, limit = (_number(request, *one) for one in (("offset", 0), ("limit", most)))
    if limit > most or offset + limit > _MOST_RESULTS:
        return _problem(400, "Requested data for this limit and/or offset is not available")
    page = hits[offset : offset + limit]
    head: Record = {"total": len(hits), "offset": offset}
    head |= {"next": offset + limit} if offset + limit < len(hits) else {}
    records = [record(work, corpus) for work in page]
    return _with_fields(records, request, lambda data: head | ({"data": data} if data else {}))


def _number(request: Request, name: str, default: int) -> int:
    text = request.params.get(name, "")
    return int(text) if text.isdecimal() else default


def _batch(request: Request, corpus: Corpus) -> Response:
    """One entry for each id, in order; null for a missing paper."""
    ids = json.loads(request.body or b"{}").get("ids", [])
    if not ids or len(ids) > _MOST_IN_BATCH:
        return _problem(400, "No valid paper ids given" if not ids else "Too many paper ids")
    works = [_named(one, corpus) for one in ids]
    papers = [one and _published(one, corpus) for one in works]
    records = [record(one, corpus) if one and semantic_scholar_id(one) else None for one in papers]
    names = request.params.get("fields", "title").split(",")
    unknown = [one for one in names if one not in _EVERY_FIELD]
    if unknown:
        return _problem(400, f"Unrecognized or unsupported fields: [{', '.join(unknown)}]")
    return as_json([one and _kept(one, names) for one in records])


def _edges(work: Work, kind: str, request: Request, corpus: Corpus) -> Response:
    """The papers that cite a paper, or that it cites, with intents."""
    others = corpus.cited_by(work) if kind == "citations" else corpus.cites(work)
    known = [_published(one, corpus) for one in others if semantic_scholar_id(one)]
    offset, limit = _number(request, "offset", 0), _number(request, "limit", 100)
    page = known[offset : offset + limit]
    names = request.params.get("fields", "title").split(",")
    own = "citingPaper" if kind == "citations" else "citedPaper"
    data = [_edge(one, names, own, corpus) for one in page]
    head: Record = {"offset": offset}
    head |= {"next": offset + limit} if offset + limit < len(known) else {}
    return as_json(head | {"data": data})


def _edge(work: Work, names: list[str], own: str, corpus: Corpus) -> Record:
    number = int(semantic_scholar_id(work)[:4], 16)
    edge = {
        "isInfluential": number % 4 == 0,
        "contexts": [f"As was shown before [{number % 30}]."] if number % 3 else [],
        "intents": _INTENTS[number % len(_INTENTS)],
    }
    fields = {name: value for name, value in edge.items() if name in names}
    return fields | {own: _kept(record(work, corpus), names)}


def record(work: Work, corpus: Corpus) -> Record:
    """The paper in Semantic Scholar's format, with every field that can be requested."""
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
        "referenceCount": len(corpus.cites(work)),
        "influentialCitationCount": len(work.title) % 7,
        "tldr": _summary(work),
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


def _summary(work: Work) -> Record | None:
    """A one-sentence summary by a model, for some papers."""
    sentence = work.abstract.partition(". ")[0].strip().rstrip(".")
    return {"model": "tldr@v2.0.0", "text": f"{sentence}."} if len(sentence) > 20 else None


def _external(work: Work, corpus: Corpus) -> Record:
    ids: Record = {"DOI": work.doi, "CorpusId": int(semantic_scholar_id(work)[:7], 16)}
    preprint = corpus.by_doi(work.preprint) if work.preprint else None
    manuscript = work.manuscript or (preprint.manuscript if preprint else None)
    if manuscript is not None:
        ids["ArXiv"] = manuscript.id
    if pmid(work):
        ids["PubMed"] = pmid(work)
    if pmcid(work):
        ids["PubMedCentral"] = pmcid(work).removeprefix("PMC")
    return ids


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
    fields = {"name": work.journal.name}
    if work.pages:
        fields["pages"] = work.pages.replace("-", " - ")
    if work.volume:
        fields["volume"] = work.volume
    return fields


def _open_copy(work: Work) -> Record:
    """At most one URL; for a landing page, the URL of the DOI resolver."""
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
