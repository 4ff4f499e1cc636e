"""OpenAlex: an open catalogue of works, with their copies and references.

Docs: https://developers.openalex.org/api-reference/works, .../api-reference/errors and, for the
daily budget, .../api-reference/authentication, read on 2026-11-18.
Silent on: the notice behind a retraction, and corrections. `is_retracted` is sometimes wrong.
"""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from typing import TypeVar
from urllib.parse import quote

from sourcewright.base.formats.json_values import Record, require_record_about
from sourcewright.base.works import Copy, GraphWork, RecordsByDoi, Work
from sourcewright.domain.options import Option
from sourcewright.domain.papers.scholar import (
    BATCH,
    Citation,
    CitationPage,
    IndexResults,
    WorkIds,
    WorkQuery,
)
from sourcewright.domain.scholar.queries import offset_of
from sourcewright.domain.scholar.records import by_doi
from sourcewright.providers._base import Provider, ProviderInfo, RateLimit, enable_option, own_404
from sourcewright.providers.openalex.requests import (
    COPY_FIELDS,
    GRAPH_FIELDS,
    LISTED,
    RECORD,
    any_title,
    name_of,
    search_params,
)
from sourcewright.providers.openalex.works import (
    copies_of,
    in_order,
    preprints_of,
    read_citing,
    read_first_page,
    read_graph_work,
    read_id,
    read_list,
    read_work,
)

T = TypeVar("T")
_KEY_HELP = "Key of a free account; without one, OpenAlex allows about 100 searches a day. Lookups by DOI are free."
_MAILTO_HELP = (
    "Address sent to OpenAlex, which has given no higher limits for one since February 2026."
)
# For an unknown work it sends its framework's HTML error page; its docs show a line of JSON.
_PAGE = rb"<!doctype html>\n<html lang=en>\n<title>404 Not Found</title>.{1,200}on the server"
_ABSENT = re.compile(_PAGE + rb'|\{.{1,200}"Work \S{1,2000} not found', re.DOTALL)
_MOST_RESULTS = "100"


class OpenAlex(Provider):
    """Searches and describes works, and lists their copies, preprints, references and citations."""

    info = ProviderInfo(
        name="openalex",
        title="OpenAlex",
        home="https://openalex.org",
        base_url="https://api.openalex.org",
        rate=RateLimit(starts=5, per_seconds=1.0),
        # Lists and searches cost a daily budget, and lookups go on when it is used up.
        search_rate=RateLimit(starts=5, per_seconds=1.0),
        allowed_hosts=("api.openalex.org",),
        tier=2,
        tells_notices=True,
        unaskable=",|",
        options=(
            enable_option(
                "DOIGET_ENABLE_OPENALEX",
                asked_for="records, open copies, references and searches",
            ),
            Option(
                name="mailto",
                env=("OPENALEX_EMAIL",),
                help=_MAILTO_HELP,
                kind="email",
                contact=True,
            ),
            Option(name="api_key", env=("OPENALEX_API_KEY",), help=_KEY_HELP, kind="secret"),
        ),
    )

    async def describe_doi(self, doi: str) -> Work:
        return await self._by_doi(doi, RECORD, read_work)

    async def find_copies(self, doi: str) -> tuple[Copy, ...]:
        return await self._by_doi(doi, COPY_FIELDS, copies_of)

    async def find_preprints(self, doi: str) -> tuple[str, ...]:
        return await self._by_doi(doi, COPY_FIELDS, preprints_of)

    async def cited_by_doi(self, doi: str) -> GraphWork:
        return await self._by_doi(doi, GRAPH_FIELDS, read_graph_work)

    async def cited_by_id(self, work_id: str) -> GraphWork:
        """The work with this id, or the one it was merged into, under the latter's id."""
        return await self._fetch(work_id, GRAPH_FIELDS, read_graph_work)

    async def search_works(self, query: WorkQuery) -> IndexResults:
        """Supports every filter."""
        params = search_params(query, this_year=self._this_year())
        records, total = await self.searches.search(
            "/works", params | self._caller(), read=read_first_page
        )
        return IndexResults(records=records[: query.limit], total=total)

    async def describe_works(self, dois: tuple[str, ...]) -> RecordsByDoi:
        requested = [doi for doi in dois[:BATCH] if self.info.can_ask(doi)]
        if not requested:
            return {}
        params = {
            "filter": f"doi:{'|'.join(requested)}",
            "per-page": _MOST_RESULTS,
            "select": LISTED,
        }
        records, _ = await self.searches.search("/works", params | self._caller(), read=read_list)
        return by_doi(records, requested)

    async def find_titles(self, titles: tuple[str, ...]) -> IndexResults:
        params = {
            "filter": f"title.search:{any_title(titles)}",
            "per-page": _MOST_RESULTS,
            "select": LISTED,
        }
        records, total = await self.searches.search(
            "/works", params | self._caller(), read=read_first_page
        )
        return IndexResults(records=records, total=total)

    async def list_citing(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage:
        """List citing works, the most cited first."""
        work_id = work.index_id or await self._fetch(name_of(work), "id", read_id)
        params = {
            "filter": f"cites:{work_id}",
            "sort": "cited_by_count:desc",
            "per-page": str(limit),
            "cursor": cursor or "*",
            "select": LISTED,
        }
        return await self.searches.search("/works", params | self._caller(), read=read_citing)

    async def list_cited(
        self, work: WorkIds, *, limit: int, cursor: str | None = None
    ) -> CitationPage:
        """List references in the order of the work; the cursor is the number of references before the page."""
        cited = await self._fetch(name_of(work), GRAPH_FIELDS, read_graph_work)
        start = offset_of(cursor)
        ids = cited.references[start : start + min(limit, BATCH)]
        end = start + len(ids)
        more = str(end) if end < len(cited.references) else None
        return CitationPage(
            citations=await self._cited_works(ids) if ids else (),
            total=len(cited.references),
            next_cursor=more,
        )

    async def _cited_works(self, ids: tuple[str, ...]) -> tuple[Citation, ...]:
        params = {
            "filter": f"openalex_id:{'|'.join(ids)}",
            "per-page": _MOST_RESULTS,
            "select": LISTED,
        }
        records, _ = await self.searches.search("/works", params | self._caller(), read=read_list)
        return tuple(Citation(record=record) for record in in_order(records, ids))

    async def _by_doi(self, doi: str, fields: str, read: Callable[[Record], T]) -> T:
        return await self._fetch(
            f"doi:{doi}", fields, lambda a: read(require_record_about(a, doi, a["doi"]))
        )

    async def _fetch(self, name: str, fields: str, read: Callable[[Record], T]) -> T:
        path, params = f"/works/{quote(name, safe=':')}", {"select": fields}
        absent = own_404(lambda body: bool(_ABSENT.match(body)))
        return await self.upstream.lookup(path, params | self._caller(), read=read, absent=absent)

    def _caller(self) -> dict[str, str]:
        return {k: self.options[k] for k in ("mailto", "api_key") if self.options.get(k)}

    def _this_year(self) -> int:
        return datetime.fromtimestamp(self.upstream.now(), UTC).year
