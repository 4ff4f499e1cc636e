"""Europe PMC: life science literature, with open full texts.

Docs: https://europepmc.org/RestfulWebService and https://europepmc.org/searchsyntax
Silent on: other fields than the life sciences; notices about what PubMed does not list.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from sourcewright.base.errors import BadAnswer
from sourcewright.base.formats import json_values
from sourcewright.base.formats.json_values import Record, records_of
from sourcewright.base.works import Copy, RecordsByDoi, Work
from sourcewright.domain.capabilities import Role, SearchesWorks
from sourcewright.domain.papers.scholar import BATCH, IndexResults, WorkQuery
from sourcewright.domain.scholar.europe_pmc import (
    NAME,
    copies_of,
    read_list,
    read_work,
    search_params,
)
from sourcewright.domain.scholar.queries import filters_ignored
from sourcewright.domain.scholar.records import by_doi
from sourcewright.net.http.answers import not_found
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option

T = TypeVar("T")
INDEX_NAME = "europepmc"
_SUPPORTED = frozenset({"year_from", "year_to", "open_access", "sort_by"})


class EuropePmc(Provider):
    """Searches articles, describes works by DOI, and lists their open PDFs."""

    info = ProviderInfo(
        name="europepmc",
        label=NAME,
        title="Europe PMC",
        home="https://europepmc.org",
        base_url="https://www.ebi.ac.uk/europepmc/webservices/rest",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("www.ebi.ac.uk",),
        tier=2,
        tells_notices=True,
        unaskable='"\\',
        has_only={SearchesWorks: "the life sciences"},
        options=(
            enable_option(
                "DOIGET_ENABLE_EUROPE_PMC", asked_for="records, open copies and searches"
            ),
        ),
    )
    info_in: ClassVar[Mapping[Role, ProviderInfo]] = {"scholar": replace(info, label=INDEX_NAME)}

    async def describe_doi(self, doi: str) -> Work:
        return await self._query(doi, read_work)

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return await self._query(doi, copies_of)

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years, the order, open access, and PubMed as source."""
        own = query.source == "pubmed"
        records, total = await self.upstream.search(
            "/search",
            search_params(query, *(["SRC:MED"] if own else [])),
            read=lambda answer: read_list(answer, INDEX_NAME),
        )
        return IndexResults(
            records=records[: query.limit],
            ignored=filters_ignored(query, {*_SUPPORTED, *(["source"] if own else [])}),
            total=total,
        )

    async def describe_works(self, dois: tuple[str, ...]) -> RecordsByDoi:
        query = dois_query(dois[:BATCH])
        if not query:
            return {}
        records, _ = await self.upstream.search(
            "/search",
            {"query": query, "resultType": "core", "format": "json", "pageSize": "100"},
            read=lambda answer: read_list(answer, INDEX_NAME),
        )
        return by_doi(records, dois)

    async def _query(self, doi: str, read: Callable[[Record], T]) -> T:
        params = doi_params(doi)
        return await self.upstream.search(
            "/search", params, read=lambda a: read(record_of_doi(a, doi))
        )


def dois_query(dois: Iterable[str]) -> str:
    """A query for any of these DOIs, except those that would end the phrase."""
    return " OR ".join(f'DOI:"{doi}"' for doi in dois if EuropePmc.info.can_ask(doi))


def doi_params(doi: str) -> dict[str, str]:
    if '"' in doi or "\\" in doi:  # it ends the phrase, so an empty result would prove nothing
        raise BadAnswer(
            NAME, f"its search syntax cannot express the quotation mark in {doi}", cause="shape"
        )
    return {"query": f'DOI:"{doi}"', "resultType": "core", "format": "json", "pageSize": "25"}


def record_of_doi(answer: Any, doi: str) -> Record:
    """The record of this DOI; an empty result is how this API reports absence."""
    results, count = records_of(answer["resultList"]["result"]), answer["hitCount"]
    same = [
        one
        for one in results
        if json_values.same_doi(json_values.doi_of(one.get("doi")) or "", doi)
    ]
    if count == 0 and count is not False and not results:
        raise not_found(NAME, f"record of {doi}")
    if not same:
        raise ValueError(
            f"none of the returned records, of {count} in total, has the requested DOI"
        )
    return same[0]
