"""The reading tools' services."""

from sourcewright import manifest, providers
from sourcewright.domain.capabilities import ReadsSites
from sourcewright.domain.ports import NoSessions
from sourcewright.net.browsing import Visitor
from sourcewright.services.reading import PageReader
from sourcewright.services.scraping import Scraper
from sourcewright.services.sources import Sources
from sourcewright.settings import Settings
from sourcewright.stores.reputation import load_reputations
from sourcewright.wiring import parts
from sourcewright.wiring.parts import Parts


def scraper(settings: Settings, services: Parts) -> Scraper:
    kinds = providers.load(manifest.providers("reading")).values()
    sites = Sources(parts.source(kind, settings, services.network) for kind in kinds)
    reader = PageReader(
        visitor=Visitor(services.network, hosts=settings.allowed_domains or None),
        documents=services.documents,
        sites=sites.able(ReadsSites),
        cache=services.cache,
    )
    return Scraper(
        reader=reader,
        artifacts=services.artifacts,
        reputations=load_reputations(settings.reputation_path),
        sessions=NoSessions(),
        sources=services.sources,
        cache=services.cache,
        clock=services.clock,
        link_bytes=settings.link_bytes,
    )
