"""The paper tools' services."""

import hashlib

from sourcewright.logic.allowing import TRANSPARENT, oa_publisher_hosts
from sourcewright.net.files import OpenCopies
from sourcewright.services.fetching import Fetcher
from sourcewright.services.graphing import Grapher
from sourcewright.services.locating import Locator
from sourcewright.services.papers import Papers
from sourcewright.services.planning import Planner
from sourcewright.services.repeating import Repeats
from sourcewright.settings import Settings
from sourcewright.settings.process import own_config_path
from sourcewright.stores.chain import timestamp
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
        grapher=Grapher(services.sources, services.recorder, services.has),
        repeats=Repeats(services.clock, _config_fingerprint),
        recorder=services.recorder,
        sources=services.sources,
    )


def _config_fingerprint() -> str:
    """Changes when the config file does."""
    path = own_config_path()
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
