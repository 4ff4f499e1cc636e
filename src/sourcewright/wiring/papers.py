"""Wiring of the `doiget_*` services."""

import hashlib

from sourcewright.logic.urls.allowlists import TRANSPARENT, oa_publisher_hosts
from sourcewright.net.files import OpenCopies
from sourcewright.services.papers.citation_graph import Grapher
from sourcewright.services.papers.copies import Locator
from sourcewright.services.papers.doiget_tools import Papers, Planner, Repeats
from sourcewright.services.papers.fetch import Fetcher
from sourcewright.settings import Settings
from sourcewright.settings.process import own_config_path
from sourcewright.stores.logs.chain import timestamp
from sourcewright.wiring.parts import Parts


def papers(settings: Settings, services: Parts) -> Papers:
    hosts = oa_publisher_hosts(
        settings.additional_hosts,
        trust_academic=settings.trust_academic_repos,
        trust_registries=settings.trust_oa_registries,
    )
    copies = OpenCopies(services.network, hosts=hosts, passing=TRANSPARENT)
    return Papers(
        fetcher=Fetcher(
            resolver=services.resolver,
            locator=Locator(services.sources, copies, services.reader),
            keeper=services.keeper,
            notices=services.notice_check,
            recorder=services.recorder,
            now=lambda: timestamp(services.clock.now()),
        ),
        planner=Planner(
            sources=services.sources,
            store_root=settings.store_root,
            open_hosts=hosts,
            passing_hosts=TRANSPARENT,
            arxiv_hosts=services.sources.hosts_of("arxiv"),
        ),
        grapher=Grapher(services.sources, services.recorder, services.recall),
        repeats=Repeats(services.clock, _config_fingerprint),
        recorder=services.recorder,
        sources=services.sources,
    )


def _config_fingerprint() -> str:
    """Return a hash of the config file; empty without one."""
    path = own_config_path()
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
