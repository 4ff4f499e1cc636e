"""The reading tools' services."""

import asyncio
from collections.abc import Mapping

from sourcewright import manifest, providers
from sourcewright.domain.capabilities import ReadsSites, RelaysPages
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
    hosts = settings.allowed_domains or None
    reader = PageReader(
        visitor=Visitor(services.network, hosts=hosts),
        documents=services.documents,
        sites=_sources(manifest.providers("reading"), settings, services).able(ReadsSites),
        relays=_relays(settings, services),
        hosts=hosts,
        cache=services.cache,
        clock=services.clock,
        renderer=services.browser,
        room=asyncio.Semaphore(settings.scrape_concurrency),
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


def _relays(settings: Settings, services: Parts) -> Mapping[str, RelaysPages]:
    """Exa, where there is a key for it and the operator did not say no."""
    names = ["exa"] if settings.exa_reader else []
    return _sources(names, settings, services).able(RelaysPages)


def _sources(names: list[str], settings: Settings, services: Parts) -> Sources:
    kinds = providers.load(names).values()
    return Sources(parts.source(kind, settings, services.network) for kind in kinds)
