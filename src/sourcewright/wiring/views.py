"""Wiring of the MCP resources."""

from typing import Any

from sourcewright.domain.queries import SearchKind
from sourcewright.services.artifacts import Artifacts
from sourcewright.services.instance.health import CallStatistics
from sourcewright.services.instance.resources import Resource, Resources
from sourcewright.services.search.engines import CAPABILITIES, Engines
from sourcewright.services.search.web_search import WebSearch


def views(looker: WebSearch, observer: CallStatistics, artifacts: Artifacts) -> Resources:
    engines = looker.searcher.engines
    return Resources(
        (
            Resource(
                uri="lenses://catalog",
                name="Search Lens Catalog",
                description="Every lens, which is what the argument `lens` of searches may be.",
                look=lambda: _lenses(looker),
                values={"lens": looker.lenses.names},
            ),
            Resource(
                uri="stats://providers",
                name="Configured Providers",
                description="Every search engine that is configured, and what it searches.",
                look=lambda: _providers(engines),
                values={"provider": engines.names},
            ),
            Resource(
                uri="stats://tools",
                name="Tool Statistics",
                description="Calls, times and error rates of each tool since the start.",
                look=lambda: {"tools": observer.tools()},
            ),
            Resource(
                uri="diagnostics://health",
                name="Provider Health",
                description="Which search engines can be asked at present.",
                look=lambda: _health(engines),
                values={"provider": engines.names},
            ),
            Resource(
                uri="diagnostics://errors/recent",
                name="Recent Errors",
                description="The latest failures of tools, newest first.",
                look=lambda: {"errors": observer.errors()},
            ),
        ),
        artifacts,
    )


def _lenses(looker: WebSearch) -> dict[str, Any]:
    lenses = [looker.lenses.get(name) for name in looker.lenses.names()]
    return {
        "lenses": [
            {
                "name": lens.name,
                "description": lens.description,
                "domainCount": len(lens.domains),
                "hasCX": lens.cx is not None,
            }
            for lens in lenses
            if lens
        ]
    }


def _providers(engines: Engines) -> dict[str, Any]:
    return {
        "providers": [
            {"name": source.name, "title": source.info.title, "capabilities": kinds}
            for source in engines.sources()
            if (kinds := _kinds(engines, source.name))
        ]
    }


def _kinds(engines: Engines, name: str) -> list[SearchKind]:
    return [kind for kind in CAPABILITIES if name in engines.able(kind)]


def _health(engines: Engines) -> dict[str, Any]:
    """Return the engines' health; empty without configured routing, as the contract requires."""
    if engines.routing.orders is None:
        return {"providers": [], "status": "healthy"}
    states = engines.health()
    providers = [
        {
            "name": source.name,
            "type": "web",
            "breaker": states.get(source.name, "closed"),
            "available": states.get(source.name) != "open",
        }
        for source in engines.sources()
        if _kinds(engines, source.name)
    ]
    unavailable = sum(not one["available"] for one in providers)
    status = (
        "healthy"
        if not unavailable
        else "unhealthy"
        if unavailable == len(providers)
        else "degraded"
    )
    return {"providers": providers, "status": status}
