"""OpenCitations: an open index of who cites whom, from references that publishers opened.

Docs: https://api.opencitations.net/index/v2 and https://api.opencitations.net/meta/v1
Silent on: why a work is cited, abstracts and notices; whether it knows a work without citations.
It has no pages, so a page is cut out of the whole list.
"""

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import quote

from sourcewright.base.authors import author_from_parts, split_inverted_name
from sourcewright.base.errors import NotFound
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, doi_of, required_records, text_of
from sourcewright.base.text import dates
from sourcewright.base.works import Author, WorkRecord
from sourcewright.domain.capabilities import ListsCitedWorks, ListsCitingWorks
from sourcewright.domain.papers.scholar import BATCH, Citation, CitationPage, WorkIds
from sourcewright.domain.scholar.queries import offset_of
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit

_NAME = "opencitations"
_IDS_AFTER = re.compile(r"\s*\[[^\]]*\]\s*$")
Ids = dict[str, str]
"""Identifiers of one work by their scheme: doi, pmid, omid, openalex."""


class OpenCitations(Provider):
    """Lists who cites a work, and what it cites."""

    info = ProviderInfo(
        name=_NAME,
        title="OpenCitations",
        home="https://opencitations.net",
        base_url="https://api.opencitations.net",
        # It allows 180 requests a minute.
        rate=RateLimit(starts=3, per_seconds=1.0),
        allowed_hosts=("api.opencitations.net",),
        has_only=dict.fromkeys(
            (ListsCitingWorks, ListsCitedWorks), "citations whose two works have an open record"
        ),
    )

    async def list_citing(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage:
        return await self._list(work, "citations", "citing", limit, cursor)

    async def list_cited(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage:
        return await self._list(work, "references", "cited", limit, cursor)

    async def _list(
        self, work: WorkIds, edges: str, side: str, limit: int, cursor: str | None
    ) -> CitationPage:
        start = offset_of(cursor)
        ids = await self.upstream.search(
            f"/index/v2/{edges}/{quote(name_of(work), safe=':/')}",
            read=lambda answer: read_edges(answer, side),
        )
        page = ids[start : start + min(limit, BATCH)]
        end = start + len(page)
        return CitationPage(
            citations=tuple(Citation(record=one) for one in await self._describe(page)),
            total=len(ids),
            next_cursor=str(end) if end < len(ids) else None,
        )

    async def _describe(self, page: Sequence[Ids]) -> tuple[WorkRecord, ...]:
        """The works by their identifiers, with title and authors where Meta has them."""
        names = [f"doi:{one['doi']}" for one in page if "__" not in one.get("doi", "__")]
        if not names:
            return tuple(map(bare_record, page))
        path = f"/meta/v1/metadata/{quote('__'.join(names), safe=':')}"
        known = await self.upstream.search(path, read=read_metadata)
        by_doi = {record.doi: record for record in known if record.doi}
        return tuple(by_doi.get(one.get("doi", "")) or bare_record(one) for one in page)


def name_of(work: WorkIds) -> str:
    """The name of a work in the path of a request.

    Raises:
        NotFound: OpenCitations knows no work by such an identifier.
    """
    arxiv_doi = f"10.48550/arxiv.{work.arxiv_id}" if work.arxiv_id else None
    if doi := work.doi or arxiv_doi:
        return f"doi:{doi}"
    if work.pmid:
        return f"pmid:{work.pmid}"
    raise NotFound(_NAME, "identifies works only by DOI or PMID")


def read_edges(answer: Any, side: str) -> tuple[Ids, ...]:
    """The identifiers of the works on the other side of each edge, each work once."""
    works: dict[str, Ids] = {}
    for edge in required_records(answer):
        text = json_values.require_value(text_of(edge[side]), side)
        ids = read_ids(text)
        works.setdefault(ids.get("doi") or ids.get("omid") or text, ids)
    return tuple(works.values())


def read_ids(text: str) -> Ids:
    """Identifiers from one text: `omid:br/0612 doi:10.1/x pmid:3`."""
    pairs = (one.partition(":") for one in text.split())
    ids = {scheme: value for scheme, _, value in pairs if value}
    doi = doi_of(ids.pop("doi", None))
    return {**ids, **({"doi": doi} if doi else {})}


def bare_record(ids: Ids) -> WorkRecord:
    """A work of which only the identifiers are known."""
    doi = ids.get("doi")
    return WorkRecord(
        source=_NAME,
        index_id=ids.get("omid"),
        doi=doi,
        pmid=ids.get("pmid"),
        arxiv_id=json_values.arxiv_id_of(doi),
        url=f"https://doi.org/{doi}" if doi else None,
    )


def read_metadata(answer: Any) -> tuple[WorkRecord, ...]:
    return tuple(map(read_record, required_records(answer)))


def read_record(entry: Record) -> WorkRecord:
    ids = read_ids(json_values.require_value(text_of(entry["id"]), "id"))
    doi, published = ids.get("doi"), dates.date_of(entry.get("pub_date"))
    return WorkRecord(
        source=_NAME,
        index_id=ids.get("omid"),
        doi=doi,
        pmid=ids.get("pmid"),
        arxiv_id=json_values.arxiv_id_of(doi),
        title=text_of(entry["title"]),
        authors=tuple(filter(None, map(_author, (text_of(entry["author"]) or "").split("; ")))),
        year=int(published[:4]) if published else None,
        published=published,
        venue=_without_ids(entry.get("venue")),
        type=(text_of(entry.get("type")) or "").replace(" ", "-") or None,
        volume=text_of(entry.get("volume")),
        issue=text_of(entry.get("issue")),
        pages=text_of(entry.get("page")),
        publisher=_without_ids(entry.get("publisher")),
        url=f"https://doi.org/{doi}" if doi else None,
    )


def _author(text: str) -> Author | None:
    """An author from `Family, Given [orcid:0000-0000-0000-0000 omid:ra/061]`."""
    name = _without_ids(text)
    given, family = split_inverted_name(name)
    return author_from_parts(name=name, given=given, family=family)


def _without_ids(value: Any) -> str | None:
    return _IDS_AFTER.sub("", text_of(value) or "").strip() or None
