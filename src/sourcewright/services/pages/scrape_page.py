"""Use case of `scrape_page`: reads a page, checks it for notices, links it to the session."""

from dataclasses import dataclass

from sourcewright.domain.calls import time_limit
from sourcewright.domain.capabilities import FindsNotices
from sourcewright.domain.errors import Denied, UpstreamError
from sourcewright.domain.lenses import KnowsReputations
from sourcewright.domain.pages import FetchedDocument
from sourcewright.domain.ports import Clock, SessionSink
from sourcewright.domain.works import Notice
from sourcewright.logic.formats.codec import JsonCodec
from sourcewright.logic.papers.notices import most_serious_notice
from sourcewright.logic.sources.detected_doi import detected_doi
from sourcewright.services.artifacts import Artifacts
from sourcewright.services.cache import Cached, Operation, OperationCache
from sourcewright.services.pages.attempts import PageRead
from sourcewright.services.pages.reader import PageReader
from sourcewright.services.providers import Sources

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
    """A page that was read, with notices and session link."""

    read: Cached[PageRead]
    noted: PageNotice
    session_known: bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Scraper:
    """Reads pages for tools."""

    reader: PageReader
    artifacts: Artifacts
    reputations: KnowsReputations
    sessions: SessionSink
    sources: Sources
    cache: OperationCache
    clock: Clock
    link_bytes: int
    """Raw bodies of at least this size are stored as artifacts."""

    async def scrape(self, url: str, session_id: str | None) -> ScrapedPage:
        """Read a page.

        Raises:
            NoSourceAnswered: It could not be read.
        """
        read = await self.reader.read(url)
        return ScrapedPage(
            read=read,
            noted=await self.noted(url, read.value),
            session_known=await self._link(session_id, url),
        )

    async def noted(self, url: str, read: PageRead) -> PageNotice:
        """Detect the DOI of a page, and look up the most serious notice about that paper."""
        doi = detected_doi(url, read.reading) or detected_doi(read.url, read.reading)
        return await self._check_notices(doi) if doi else PageNotice()

    async def raw(
        self, url: str, session_id: str | None
    ) -> tuple[Cached[FetchedDocument], bool | None]:
        """Return the raw response of a URL.

        Raises:
            NoSourceAnswered: It could not be fetched.
        """
        return await self.reader.visit(url), await self._link(session_id, url)

    async def _link(self, session_id: str | None, url: str) -> bool | None:
        if session_id is None:
            return None
        return await self.sessions.link(session_id, tool="scrape_page", urls=[url])

    async def _check_notices(self, doi: str) -> PageNotice:
        """Look up notices at Crossref; `unchecked` if it does not respond."""
        unchecked = PageNotice(doi=doi, unchecked=True)
        crossref = self.sources.able(FindsNotices).get("crossref")
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


async def _find_notices(source: FindsNotices, doi: str) -> CachedNotices:
    return CachedNotices(notices=await source.find_notices(doi))
