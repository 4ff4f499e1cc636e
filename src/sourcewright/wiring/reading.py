"""Wiring of the page-reading services."""

from collections.abc import Mapping

from sourcewright import manifest, providers
from sourcewright.domain.capabilities import ReadsSites, RelaysPages
from sourcewright.domain.ports import NoSessions
from sourcewright.providers._building import build_provider
from sourcewright.services.pages.reader import PageReader
from sourcewright.services.pages.room import PageSlots
from sourcewright.services.pages.scrape_page import Scraper
from sourcewright.services.pages.site_readers import DisabledSiteReader
from sourcewright.services.providers import Sources
from sourcewright.settings import Settings
from sourcewright.stores.catalogues.reputation import load_reputations
from sourcewright.wiring import parts
from sourcewright.wiring.parts import SharedParts


def scraper(settings: Settings, services: SharedParts) -> Scraper:
    hosts = settings.allowed_domains or None
    reader = PageReader(
        visitor=parts.visitor(settings, services.network),
        documents=services.documents,
        sites=_sites(settings, services),
        relays=_relays(settings, services),
        hosts=hosts,
        cache=services.cache,
        clock=services.clock,
        renderer=services.browser,
        room=PageSlots(settings.scrape_concurrency),
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


def site_readers(settings: Settings, services: SharedParts) -> Sources:
    """Build the site-specific readers, enabled or not."""
    return _sources(manifest.providers("reading"), settings, services)


def _sites(settings: Settings, services: SharedParts) -> Mapping[str, ReadsSites]:
    """Return the usable site readers; a disabled one is replaced by one that says how to enable it."""
    readers = site_readers(settings, services)
    sites = readers.able(ReadsSites)
    off = {one.name: one.switch for one in readers if one.switch and not one.enabled}
    for name, kind in providers.load(list(off)).items():
        site = build_provider(kind, services.network, {})
        if isinstance(site, ReadsSites):
            sites[name] = DisabledSiteReader(site, off[name])
    return sites


def _relays(settings: Settings, services: SharedParts) -> Mapping[str, RelaysPages]:
    """Return Exa as a relay, if it has an API key and the operator did not disable it."""
    names = ["exa"] if settings.exa_reader else []
    return _sources(names, settings, services).able(RelaysPages)


def _sources(names: list[str], settings: Settings, services: SharedParts) -> Sources:
    kinds = providers.load(names).values()
    return Sources(parts.source(kind, settings, services.network) for kind in kinds)
