"""DataCite: the registration agency of data sets, software, theses and many preprints.

Docs: https://support.datacite.org/docs/api-queries, https://datacite-metadata-schema.readthedocs.io
and, for the limits of callers with and without an address since 2025,
https://support.datacite.org/docs/rate-limit, read on 2026-11-19.
Silent on: retractions. A withdrawal date is read as a notice; `IsObsoletedBy` only names a
later version, and a record that is no longer findable gives no reason.
"""

from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import quote

from sourcewright.base.formats import json_values
from sourcewright.base.formats.parsers import json_object_in
from sourcewright.base.works import RecordsByDoi, Work
from sourcewright.domain.capabilities import SearchesWorks
from sourcewright.domain.options import Option
from sourcewright.domain.papers.scholar import BATCH, IndexResults, WorkQuery
from sourcewright.domain.scholar.queries import filters_ignored, words_and_phrases, years_of
from sourcewright.domain.scholar.records import by_doi
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404
from sourcewright.providers.datacite.works import ARXIV_PREFIX, read_answer, read_list, read_work

__all__ = ["DataCite", "read_work"]

_SUPPORTED = frozenset({"year_from", "year_to", "sort_by"})


class DataCite(Provider):
    """Searches works, and describes them by DOI."""

    info = ProviderInfo(
        name="datacite",
        title="DataCite",
        home="https://datacite.org",
        base_url="https://api.datacite.org",
        rate=RateLimit(starts=500, per_seconds=300.0),
        allowed_hosts=("api.datacite.org",),
        tier=2,
        decides_dois=True,
        tells_notices=True,
        unaskable='"\\',
        has_only={SearchesWorks: "works with a DOI of DataCite"},
        options=(
            Option(
                name="enabled",
                env=("DOIGET_ENABLE_DATACITE",),
                help="Whether DataCite is queried for DOIs and searched; 0 turns it off.",
                kind="flag",
                default=True,
            ),
            Option(
                name="mailto",
                env=("DATACITE_EMAIL",),
                help="Address sent to DataCite, which allows twice as many requests with one.",
                kind="email",
                contact=True,
            ),
        ),
    )

    @classmethod
    def rate(cls, options: Mapping[str, Any]) -> RateLimit | None:
        return RateLimit(starts=1000, per_seconds=300.0) if options.get("mailto") else None

    async def describe_doi(self, doi: str) -> Work:
        path = f"/dois/{quote(doi, safe='')}"
        return await self.upstream.lookup(
            path,
            self._contact(),
            read=lambda answer: read_answer(answer, doi),
            absent=own_404(is_absence),
        )

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years and the order, and arXiv as source by the prefix of its DOIs."""
        records, total = await self.upstream.search(
            "/dois", search_params(query) | self._contact(), read=read_list
        )
        own = {"source"} if query.source == "arxiv" else set()
        return IndexResults(
            records=records[: query.limit],
            ignored=filters_ignored(query, _SUPPORTED | own),
            total=total,
        )

    async def describe_works(self, dois: tuple[str, ...]) -> RecordsByDoi:
        query = dois_query(dois[:BATCH])
        if not query:
            return {}
        params = {"query": query, "page[size]": str(BATCH)} | self._contact()
        records, _ = await self.upstream.search("/dois", params, read=read_list)
        return by_doi(records, dois)

    def _contact(self) -> dict[str, str]:
        return {"mailto": self.options["mailto"]} if self.options.get("mailto") else {}


def dois_query(dois: Iterable[str]) -> str:
    """A query for any of these DOIs, except those that would end the phrase."""
    return " OR ".join(f'doi:"{doi}"' for doi in dois if DataCite.info.can_ask(doi))


def search_params(query: WorkQuery) -> dict[str, str]:
    """The parameters of a search; without an order the latest changes would come first."""
    years, words = years_of(query), words_and_phrases(query.text)
    if years is not None:
        words = f"({words}) AND publicationYear:[{years[0]} TO {years[1]}]"
    prefix = {"prefix": ARXIV_PREFIX.rstrip("/")} if query.source == "arxiv" else {}
    return {
        "query": words,
        "page[size]": str(query.limit),
        "sort": "-published" if query.sort_by == "date" else "relevance",
        **prefix,
    }


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is DataCite's own error object and not a proxy's error page."""
    errors = json_values.entries_of(json_object_in(body).get("errors"))
    return any(isinstance(one, dict) and str(one.get("status")) == "404" for one in errors)
