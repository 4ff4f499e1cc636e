"""Pages of Google Patents, found by a web search engine; needs no API key."""

from dataclasses import dataclass, replace
from typing import Any, Protocol

from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import NotConfigured, NotFound, ResearchError, UpstreamError
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.capabilities import DescribesPatents
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.records.patent_filters import fits
from sourcewright.domain.records.patent_numbers import parse_patent_number, patent_page
from sourcewright.domain.records.patents import Patent, PatentQuery, PatentResults
from sourcewright.domain.web.hits import WebHit
from sourcewright.domain.web.queries import Query
from sourcewright.services.records.sources import DAY, RecordKind, RecordSources

WEB_DISCOVERY = "web_discovery"
_SITE = "patents.google.com"
_MOST_PAGES = 10
_PATENT = RecordKind(
    name="patent", codec=JsonCodec(Patent), keep=lambda _patent: True, ttl_seconds=DAY
)


class PageHits(Protocol):
    """The pages that a web search found."""

    @property
    def hits(self) -> tuple[Any, ...]: ...


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

    async def read(self, number: str) -> Patent:
        """Read the page of one publication.

        Raises:
            UpstreamError: The page could not be read, or there is none.
        """
        name, reader = self.records.choose(DescribesPatents, None)
        key = {"number": number}
        answer = await self.records.ask(name, _PATENT, key, lambda: reader.describe_patent(number))
        return answer.value

    async def search(
        self, query: PatentQuery, engine: str | None, failures: dict[str, ResearchError]
    ) -> PatentResults | None:
        """Search the web for pages of patents; None if no engine answered.

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
            failures |= {
                one.source: one.error or error.decisive for one in error.attempts if one.consulted
            }
            return None
        hits = _by_number(searched.hits)
        patents = (
            await run_concurrently(
                [self._described(number, hit) for number, hit in list(hits.items())[:_MOST_PAGES]]
            )
            if hits
            else []
        )
        ignored = tuple(name for name in ("cpc",) if getattr(query, name))
        return PatentResults(
            patents=tuple(one for one in patents if fits(one, query)), ignored=ignored
        )

    async def _described(self, number: str, hit: WebHit) -> Patent:
        """The patent on a page; if the page cannot be read, the search engine's data."""
        try:
            patent = await self.read(number)
        except (UpstreamError, NotFound):
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
