"""NCBI: searches of PubMed, the DOI of a PubMed or PMC record, and PubMed's abstract pages.

Docs: https://www.ncbi.nlm.nih.gov/books/NBK25499/ (ESearch, ESummary, EFetch)
Silent on: works that PubMed does not list; the DOI of old records and of books; the text of an article.
"""

import re
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar

from sourcewright.base.identifiers import Pmcid, Pmid
from sourcewright.base.urls.parts import unsupported_url_error, url_parts_of
from sourcewright.base.works import RecordsByDoi, WorkRecord
from sourcewright.domain.capabilities import Role, SearchesWorks
from sourcewright.domain.options import Option
from sourcewright.domain.papers.records import abstract_page
from sourcewright.domain.papers.scholar import BATCH, IndexResults, WorkQuery
from sourcewright.domain.scholar.queries import filters_ignored
from sourcewright.domain.scholar.records import by_doi
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit
from sourcewright.providers.ncbi.records import parse_records, read_record
from sourcewright.providers.ncbi.searches import (
    INDEX_NAME,
    SUPPORTED,
    dois_term,
    parse_set,
    read_ids,
    read_records_by_id,
    search_params,
)
from sourcewright.providers.ncbi.summaries import read_answer
from sourcewright.reading.readings import Reading

TOOL = "sourcewright"
_NAME, _SITE = "ncbi", "PubMed"
_NUMBER = re.compile(r"[1-9][0-9]{0,8}")
_PATH_PREFIXES = {
    "pubmed.ncbi.nlm.nih.gov": (),
    "www.ncbi.nlm.nih.gov": ("pubmed",),
    "ncbi.nlm.nih.gov": ("pubmed",),
}
"""Hosts of abstract pages, and the path segments before the PMID."""


class Ncbi(Provider):
    """Searches PubMed, resolves PubMed and PMC ids to DOIs, and reads the abstract pages of PubMed."""

    info = ProviderInfo(
        name=_NAME,
        title="NCBI E-utilities",
        home="https://www.ncbi.nlm.nih.gov",
        base_url="https://eutils.ncbi.nlm.nih.gov/entrez/eutils",
        rate=RateLimit(starts=3, per_seconds=1.0, at_once=1, gap_seconds=0.334),
        allowed_hosts=("eutils.ncbi.nlm.nih.gov",),
        tells_notices=True,
        unaskable='"',
        has_only={SearchesWorks: "biomedicine"},
        options=(
            Option(
                name="enabled",
                env=("DOIGET_ENABLE_NCBI",),
                help="Whether NCBI is queried for the DOI of a PubMed or PMC id; 0 turns it off.",
                kind="flag",
                default=True,
            ),
            Option(
                name="email",
                env=("PUBMED_EMAIL",),
                help="Address that NCBI contacts before it blocks a caller.",
                kind="email",
                contact=True,
            ),
            Option(
                name="api_key",
                env=("PUBMED_API_KEY",),
                help="API key of an NCBI account; optional.",
                kind="secret",
            ),
        ),
    )

    # The option disables the conversion of ids alone.
    info_in: ClassVar[Mapping[Role, ProviderInfo]] = {
        "reading": replace(info, options=()),
        "scholar": replace(info, label=INDEX_NAME, options=info.options[1:]),
    }

    async def doi_of(self, pubmed_id: Pmid | Pmcid) -> str | None:
        uid = pubmed_id.value.removeprefix("PMC")
        database = "pubmed" if isinstance(pubmed_id, Pmid) else "pmc"
        return await self.upstream.search(
            "/esummary.fcgi",
            self._params(db=database, id=uid, retmode="json"),
            read=lambda answer: read_answer(answer, uid),
        )

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years, the order, and open access as free full text."""
        ids, total = await self._find(search_params(query))
        own = {"source"} if query.source == "pubmed" else set()
        return IndexResults(
            records=await self._records(ids),
            ignored=filters_ignored(query, SUPPORTED | own),
            total=total,
        )

    async def describe_works(self, dois: tuple[str, ...]) -> RecordsByDoi:
        """Send two requests: one for the ids of the records, and one for all records."""
        term = dois_term(dois[:BATCH])
        if not term:
            return {}
        ids, _ = await self._find({"term": term, "retmax": str(2 * BATCH)})
        return by_doi(await self._records(ids), dois)

    async def describe_pmids(self, pmids: tuple[str, ...]) -> Mapping[str, WorkRecord]:
        records = await self._records(pmids[:BATCH], some=False)
        return {record.pmid: record for record in records if record.pmid}

    async def _find(self, params: dict[str, str]) -> tuple[tuple[str, ...], int]:
        params = self._params(db="pubmed", retmode="json", **params)
        return await self.upstream.search("/esearch.fcgi", params, read=read_ids)

    async def _records(self, ids: tuple[str, ...], *, some: bool = True) -> tuple[WorkRecord, ...]:
        """The records with these numbers; `some` if a search has just found them."""
        if not ids:
            return ()
        return await self.upstream.search(
            "/efetch.fcgi",
            self._params(db="pubmed", id=",".join(ids), retmode="xml"),
            parse=parse_set,
            read=lambda root: read_records_by_id(root, ids, some=some),
        )

    def accepts(self, url: str) -> bool:
        return pmid_in_url(url) is not None

    async def read_site(self, url: str) -> Reading:
        """Build the abstract page from the record: title, authors, journal, abstract, notices."""
        pmid = pmid_in_url(url)
        if pmid is None:
            raise unsupported_url_error(url, _SITE)
        # `search`, not `lookup`: absence is an empty set, and a 404 is not NCBI's own response.
        record = await self.upstream.search(
            "/efetch.fcgi",
            self._params(db="pubmed", id=pmid, retmode="xml"),
            parse=parse_records,
            read=lambda root: read_record(root, pmid, _NAME),
        )
        identifiers = {"PMID": record.pmid, "PMCID": record.pmcid, "Notice_for": record.speaks_of}
        return abstract_page(record.work, kind="pubmed", site=_SITE, **identifiers)

    def _params(self, **params: str) -> dict[str, str]:
        """Request parameters, with those that identify the caller to NCBI."""
        caller = {name: self.options.get(name) for name in ("email", "api_key")}
        known = {name: value for name, value in caller.items() if value}
        return {**params, "tool": TOOL, **known}


def pmid_in_url(url: str) -> str | None:
    """The PMID if the URL is an abstract page, else None."""
    place = url_parts_of(url)
    prefix = _PATH_PREFIXES.get(place.host) if place else None
    if place is None or prefix is None or place.parts[:-1] != prefix:
        return None
    return place.parts[-1] if place.parts and _NUMBER.fullmatch(place.parts[-1]) else None
