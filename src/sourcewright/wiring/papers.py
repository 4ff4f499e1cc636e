"""Wiring of the `doiget_*` services."""

import hashlib

from sourcewright.logic.urls.allowlists import RESOLVER_HOSTS, oa_publisher_hosts
from sourcewright.net.files import OpenCopies
from sourcewright.services.papers.citation_graph import CitationGraphBuilder
from sourcewright.services.papers.copies import CopyFinder
from sourcewright.services.papers.doiget_tools import DryRunPlanner, PaperService, RepeatedErrors
from sourcewright.services.papers.fetch import Fetcher
from sourcewright.settings import Settings
from sourcewright.settings.process import own_config_path
from sourcewright.stores.logs.chain import timestamp
from sourcewright.wiring.parts import SharedParts


def papers(settings: Settings, services: SharedParts) -> PaperService:
    hosts = oa_publisher_hosts(
        settings.additional_hosts,
        trust_academic=settings.trust_academic_repos,
        trust_registries=settings.trust_oa_registries,
    )
    copies = OpenCopies(services.network, hosts=hosts, passing=RESOLVER_HOSTS)
    return PaperService(
        fetcher=Fetcher(
            resolver=services.resolver,
            locator=CopyFinder(services.sources, copies, services.reader),
            keeper=services.keeper,
            notices=services.notice_check,
            recorder=services.recorder,
            now=lambda: timestamp(services.clock.now()),
        ),
        planner=DryRunPlanner(
            sources=services.sources,
            store_root=settings.store_root,
            open_hosts=hosts,
            passing_hosts=RESOLVER_HOSTS,
            arxiv_hosts=services.sources.hosts_of("arxiv"),
        ),
        grapher=CitationGraphBuilder(services.sources, services.recorder, services.recall),
        repeats=RepeatedErrors(services.clock, _config_fingerprint),
        recorder=services.recorder,
        sources=services.sources,
    )


def _config_fingerprint() -> str:
    """Return a hash of the config file; empty without one."""
    path = own_config_path()
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
