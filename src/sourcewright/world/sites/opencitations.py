"""OpenCitations: citations by identifier only, and metadata of the identified works."""

import re
from typing import Any

from sourcewright.world.corpus import Corpus, Work
from sourcewright.world.corpus.ids import openalex_id, pmid
from sourcewright.world.corpus.works import iso
from sourcewright.world.messages import Request, Response, as_json, as_text

HOSTS = ("api.opencitations.net",)

Record = dict[str, Any]

_EDGES = re.compile(r"/index/v2/(citations|references)/(doi|pmid):(.+)", re.DOTALL)
_NAMES = re.compile(r"/meta/v1/metadata/(.+)", re.DOTALL)


def answer(request: Request, corpus: Corpus) -> Response:
    """An unknown work gives an empty list and no error."""
    path = request.decoded_path
    if edges := _EDGES.fullmatch(path):
        kind, scheme, name = edges.groups()
        work = _named(f"{scheme}:{name}", corpus)
        return as_json(_edges(work, kind, corpus) if work else [])
    if names := _NAMES.fullmatch(path):
        works = [_named(name, corpus) for name in names[1].split("__")]
        return as_json([_metadata(work) for work in works if work])
    return as_text("HTTP status code 404: the operation requested does not exist", status=404)


def _named(name: str, corpus: Corpus) -> Work | None:
    scheme, _, value = name.partition(":")
    return corpus.by_doi(value) if scheme == "doi" else corpus.by_number(value)


def _edges(work: Work, kind: str, corpus: Corpus) -> list[Record]:
    """Only works with a Crossref DOI take part, because those references are open."""
    if kind == "citations":
        return [_edge(other, work) for other in corpus.cited_by(work) if _is_open(other)]
    return [_edge(work, other) for other in corpus.cites(work)] if _is_open(work) else []


def _is_open(work: Work) -> bool:
    return work.agency == "crossref"


def _edge(citing: Work, cited: Work) -> Record:
    return {
        "oci": f"{_omid(citing)[8:]}-{_omid(cited)[8:]}",
        "citing": _ids(citing),
        "cited": _ids(cited),
        "creation": iso(citing.date),
        "timespan": f"P{abs((citing.year or 0) - (cited.year or 0))}Y",
        "journal_sc": "yes" if citing.journal is cited.journal else "no",
        "author_sc": "no",
    }


def _omid(work: Work) -> str:
    return f"omid:br/06{sum(work.key.encode()):09d}"


def _ids(work: Work) -> str:
    """All identifiers in one text, in no particular order."""
    numbers = [f"pmid:{pmid(work)}"] if pmid(work) else []
    catalogue = [f"openalex:{openalex_id(work)}"] if openalex_id(work) else []
    return " ".join([_omid(work), f"doi:{work.key}", *catalogue, *numbers])


def _metadata(work: Work) -> Record:
    authors = "; ".join(
        f"{author.sort_name} [{f'orcid:{author.orcid} ' if author.orcid else ''}omid:ra/0610{at}]"
        for at, author in enumerate(work.authors)
    )
    issn = " ".join(f"issn:{one}" for one in work.journal.issn)
    return {
        "id": _ids(work),
        "title": work.plain_title,
        "author": authors,
        "pub_date": iso(work.date),
        "page": work.pages,
        "issue": work.issue,
        "volume": work.volume,
        "venue": f"{work.journal.name} [{issn} omid:br/0650]",
        "type": "journal article",
        "publisher": f"{work.journal.publisher} [crossref:{work.journal.member} omid:ra/0610]",
        "editor": "",
    }
