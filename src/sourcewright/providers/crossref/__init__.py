"""Crossref: the registration agency of most journals, books, proceedings and preprints.

Docs: https://api.crossref.org and, for the limits of each pool since 1 December 2025,
https://www.crossref.org/documentation/retrieve-metadata/rest-api/access-and-authentication/, read on
2026-11-18; answers name their pool and its limits in `x-api-pool` and `x-rate-limit-limit`.
Silent on: whether the full text is open; retractions that nobody registered with Crossref.
"""

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from sourcewright.base.errors import NotFound, UpstreamError
from sourcewright.base.works import Notice, RecordsByDoi, Work
from sourcewright.domain.capabilities import ListsCitedWorks
from sourcewright.domain.options import Option
from sourcewright.domain.papers.scholar import (
    BATCH,
    CitationPage,
    IndexResults,
    WorkIds,
    WorkQuery,
)
from sourcewright.domain.scholar.queries import filters_ignored, offset_of
from sourcewright.domain.scholar.records import by_doi
from sourcewright.net.sources.partial_results import outcome
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404
from sourcewright.providers.crossref.requests import (
    LISTED,
    SOURCES,
    any_of,
    doi_path,
    is_absence,
    notices_params,
    search_params,
)
from sourcewright.providers.crossref.works import (
    cited_works,
    read_answer,
    read_list,
    read_notices,
    read_references,
    read_updates,
    read_work,
    with_own_notices,
    with_updates,
)

__all__ = ["Crossref", "notices_params", "read_work", "search_params"]

_MOST_ROWS = "1000"
_SUPPORTED = frozenset({"year_from", "year_to", "sort_by"})


class Crossref(Provider):
    """Searches and describes works, with their references and the notices about them."""

    info = ProviderInfo(
        name="crossref",
        title="Crossref",
        home="https://www.crossref.org",
        base_url="https://api.crossref.org",
        rate=RateLimit(starts=5, per_seconds=1.0, at_once=1),
        search_rate=RateLimit(starts=1, per_seconds=1.0, at_once=1),
        allowed_hosts=("api.crossref.org", "*.crossref.org"),
        tier=1,
        decides_dois=True,
        tells_notices=True,
        unaskable=",",
        has_only={ListsCitedWorks: "references that publishers deposited"},
        options=(
            Option(
                name="mailto",
                env=("CROSSREF_EMAIL",),
                help="Address for Crossref's polite pool; without one the public pool is used.",
                kind="email",
                contact=True,
            ),
        ),
    )

    @classmethod
    def rate(cls, options: Mapping[str, Any]) -> RateLimit | None:
        return RateLimit(starts=10, gap_seconds=0.1, at_once=3) if options.get("mailto") else None

    @classmethod
    def search_rate(cls, options: Mapping[str, Any]) -> RateLimit | None:
        return RateLimit(starts=3, at_once=3) if options.get("mailto") else None

    async def describe_doi(self, doi: str) -> Work:
        return await self.upstream.lookup(
            doi_path(doi),
            self._contact(),
            read=lambda answer: read_answer(answer, doi),
            absent=own_404(is_absence),
        )

    async def find_notices(self, doi: str) -> tuple[Notice, ...]:
        params = notices_params(doi) | self._contact()
        return await self.searches.search("/works", params, read=lambda a: read_notices(a, doi))

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years and the order, and a source that is a publisher."""
        records, total = await self.searches.search(
            "/works",
            search_params(query, this_year=self._this_year()) | self._contact(),
            read=read_list,
        )
        publisher = {"source"} if query.source in SOURCES else set()
        return IndexResults(
            records=records[: query.limit],
            ignored=filters_ignored(query, _SUPPORTED | publisher),
            total=total,
        )

    async def describe_works(self, dois: tuple[str, ...]) -> RecordsByDoi:
        """Send two requests: one for the works, and one for notices that only refer to them."""
        records = await self._records(_askable(dois[:BATCH]))
        if not records:
            return {}
        params = {
            "filter": any_of("updates", tuple(records)),
            "rows": _MOST_ROWS,
            "select": "DOI,update-to",
        }
        updates = await outcome(
            self.searches.search("/works", params | self._contact(), read=read_updates)
        )
        if isinstance(updates, UpstreamError):
            # Return the works nevertheless; None says that notices are unknown.
            return with_own_notices(records)
        return with_updates(records, updates)

    async def list_cited(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage:
        """List references in the order of the work; the cursor is the number of references before the page."""
        doi = work.doi
        if doi is None:
            raise NotFound("crossref", "identifies works only by DOI")
        references = await self.upstream.lookup(
            doi_path(doi),
            self._contact(),
            read=lambda answer: read_references(answer, doi),
            absent=own_404(is_absence),
        )
        start = offset_of(cursor)
        page = references[start : start + min(limit, BATCH)]
        records = await self._records(_askable(one.doi for one in page if one.doi))
        end = start + len(page)
        return CitationPage(
            citations=cited_works(page, records),
            total=len(references),
            next_cursor=str(end) if end < len(references) else None,
        )

    async def _records(self, dois: tuple[str, ...]) -> RecordsByDoi:
        if not dois:
            return {}
        params = {"filter": any_of("doi", dois), "rows": str(len(dois)), "select": LISTED}
        records, _ = await self.searches.search("/works", params | self._contact(), read=read_list)
        return by_doi(records, dois)

    def _this_year(self) -> int:
        return datetime.fromtimestamp(self.upstream.now(), UTC).year

    def _contact(self) -> dict[str, str]:
        return {"mailto": self.options["mailto"]} if self.options.get("mailto") else {}


def _askable(dois: Iterable[str]) -> tuple[str, ...]:
    """The DOIs that a filter can express: a comma ends its value."""
    return tuple(dict.fromkeys(filter(Crossref.info.can_ask, dois)))
