"""Wiring of the `paper_*` services."""

from sourcewright.net.files import OpenCopies
from sourcewright.net.pages import OpenPages
from sourcewright.services.papers.copies import CopyFinder
from sourcewright.services.papers.description import Describer
from sourcewright.services.papers.download import Downloader, RecordCache
from sourcewright.services.papers.paper_tools import PAUSE_SECONDS, DownloadService
from sourcewright.settings import Settings
from sourcewright.stores.downloads.deposit import DownloadFolders
from sourcewright.stores.downloads.leftovers import remove_abandoned_in
from sourcewright.wiring.parts import SharedParts


def downloads(settings: Settings, services: SharedParts) -> DownloadService:
    remove_abandoned_in(settings.download_dir)
    # No allowlist: the SSRF guard limits what is reached, the file check what is kept.
    copies = OpenCopies(services.network, hosts=None)
    return DownloadService(
        downloader=Downloader(
            resolver=services.resolver,
            locator=CopyFinder(services.sources, copies, services.reader),
            mirrors=services.mirrors,
            years=RecordCache(services.resolver, services.clock),
            reader=services.reader,
            recorder=services.recorder,
        ),
        describer=Describer(services.resolver, services.recorder),
        folders=DownloadFolders(
            cwd=settings.cwd,
            home=settings.home,
            allowed=settings.paper_allowed_dirs,
            default=settings.download_dir,
        ),
        recorder=services.recorder,
        sources=services.sources,
        pages=OpenPages(services.network, hosts=settings.allowed_domains or None),
        clock=services.clock,
        setup_problem=settings.download_problem,
        has_mirrors=bool(services.mirrors),
        pause_seconds=PAUSE_SECONDS if settings.sandbox_pace else 0.0,
    )
