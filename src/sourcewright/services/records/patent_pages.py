"""Pages of Google Patents, found by a web search engine; needs no API key."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol

from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import NotConfigured, ResearchError, UpstreamError
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.capabilities import DescribesPatents
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.records.patent_filters import fits
from sourcewright.domain.records.patent_numbers import parse_patent_number, patent_page
from sourcewright.domain.records.patents import Patent, PatentQuery, PatentResults
from sourcewright.domain.web.hits import WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.services.records.sources import DAY, RecordKind, RecordSources

WEB_DISCOVERY, PATENT_PAGES = "web_discovery", "google_patents"
_SITE = "patents.google.com"
_MOST_PAGES = 10
_NO_SUCH_PAGE = frozenset({404, 410})
_PATENT = RecordKind(
    name="patent", codec=JsonCodec(Patent), keep=lambda _patent: True, ttl_seconds=DAY
)


class PageHits(Protocol):
    """The pages that a web search found."""

    @property
    def hits(self) -> tuple[Any, ...]: ...
    @property
    def failures(self) -> Mapping[str, ResearchError]: ...
    @property
    def doubt(self) -> NoSourceAnswered | None: ...


class SearchesPages(Protocol):
    """Searches the web with one engine, or with several in turn."""

    async def search(self, query: Query, provider: str | None = None) -> PageHits: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PatentPages:
    """Finds and reads public pages of patents."""

    records: RecordSources
    searcher: SearchesPages
    engines: tuple[str, ...]
    """The names of all web search engines, configured or not."""

    async def read(self, number: str, failures: dict[str, ResearchError]) -> Patent | None:
        """Read the page of one publication; None if there is none, or with the error noted.

        That there is no page does not mean that there is no such publication.
        """
        name, reader = self.records.choose(DescribesPatents, None)
        key = {"number": number}
        try:
            answer = await self.records.ask(
                name, _PATENT, key, lambda: reader.describe_patent(number)
            )
        except UpstreamError as error:
            if error.status not in _NO_SUCH_PAGE:
                failures[PATENT_PAGES] = error
            return None
        return answer.value

    async def search(
        self,
        query: PatentQuery,
        engine: str | None,
        failures: dict[str, ResearchError],
        web_failures: dict[str, ResearchError],
    ) -> PatentResults | None:
        """Search the web for pages of patents; None if the engines that can know did not answer.

        Raises:
            NotConfigured: The requested engine is unusable.
        """
        words = (query.number or query.text, query.assignee, query.inventor, query.cpc)
        web_query = Query(
            kind="web",
            text=" ".join(filter(None, words)),
            limit=min(max(query.limit, _MOST_PAGES), 2 * _MOST_PAGES),
            sites=(_SITE,),
        )
        try:
            searched = await self.searcher.search(web_query, engine)
        except NotConfigured:
            if engine is not None:
                raise
            return None
        except NoSourceAnswered as error:
            web_failures |= {
                one.source: one.error or error.decisive for one in error.attempts if one.consulted
            }
            return None
        web_failures |= searched.failures
        hits = list(_by_number(searched.hits).items())[:_MOST_PAGES]
        if searched.doubt is not None and not hits:
            return None
        described = [self._described(number, hit, failures) for number, hit in hits]
        patents = await run_concurrently(described) if described else []
        ignored = tuple(name for name in ("cpc",) if getattr(query, name))
        return PatentResults(
            patents=tuple(one for one in patents if fits(one, query)), ignored=ignored
        )

    async def _described(
        self, number: str, hit: WebHit, failures: dict[str, ResearchError]
    ) -> Patent:
        """The patent on a page; if the page cannot be read, the search engine's data."""
        patent = await self.read(number, failures)
        if patent is None:
            title = hit.title.partition(" - ")[2] or hit.title
            return Patent(
                number=number,
                title=title.removesuffix(" - Google Patents"),
                url=patent_page(number),
                abstract=hit.snippet or None,
            )
        return replace(patent, abstract=patent.abstract or hit.snippet or None)


def _by_number(hits: tuple[WebHit, ...]) -> dict[str, WebHit]:
    """The hits that are patent publications, without duplicates, by number."""
    hit_by_number: dict[str, WebHit] = {}
    for hit in hits:
        number = parse_patent_number(hit.url)
        if number is not None:
            hit_by_number.setdefault(str(number), hit)
    return hit_by_number
