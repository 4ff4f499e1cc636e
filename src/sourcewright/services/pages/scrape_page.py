"""Use case of `scrape_page`: reads a page, and checks it for notices."""

from dataclasses import dataclass

from sourcewright.base.calls import time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import Denied, UpstreamError
from sourcewright.base.formats.codec import JsonCodec
from sourcewright.base.notices import most_serious_notice
from sourcewright.base.pages import FetchedDocument
from sourcewright.base.works import Notice
from sourcewright.domain.calls import note_outcome, note_source
from sourcewright.domain.capabilities import FindsNotices
from sourcewright.domain.sources.classification import source_type
from sourcewright.domain.sources.detected_doi import detected_doi
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.domain.web.lenses import KnowsLenses, KnowsReputations
from sourcewright.services.artifacts import Artifacts
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.pages.attempts import PageRead
from sourcewright.services.pages.reader import PageReader
from sourcewright.services.providers import Sources

SCRAPER = "scrape_page"
"""The name under which research sessions count pages that were read."""

_NOTICE_SECONDS = 10.0
"""How long a page that was read waits for the lookup of retraction notices."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CachedNotices:
    """The retraction and correction notices about a DOI, as cached."""

    notices: tuple[Notice, ...]


_NOTICES = Operation(
    name="crossref.notices",
    version=1,
    ttl_seconds=3600.0,
    codec=JsonCodec(CachedNotices),
    keep=lambda _: True,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Cache key of notices; the class name is part of the key."""

    doi: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageNotice:
    """The DOI that a page declares, and the notice about that paper."""

    doi: str | None = None
    notice: Notice | None = None
    """The most serious notice; None if none is known."""
    unchecked: bool = False
    """Whether the lookup of notices failed or was impossible."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScrapedPage:
    """A page that was read, with notices."""

    read: Cached[PageRead]
    notice: PageNotice


@dataclass(frozen=True, slots=True, kw_only=True)
class Scraper:
    """Reads pages for tools."""

    reader: PageReader
    artifacts: Artifacts
    lenses: KnowsLenses
    reputations: KnowsReputations
    sources: Sources
    cache: OperationCache
    clock: Clock
    link_bytes: int
    """Raw bodies of at least this size are stored as artifacts."""

    async def scrape(self, url: str) -> ScrapedPage:
        """Read a page.

        Raises:
            NoSourceAnswered: It could not be read.
        """
        read = await self.reader.read(url)
        notice = await self.notice(url, read.value)
        note_source(page_source(url, read.value, notice))
        note_outcome(SCRAPER, url=url)
        return ScrapedPage(read=read, notice=notice)

    async def notice(self, url: str, read: PageRead) -> PageNotice:
        """Detect the DOI of a page, and look up the most serious notice about that paper."""
        doi = detected_doi(url, read.reading) or detected_doi(read.url, read.reading)
        return await self._check_notices(doi) if doi else PageNotice()

    async def raw(self, url: str) -> Cached[FetchedDocument]:
        """Return the raw response of a URL.

        Raises:
            NoSourceAnswered: It could not be fetched.
        """
        visited = await self.reader.visit(url)
        note_source(SessionSource(url=url, tag="scraped", source_type=source_type(url, None)))
        note_outcome(SCRAPER, url=url)
        return visited

    async def _check_notices(self, doi: str) -> PageNotice:
        """Look up notices at Crossref; `unchecked` if it does not respond."""
        unchecked = PageNotice(doi=doi, unchecked=True)
        crossref = self.sources.having(FindsNotices).get("crossref")
        if crossref is None:
            return unchecked
        try:
            with time_limit(_NOTICE_SECONDS, self.clock):
                cached_notices = await self.cache.through(
                    _NOTICES, Question(doi=doi), lambda: _find_notices(crossref, doi)
                )
        except (UpstreamError, Denied):
            return unchecked
        return PageNotice(doi=doi, notice=most_serious_notice(cached_notices.value.notices))


def page_source(url: str, read: PageRead, notice: PageNotice) -> SessionSource:
    """A page that was read, as a source of the research session."""
    reading = read.reading
    return SessionSource(
        url=url,
        title=reading.title or "",
        tag="scraped",
        author=reading.author,
        organisations=reading.organisations,
        date=reading.published,
        doi=notice.doi,
        language=reading.language,
        source_type=source_type(url, reading.embedded),
        notice=notice.notice,
    )


async def _find_notices(source: FindsNotices, doi: str) -> CachedNotices:
    return CachedNotices(notices=await source.find_notices(doi))
