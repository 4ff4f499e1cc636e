"""Web search for papers, restricted to the sites of publishers and repositories."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from sourcewright.base.errors import InvalidInput, NotConfigured, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi, Pmcid, Pmid, parse_reference
from sourcewright.base.urls.canonical import is_on_site
from sourcewright.base.works import Copy, WorkRecord
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.papers.records import is_pdf_url
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.domain.scholar.merge import MergedWork, merge_group
from sourcewright.domain.web.hits import WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.services.scholar.filters import SITE_POOL, SITES
from sourcewright.services.search.fallback import SearchResults
from sourcewright.services.search.web_search import SearchOptions, WebSearch

_NOT_FOR_WEB = ("year_from", "year_to", "open_access", "sort_by")
"""Filters that a search engine does not support."""
_ARXIV_PDFS = "arxiv.org/pdf"


@dataclass(frozen=True, slots=True, kw_only=True)
class PaperPages:
    """Pages of papers that a search engine found."""

    works: tuple[MergedWork, ...]
    snippets: Mapping[str, str]
    """The engine's excerpt of each page, by URL."""
    used: tuple[str, ...]
    attempted: tuple[str, ...]
    ignored: Mapping[str, tuple[str, ...]]
    doubt: NoSourceAnswered | None = None
    """The failure of the engines that can know, if only others found these pages."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WebFallback:
    """Finds pages of papers."""

    web_search: WebSearch

    async def search(
        self,
        query: WorkQuery,
        engine: str | None,
        lens: str | None,
        failures: dict[str, ResearchError],
    ) -> PaperPages | None:
        """Search the sites of papers, or those of a lens.

        Returns None if no engine answered; the errors are then in `failures`.

        Raises:
            InvalidInput: There is no such lens.
            NotConfigured: The requested engine is unusable.
        """
        try:
            results = await self._results(query, engine, lens)
        except NotConfigured:
            if engine is not None:
                raise
            return None
        except NoSourceAnswered as error:
            failures |= {
                one.source: one.error or error.decisive for one in error.attempts if one.consulted
            }
            return None
        failures |= results.failures
        unused = (*_NOT_FOR_WEB, "source") if lens else _NOT_FOR_WEB
        ignored = tuple(name for name in query.filters() if name in unused)
        records = [_record(hit, results.used[0]) for hit in results.hits]
        return PaperPages(
            works=tuple(map(_work, records)),
            snippets={hit.url: hit.snippet for hit in results.hits if hit.snippet},
            used=results.used,
            attempted=results.attempted,
            ignored={name: ignored for name in results.used if ignored},
            doubt=results.doubt,
        )

    async def _results(
        self, query: WorkQuery, engine: str | None, lens: str | None
    ) -> SearchResults:
        sites = (SITES[query.source],) if query.source else SITE_POOL
        pages_query = Query(kind="web", text=query.text, limit=query.limit, sites=sites)
        if lens is None:
            return await self.web_search.searcher.search(pages_query, engine)
        # The works are recorded in the research session, not the hits.
        options = SearchOptions(lens=lens, provider=engine, notes_sources=False)
        return (await self.web_search.search(pages_query, options)).results


def _record(hit: WebHit, engine: str) -> WorkRecord:
    """The record of a page, with the identifier in its URL if there is one."""
    try:
        reference = parse_reference(hit.url)
    except InvalidInput:
        reference = None
    return WorkRecord(
        source=engine,
        title=hit.title,
        url=hit.url,
        doi=reference.value if isinstance(reference, Doi) else None,
        arxiv_id=reference.value if isinstance(reference, ArxivId) else None,
        pmid=reference.value if isinstance(reference, Pmid) else None,
        pmcid=reference.value if isinstance(reference, Pmcid) else None,
        published=hit.published,
        copies=(Copy(url=hit.url, source=engine, is_pdf=True),) if _is_pdf(hit.url) else (),
    )


def _work(record: WorkRecord) -> MergedWork:
    """The work on a page. It is unknown whether its PDF is free to read."""
    work = merge_group([record])
    return replace(work, record=replace(work.record, open_access=None))


def _is_pdf(url: str) -> bool:
    """Whether the URL looks like that of a PDF."""
    return is_pdf_url(url) or is_on_site(url, [_ARXIV_PDFS])
