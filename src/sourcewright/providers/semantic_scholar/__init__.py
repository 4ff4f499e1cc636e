"""Semantic Scholar: a catalogue in which a preprint and its published version share one record.

Docs: https://api.semanticscholar.org/api-docs/graph and https://www.semanticscholar.org/product/api
Silent on: notices, and which version of a paper each field describes.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar
from urllib.parse import quote

from sourcewright.base.errors import NotFound
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record
from sourcewright.base.formats.parsers import json_object_in
from sourcewright.base.works import Copy, RecordsByDoi, Work
from sourcewright.domain.capabilities import Role
from sourcewright.domain.options import Option
from sourcewright.domain.papers.scholar import (
    BATCH,
    CitationPage,
    IndexResults,
    WorkIds,
    WorkQuery,
)
from sourcewright.domain.scholar.queries import filters_ignored, offset_of, plain_words
from sourcewright.domain.scholar.records import by_doi
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option, own_404
from sourcewright.providers.semantic_scholar.papers import (
    INDEX_NAME,
    copies_of,
    preprints_of,
    read_batch,
    read_citations,
    read_list,
    read_work,
)

T = TypeVar("T")
FIELDS = (
    "externalIds,url,title,abstract,venue,publicationVenue,year,publicationDate,publicationTypes,"
    "journal,authors,isOpenAccess,openAccessPdf"
)
CITED_FIELDS = f"{FIELDS},citationCount,influentialCitationCount"
LISTED_FIELDS = f"{CITED_FIELDS},tldr"
EDGE_FIELDS = f"intents,isInfluential,{CITED_FIELDS}"
_ABSENT = re.compile(r"Paper with id .+ not found", re.DOTALL)
_SUPPORTED = frozenset({"year_from", "year_to", "open_access"})


class SemanticScholar(Provider):
    """Searches and describes papers, with open copies, and citations with their intents."""

    info = ProviderInfo(
        name="semantic_scholar",
        title="Semantic Scholar",
        home="https://www.semanticscholar.org",
        base_url="https://api.semanticscholar.org",
        rate=RateLimit(starts=1, per_seconds=1.0),
        allowed_hosts=("api.semanticscholar.org",),
        tier=2,
        options=(
            enable_option(
                "DOIGET_ENABLE_S2", asked_for="records, open copies, preprints and searches"
            ),
            Option(
                name="api_key",
                env=("SEMANTIC_SCHOLAR_API_KEY",),
                help="API key for Semantic Scholar; gives you your own rate limit.",
                kind="secret",
            ),
        ),
    )

    info_in: ClassVar[Mapping[Role, ProviderInfo]] = {"scholar": replace(info, label=INDEX_NAME)}

    @classmethod
    def headers(cls, options: Mapping[str, Any]) -> Mapping[str, str]:
        return {"x-api-key": options["api_key"]} if options.get("api_key") else {}

    async def describe_doi(self, doi: str) -> Work:
        return await self._fetch(doi, FIELDS, read_work)

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return await self._fetch(doi, "externalIds,openAccessPdf", copies_of)

    async def find_preprints(self, doi: str) -> tuple[str, ...]:
        return await self._fetch(doi, "externalIds", preprints_of)

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years and open access; its search can sort only by relevance."""
        records, total = await self.upstream.search(
            "/graph/v1/paper/search", search_params(query), read=read_list
        )
        return IndexResults(
            records=records[: query.limit], ignored=filters_ignored(query, _SUPPORTED), total=total
        )

    async def describe_works(self, dois: tuple[str, ...]) -> RecordsByDoi:
        ids = [f"DOI:{doi}" for doi in dois[:BATCH]]
        records = await self.upstream.search(
            "/graph/v1/paper/batch",
            {"fields": LISTED_FIELDS},
            post={"ids": ids},
            read=lambda answer: read_batch(answer, len(ids)),
        )
        return by_doi(records, dois)

    async def find_titles(self, titles: tuple[str, ...]) -> IndexResults:
        """Use the bulk search, which supports alternatives but does not sort by relevance."""
        words = (plain_words(title.replace("-", " ")) for title in titles)
        records, total = await self.upstream.search(
            "/graph/v1/paper/search/bulk",
            {"query": " | ".join(f'"{one}"' for one in words), "fields": FIELDS},
            read=read_list,
        )
        return IndexResults(records=records, total=total)

    async def list_citing(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage:
        return await self._list(work, "citations", "citingPaper", limit, cursor)

    async def list_cited(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage:
        return await self._list(work, "references", "citedPaper", limit, cursor)

    async def _list(
        self, work: WorkIds, edges: str, side: str, limit: int, cursor: str | None
    ) -> CitationPage:
        params = {"fields": EDGE_FIELDS, "limit": str(limit), "offset": str(offset_of(cursor))}
        return await self.upstream.lookup(
            f"/graph/v1/paper/{quote(name_of(work), safe=':/')}/{edges}",
            params,
            read=lambda answer: read_citations(answer, side),
            absent=own_404(is_absence),
        )

    async def _fetch(self, doi: str, fields: str, read: Callable[[Record], T]) -> T:
        def read_same_doi(record: Record) -> T:
            """Reject a record of another DOI: it may describe another version."""
            return read(
                json_values.require_record_about(record, doi, record["externalIds"]["DOI"])
            )

        return await self.upstream.lookup(
            f"/graph/v1/paper/DOI:{quote(doi)}",
            {"fields": fields},
            read=read_same_doi,
            absent=own_404(is_absence),
        )


def search_params(query: WorkQuery) -> dict[str, str]:
    """The parameters of a search; a hyphen would join two words into one that no paper contains."""
    first, last = query.year_from or "", query.year_to or ""
    years = {"year": f"{first}-{last}"} if first or last else {}
    return {
        "query": plain_words(query.text.replace("-", " ")),
        "fields": LISTED_FIELDS,
        "limit": str(query.limit),
        **years,
        **({"openAccessPdf": ""} if query.open_access else {}),
    }


def name_of(work: WorkIds) -> str:
    """The name of a paper in the path of a request.

    Raises:
        NotFound: No paper is known by such an identifier.
    """
    names = {"DOI": work.doi, "ARXIV": work.arxiv_id, "PMID": work.pmid}
    prefixed = (f"{kind}:{value}" for kind, value in names.items() if value)
    name = work.index_id or next(prefixed, None)
    if name is None:
        raise NotFound(INDEX_NAME, "identifies papers by DOI, arXiv id, PMID or its own id")
    return name


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is Semantic Scholar's own message and not a proxy's error page."""
    message = json_object_in(body).get("error")
    return isinstance(message, str) and bool(_ABSENT.fullmatch(message.strip()))
