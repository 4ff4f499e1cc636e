"""Exa's search of research papers: pages, with the data in their URLs and bylines."""

import re
from typing import Any

from sourcewright.base.authors import author_from_parts
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, required_records, text_of
from sourcewright.base.identifiers import ArxivId, Doi, Pmcid, Pmid
from sourcewright.base.text import dates
from sourcewright.base.works import Author, WorkRecord
from sourcewright.domain.papers.scholar import Publisher, WorkQuery
from sourcewright.domain.scholar.queries import years_of
from sourcewright.domain.sources.detected_doi import reference_in

SUPPORTED = frozenset({"year_from", "year_to", "source"})
_HOSTS: dict[Publisher, tuple[str, ...]] = {
    "arxiv": ("arxiv.org",),
    "pubmed": ("pubmed.ncbi.nlm.nih.gov", "pmc.ncbi.nlm.nih.gov"),
    "ieee": ("ieeexplore.ieee.org",),
    "nature": ("nature.com",),
    "springer": ("link.springer.com",),
}
_BETWEEN_NAMES = re.compile(r"\s*(?:;|,|\band\b|&)\s*")
_NAME = re.compile(r"[^\W\d_][^\d@\[\]():]{1,60}")


def papers_body(query: WorkQuery) -> dict[str, Any]:
    years = years_of(query)
    published = (
        {
            "startPublishedDate": f"{years[0]}-01-01T00:00:00.000Z",
            "endPublishedDate": f"{years[1]}-12-31T23:59:59.000Z",
        }
        if years
        else {}
    )
    return {
        "query": query.text,
        "type": "auto",
        "category": "research paper",
        "numResults": query.limit,
        **({"includeDomains": list(_HOSTS[query.source])} if query.source else {}),
        **published,
    }


def read_papers(answer: Any) -> tuple[WorkRecord, ...]:
    """The papers among the hits.

    Raises:
        ValueError: No hit has a web address.
    """
    hits = required_records(answer["results"])
    records = tuple(filter(None, map(read_record, hits)))
    if hits and not records:
        raise ValueError("no result has a URL")
    return records


def read_record(hit: Record) -> WorkRecord | None:
    """A page about a paper; identifiers only from its URL, as its text may name other papers."""
    url = json_values.url_of(hit["url"])
    if url is None:
        return None
    paper, published = (
        reference_in(url),
        dates.date_of((text_of(hit.get("publishedDate")) or "")[:10]),
    )
    return WorkRecord(
        source="exa",
        index_id=url,
        doi=paper.value if isinstance(paper, Doi) else None,
        arxiv_id=json_values.arxiv_id_of(paper.value) if isinstance(paper, ArxivId) else None,
        pmid=paper.value if isinstance(paper, Pmid) else None,
        pmcid=paper.value if isinstance(paper, Pmcid) else None,
        title=text_of(hit.get("title")) or url,
        authors=_authors(text_of(hit.get("author"))),
        year=int(published[:4]) if published else None,
        published=published,
        url=url,
    )


def _authors(byline: str | None) -> tuple[Author, ...]:
    """The names in a byline; none if a part is not a name, such as a date of submission."""
    names = [name for name in _BETWEEN_NAMES.split(byline or "") if name]
    if not all(_NAME.fullmatch(name) for name in names):
        return ()
    return tuple(filter(None, (author_from_parts(name=name) for name in names)))
