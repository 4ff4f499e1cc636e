"""Crossref: the registration agency of most journals, books, proceedings and preprints.

Docs: https://api.crossref.org and https://www.crossref.org/documentation/retrieve-metadata/rest-api/
Silent on: whether the full text is open; retractions that nobody registered with Crossref.
"""

from collections.abc import Iterable
from datetime import UTC, datetime
from urllib.parse import quote

from sourcewright.domain.errors import BadAnswer, NotFound, UpstreamError
from sourcewright.domain.options import Option
from sourcewright.domain.papers.scholar import (
    BATCH,
    CitationPage,
    IndexResults,
    RecordsByDoi,
    WorkIds,
    WorkQuery,
)
from sourcewright.domain.papers.works import Notice, Work
from sourcewright.logic.scholar.queries import filters_ignored, offset_of
from sourcewright.logic.scholar.records import by_doi
from sourcewright.net.sources.partial_results import outcome
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, own_404
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

__all__ = ["Crossref", "read_work"]

MAX_NOTICES = 100
_MOST_ROWS = "1000"
_LISTED = (
    "DOI,title,subtitle,author,type,published,published-print,published-online,issued,"
    "container-title,volume,issue,page,article-number,publisher,publisher-location,event,ISSN,abstract,URL,resource,license,"
    "is-referenced-by-count,relation,update-to,updated-by"
)
_SOURCES = {"ieee": "prefix:10.1109", "nature": "prefix:10.1038", "springer": "member:297"}
_SUPPORTED = frozenset({"year_from", "year_to", "sort_by"})


class Crossref(Provider):
    """Searches and describes works, with their references and the notices about them."""

    info = ProviderInfo(
        name="crossref",
        title="Crossref",
        home="https://www.crossref.org",
        base_url="https://api.crossref.org",
        rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.crossref.org", "*.crossref.org"),
        tier=1,
        decides_dois=True,
        tells_notices=True,
        unaskable=",",
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

    async def describe_doi(self, doi: str) -> Work:
        return await self.upstream.lookup(
            doi_path(doi),
            self._contact(),
            read=lambda answer: read_answer(answer, doi),
            absent=own_404(is_absence),
        )

    async def find_notices(self, doi: str) -> tuple[Notice, ...]:
        params = notices_params(doi) | self._contact()
        return await self.upstream.search("/works", params, read=lambda a: read_notices(a, doi))

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports the years and the order, and a source that is a publisher."""
        records, total = await self.upstream.search(
            "/works",
            search_params(query, this_year=self._this_year()) | self._contact(),
            read=read_list,
        )
        publisher = {"source"} if query.source in _SOURCES else set()
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
            "filter": _filter("updates", tuple(records)),
            "rows": _MOST_ROWS,
            "select": "DOI,update-to",
        }
        updates = await outcome(
            self.upstream.search("/works", params | self._contact(), read=read_updates)
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
        params = {"filter": _filter("doi", dois), "rows": str(len(dois)), "select": _LISTED}
        records, _ = await self.upstream.search("/works", params | self._contact(), read=read_list)
        return by_doi(records, dois)

    def _this_year(self) -> int:
        return datetime.fromtimestamp(self.upstream.now(), UTC).year

    def _contact(self) -> dict[str, str]:
        return {"mailto": self.options["mailto"]} if self.options.get("mailto") else {}


def search_params(query: WorkQuery, *, this_year: int) -> dict[str, str]:
    """The parameters of a search. Works with a date far in the future, which are errors, never come first."""
    last = query.year_to or (this_year + 1 if query.sort_by == "date" else None)
    filters = (
        f"from-pub-date:{query.year_from}" if query.year_from else None,
        f"until-pub-date:{last}" if last else None,
        _SOURCES.get(query.source or ""),
    )
    params = {
        "query.bibliographic": query.text,
        "rows": str(query.limit),
        "select": _LISTED,
        "filter": ",".join(filter(None, filters)),
    }
    order = {"sort": "published", "order": "desc"} if query.sort_by == "date" else {}
    return {name: value for name, value in params.items() if value} | order


def doi_path(doi: str) -> str:
    return f"/works/{quote(doi, safe='')}"


def _askable(dois: Iterable[str]) -> tuple[str, ...]:
    """The DOIs that a filter can express: a comma ends its value."""
    return tuple(dict.fromkeys(filter(Crossref.info.can_ask, dois)))


def _filter(name: str, values: tuple[str, ...]) -> str:
    """A filter that accepts any of several values."""
    return ",".join(f"{name}:{value}" for value in values)


def notices_params(doi: str) -> dict[str, str]:
    if "," in doi:  # a comma ends the filter value, so an empty list would prove nothing
        raise BadAnswer(
            "crossref", f"its filter syntax cannot express the comma in {doi}", cause="shape"
        )
    return {"filter": f"updates:{doi}", "rows": str(MAX_NOTICES), "select": "DOI,update-to"}


def is_absence(body: bytes) -> bool:
    """Whether a 404 body is Crossref's own message and not a proxy's error page."""
    text = body.strip().lower()
    return b"resource not found" in text and not text.startswith(b"<")
