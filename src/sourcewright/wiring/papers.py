"""Wiring of the services on papers."""

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING

from sourcewright.base.identifiers import Doi
from sourcewright.settings.process import own_config_path
from sourcewright.wiring.library import LibraryWiring
from sourcewright.wiring.parts import SharedParts

if TYPE_CHECKING:
    # Imported for type checking only; each service is imported where it is built.
    from sourcewright.base.notices import Integrity
    from sourcewright.domain.capabilities import DeliversPapers
    from sourcewright.services.artifacts import Artifacts
    from sourcewright.services.papers.doiget_tools import PaperService
    from sourcewright.services.papers.notice_check import NoticeCheck
    from sourcewright.services.papers.paper_tools import DownloadService
    from sourcewright.services.papers.resolution import Resolver
    from sourcewright.services.providers import Sources


class PaperWiring:
    """Builds each service on first use."""

    def __init__(self, parts: SharedParts, library: LibraryWiring) -> None:
        self._parts = parts
        self.library = library

    @cached_property
    def sources(self) -> "Sources":
        """The sources of papers, configured or not."""
        return self._parts.sources_in("papers")

    @property
    def artifacts(self) -> "Artifacts":
        return self._parts.artifacts

    @cached_property
    def mirrors(self) -> "tuple[DeliversPapers, ...]":
        """Mirrors that the operator configured on their own responsibility; download tools only."""
        from sourcewright.providers._factory import build_provider_per_url
        from sourcewright.providers.scihub import SciHub

        options = self._parts.settings.provider_options[SciHub.info.name]
        if not options["agreed"]:
            return ()
        return build_provider_per_url(SciHub, self._parts.network, options, "mirrors")

    @cached_property
    def resolver(self) -> "Resolver":
        from sourcewright.services.papers.resolution import Resolver

        parts = self._parts
        return Resolver(self.sources, parts.recorder, parts.listed_notices, parts.timestamp)

    @cached_property
    def notices(self) -> "NoticeCheck":
        from sourcewright.services.papers.notice_check import NoticeCheck

        return NoticeCheck(
            resolver=self.resolver,
            library=self.library.catalogue,
            recorder=self._parts.recorder,
            clock=self._parts.clock,
        )

    @cached_property
    def doiget(self) -> "PaperService":
        """The service behind the `doiget_*` tools."""
        from sourcewright.base.urls.allowlists import RESOLVER_HOSTS, oa_publisher_hosts
        from sourcewright.net.fetch.files import OpenCopies
        from sourcewright.services.papers.citation_graph import CitationGraphBuilder
        from sourcewright.services.papers.copies import CopyFinder
        from sourcewright.services.papers.doiget_tools import (
            DryRunPlanner,
            PaperService,
            RepeatedErrors,
        )
        from sourcewright.services.papers.fetch import Fetcher

        parts, settings = self._parts, self._parts.settings
        hosts = oa_publisher_hosts(
            settings.additional_hosts,
            trust_academic=settings.trust_academic_repos,
            trust_registries=settings.trust_oa_registries,
        )
        copies = OpenCopies(parts.network, hosts=hosts, passing=RESOLVER_HOSTS)
        return PaperService(
            fetcher=Fetcher(
                resolver=self.resolver,
                locator=CopyFinder(self.sources, copies, parts.pdf_reader),
                library=self.library.catalogue,
                notices=self.notices,
                recorder=parts.recorder,
                now=parts.timestamp,
            ),
            planner=DryRunPlanner(
                sources=self.sources,
                store_root=settings.store_root,
                open_hosts=hosts,
                passing_hosts=RESOLVER_HOSTS,
                arxiv_hosts=self.sources.hosts_of("arxiv"),
            ),
            grapher=CitationGraphBuilder(self.sources, parts.recorder, self._stored_integrity),
            repeats=RepeatedErrors(parts.clock, _config_fingerprint),
            recorder=parts.recorder,
            sources=self.sources,
        )

    @cached_property
    def downloads(self) -> "DownloadService":
        """The service behind the `paper_*` tools."""
        from sourcewright.net.fetch.files import OpenCopies
        from sourcewright.net.fetch.pages import OpenPages
        from sourcewright.services.papers.copies import CopyFinder
        from sourcewright.services.papers.description import Describer
        from sourcewright.services.papers.download import Downloader, RecordCache
        from sourcewright.services.papers.paper_tools import PAUSE_SECONDS, DownloadService
        from sourcewright.stores.downloads.deposit import DownloadFolders
        from sourcewright.stores.downloads.leftovers import remove_abandoned_in

        parts, settings = self._parts, self._parts.settings
        remove_abandoned_in(settings.download_dir)
        # No allowlist: the SSRF guard limits what is reached, the file check what is kept.
        copies = OpenCopies(parts.network, hosts=None)
        return DownloadService(
            downloader=Downloader(
                resolver=self.resolver,
                locator=CopyFinder(self.sources, copies, parts.pdf_reader),
                mirrors=self.mirrors,
                years=RecordCache(self.resolver, parts.clock),
                reader=parts.pdf_reader,
                recorder=parts.recorder,
            ),
            describer=Describer(self.resolver, parts.recorder),
            notices=self.notices,
            folders=DownloadFolders(
                cwd=settings.cwd,
                home=settings.home,
                allowed=settings.paper_allowed_dirs,
                default=settings.download_dir,
            ),
            recorder=parts.recorder,
            sources=self.sources,
            pages=OpenPages(parts.network, hosts=settings.allowed_domains or None),
            clock=parts.clock,
            setup_problem=settings.download_problem,
            has_mirrors=bool(self.mirrors),
            pause_seconds=PAUSE_SECONDS if settings.sandbox_pace else 0.0,
        )

    async def _stored_integrity(self, doi: str) -> "Integrity | None":
        """Return the stored retraction status of a paper; None if it is not in the library."""
        catalogue = self.library.catalogue
        entry = await catalogue.find(Doi(doi))
        return catalogue.integrity_of(entry.holding) if entry else None


def _config_fingerprint() -> str:
    """Return a hash of the config file; empty without one."""
    path = own_config_path()
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
