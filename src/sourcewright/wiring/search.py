"""Wiring of the search services."""

from sourcewright import manifest, providers
from sourcewright.domain.ports import NoSessions
from sourcewright.services.providers import Sources
from sourcewright.services.search.engines import Engines, Routing
from sourcewright.services.search.fallback import FallbackSearch
from sourcewright.services.search.web_search import WebSearch
from sourcewright.settings import Settings
from sourcewright.stores.catalogues.lenses import load_lenses
from sourcewright.stores.catalogues.reputation import load_reputations
from sourcewright.wiring import parts
from sourcewright.wiring.parts import SharedParts


def looker(settings: Settings, services: SharedParts) -> WebSearch:
    kinds = providers.load(manifest.providers("search")).values()
    engines = Engines(
        Sources(parts.source(kind, settings, services.network) for kind in kinds),
        Routing(
            orders=settings.search_routing,
            preferred=settings.search_provider,
            together=settings.search_fusion,
        ),
        services.network.health,
    )
    return WebSearch(
        searcher=FallbackSearch(engines, services.cache, services.clock),
        lenses=load_lenses(settings.custom_lenses_path),
        reputations=load_reputations(settings.reputation_path),
        sessions=NoSessions(),
        clock=services.clock,
    )
