"""All services, built and imported on first use."""

from contextlib import AsyncExitStack
from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright import __version__, manifest
from sourcewright.domain.identifiers import Doi
from sourcewright.domain.ports import SystemClock
from sourcewright.services.instance.health import CallStatistics
from sourcewright.settings import Settings
from sourcewright.stores.logs.chain import timestamp
from sourcewright.wiring import parts

if TYPE_CHECKING:
    # Imported for type checking only; each part is imported where it is built.
    from sourcewright.domain.capabilities import DeliversPapers
    from sourcewright.domain.ports import KeyValueStore, RendersPages
    from sourcewright.logic.papers.notices import Integrity
    from sourcewright.net.client import Client
    from sourcewright.net.network import Network
    from sourcewright.readers.documents import DocumentReader
    from sourcewright.readers.first_pages import PdfReader
    from sourcewright.services.artifacts import Artifacts
    from sourcewright.services.cache import OperationCache
    from sourcewright.services.instance.health import InstanceStatus
    from sourcewright.services.instance.resources import Resources
    from sourcewright.services.library.catalogue import Library
    from sourcewright.services.library.curation import LibraryEditor
    from sourcewright.services.library.export import Exporter
    from sourcewright.services.pages.scrape_page import Scraper
    from sourcewright.services.papers.doiget_tools import PaperService
    from sourcewright.services.papers.notice_check import NoticeCheck
    from sourcewright.services.papers.paper_tools import DownloadService
    from sourcewright.services.papers.resolution import Resolver
    from sourcewright.services.providers import Sources
    from sourcewright.services.search.search_and_scrape import SearchAndScrape
    from sourcewright.services.search.web_search import WebSearch
    from sourcewright.stores.papers.store import PaperStore

_CLOSED_LAST_TO_FIRST = (
    "keeper",
    "store",
    "recorder",
    "auditor",
    "reader",
    "documents",
    "browser",
    "client",
    "network",
    "answers",
    "cache",
)

USER_AGENT = f"sourcewright/{__version__}"


class Services:
    """Every part, imported and built on first use, to keep the start fast."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        parts.keep_folders_private(settings)
        self.clock = SystemClock()
        self.recorder = parts.recorder(settings)
        self.auditor = parts.auditor(settings)
        self.observer = CallStatistics()

    @cached_property
    def client(self) -> "Client":
        from sourcewright.net.client import Client

        return Client(
            user_agent=USER_AGENT,
            sandbox_url=self._settings.sandbox_url,
            allowed_origins=self._settings.allowed_origins,
            own_addresses=parts.own_addresses(self._settings),
        )

    @cached_property
    def network(self) -> "Network":
        return parts.network(self._settings, self.client)

    @cached_property
    def sources(self) -> "Sources":
        from sourcewright import providers
        from sourcewright.services.providers import Sources

        kinds = providers.load(manifest.providers("papers")).values()
        return Sources(parts.source(kind, self._settings, self.network) for kind in kinds)

    @cached_property
    def mirrors(self) -> "tuple[DeliversPapers, ...]":
        """Mirrors that the operator configured on their own responsibility; download tools only."""
        from sourcewright.providers._building import build_provider_per_url
        from sourcewright.providers.scihub import SciHub

        options = self._settings.provider_options[SciHub.info.name]
        if not options["agreed"]:
            return ()
        return build_provider_per_url(SciHub, self.network, options, "mirrors")

    @cached_property
    def reader(self) -> "PdfReader":
        from sourcewright.readers.first_pages import PdfReader

        return PdfReader()

    @cached_property
    def store(self) -> "PaperStore":
        from sourcewright.stores.papers.store import PaperStore

        settings = self._settings
        return PaperStore(settings.store_root, clock=self.clock, sandbox=settings.sandbox)

    @cached_property
    def keeper(self) -> "Library":
        return parts.keeper(self._settings, self.store)

    @cached_property
    def curator(self) -> "LibraryEditor":
        from sourcewright.services.library.curation import LibraryEditor

        return LibraryEditor(
            keeper=self.keeper, recorder=self.recorder, reader=self.reader, now=self._now
        )

    @cached_property
    def exporter(self) -> "Exporter":
        from sourcewright.services.library.export import Exporter

        return Exporter(self.keeper)

    @cached_property
    def resolver(self) -> "Resolver":
        from sourcewright.services.papers.resolution import Resolver

        return Resolver(self.sources, self.recorder, self._now)

    @cached_property
    def notice_check(self) -> "NoticeCheck":
        from sourcewright.services.papers.notice_check import NoticeCheck

        return NoticeCheck(
            resolver=self.resolver, keeper=self.keeper, recorder=self.recorder, clock=self.clock
        )

    @cached_property
    def survey(self) -> "InstanceStatus":
        from sourcewright.services.instance.health import InstanceStatus

        return InstanceStatus(
            version=__version__,
            known=lambda: self.sources,
            store_root=self._settings.store_root,
            log_path=self._settings.log_path,
            audit_ok=self.auditor.is_ok,
            audit_path=self._settings.audit_output_path if self._settings.audit_enabled else None,
            audit_synced=self._settings.audit_sync,
            sandbox=self._settings.sandbox,
        )

    @cached_property
    def papers(self) -> "PaperService":
        from sourcewright.wiring.papers import papers

        return papers(self._settings, self)

    @cached_property
    def downloads(self) -> "DownloadService":
        from sourcewright.wiring.downloads import downloads

        return downloads(self._settings, self)

    @cached_property
    def cache(self) -> "OperationCache":
        return parts.cache(self._settings, self.answers, self.clock)

    @cached_property
    def answers(self) -> "KeyValueStore | None":
        return parts.answers(self._settings, self.clock)

    @cached_property
    def looker(self) -> "WebSearch":
        from sourcewright.wiring.search import looker

        return looker(self._settings, self)

    @cached_property
    def documents(self) -> "DocumentReader":
        from sourcewright.readers.documents import DocumentReader

        return DocumentReader()

    @cached_property
    def browser(self) -> "RendersPages":
        from sourcewright.wiring.browser import browser

        return browser(self._settings, self.client)

    @cached_property
    def scraper(self) -> "Scraper":
        from sourcewright.wiring.reading import scraper

        return scraper(self._settings, self)

    @cached_property
    def gatherer(self) -> "SearchAndScrape":
        from sourcewright.services.search.search_and_scrape import SearchAndScrape

        settings = self._settings
        return SearchAndScrape(
            looker=self.looker,
            scraper=self.scraper,
            clock=self.clock,
            recommends=settings.source_recommendations,
            formats=settings.generative_ui,
        )

    @cached_property
    def views(self) -> "Resources":
        from sourcewright.wiring.views import views

        return views(self.looker, self.observer, self.artifacts)

    @cached_property
    def artifacts(self) -> "Artifacts":
        from sourcewright.services.artifacts import Artifacts

        scope = self._settings.sandbox_url or "internet"
        return Artifacts(self.answers, scope=scope, clock=self.clock)

    async def recall(self, doi: str) -> "Integrity | None":
        """Return the stored retraction status of a paper; None if it is not in the library."""
        entry = await self.keeper.find(Doi(doi))
        return self.keeper.integrity_of(entry.holding) if entry else None

    async def aclose(self) -> None:
        """Write what is queued, and close every file and connection that was opened."""
        async with AsyncExitStack() as last_to_first:
            for name in _CLOSED_LAST_TO_FIRST:
                if vars(self).get(name) is not None:
                    last_to_first.push_async_callback(vars(self)[name].aclose)

    def _now(self) -> str:
        return timestamp(self.clock.now())
