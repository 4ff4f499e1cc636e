"""Wiring of the MCP resources."""

from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sourcewright.domain.capabilities import (
    ListsCitedWorks,
    ListsCitingWorks,
    Role,
    SearchesWorks,
)
from sourcewright.domain.papers.index_names import contract_name
from sourcewright.domain.users.sessions import Limits, Owner, SessionListing, SessionStore
from sourcewright.domain.web.lenses import KnowsLenses
from sourcewright.net.rate_ledger import BucketUsage, RateBucket
from sourcewright.services.artifacts import Artifacts
from sourcewright.services.instance.completion import Values
from sourcewright.services.instance.paper_resources import PaperResources
from sourcewright.services.instance.resources import Resource, Resources
from sourcewright.services.instance.statistics import CallStatistics
from sourcewright.services.providers import Source, Sources
from sourcewright.services.search.engines import CAPABILITIES, Engines
from sourcewright.services.search.web_search import WebSearch

_USES: Mapping[str, type] = {
    **{str(kind): capability for kind, capability in CAPABILITIES.items()},
    "academic": SearchesWorks,
    "citations": ListsCitingWorks,
    "references": ListsCitedWorks,
}
_SEARCHES: Mapping[Role, str] = {"search": "web", "scholar": "academic"}
"""The roles that are routed, and the type of their providers."""

RateUsage = Sequence[tuple[RateBucket, BucketUsage | None]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ViewedParts:
    """The parts that the resources report on."""

    web_search: WebSearch
    statistics: Callable[[], CallStatistics]
    """Those of the current tenant."""
    artifacts: Artifacts
    papers: PaperResources
    rate_usage: Callable[[], Awaitable[RateUsage]]
    sessions: SessionStore
    owner: Callable[[], Owner]
    limits: Limits
    sources: Callable[[], Mapping[Role, Sources]]
    """The sources of each role, built on first use."""


def catalogues(web_search: WebSearch) -> Mapping[str, Values]:
    """Return what completes the arguments `lens` and `provider`."""
    return {
        "lens": web_search.lenses.names,
        "provider": web_search.searcher.engines.names,
    }


def views(parts: ViewedParts) -> Resources:
    return Resources(
        (*_statistics(parts), *_catalogues(parts), *_diagnostics(parts)),
        parts.artifacts,
        parts.papers,
    )


def _statistics(parts: ViewedParts) -> Iterator[Resource]:
    async def sessions() -> Any:
        return _sessions(await parts.sessions.sessions(parts.owner()), parts.limits)

    async def rate_limits() -> Any:
        return _rate_limits(await parts.rate_usage())

    yield Resource(
        uri="stats://tools",
        name="Tool Statistics",
        description="Calls, durations and error rates of each tool since the start.",
        read=_awaitable(lambda: {"tools": parts.statistics().tools()}),
    )
    yield Resource(
        uri="stats://sessions",
        name="Active Sessions",
        description="The number of research sessions, and its limit.",
        read=sessions,
    )
    yield Resource(
        uri="stats://rate-limits",
        name="Rate Limit Status",
        description="The rate limit of each source, shared by all processes on the machine, and what is left of it.",
        read=rate_limits,
    )


def _catalogues(parts: ViewedParts) -> Iterator[Resource]:
    lenses = parts.web_search.lenses
    yield Resource(
        uri="stats://providers",
        name="Configured Providers",
        description="All configured search engines, paper indexes and other sources, and what they are used for.",
        read=_awaitable(lambda: _providers(parts.sources())),
        values={"provider": lambda: _searched(parts.sources())},
    )
    yield Resource(
        uri="lenses://catalog",
        name="Search Lens Catalog",
        description="All lenses: the values for the `lens` argument of the search tools.",
        read=_awaitable(lambda: _lenses(lenses)),
        values={"lens": lenses.names},
    )


def _diagnostics(parts: ViewedParts) -> Iterator[Resource]:
    engines = parts.web_search.searcher.engines
    yield Resource(
        uri="diagnostics://errors/recent",
        name="Recent Errors",
        description="The latest tool failures, newest first.",
        read=_awaitable(lambda: {"errors": parts.statistics().errors()}),
    )
    yield Resource(
        uri="diagnostics://health",
        name="Provider Health",
        description="Which search engines and paper indexes are available now.",
        read=_awaitable(lambda: _health(engines, parts.sources)),
        values={"provider": lambda: _searched(parts.sources())},
    )


def _awaitable(read: Callable[[], Any]) -> Callable[[], Awaitable[Any]]:
    """Make a view of what is already in memory awaitable."""

    async def awaited() -> Any:
        return read()

    return awaited


def _sessions(listed: Sequence[SessionListing], limits: Limits) -> dict[str, Any]:
    """Return the owner's sessions in numbers; reading them does not renew them."""
    return {
        "count": len(listed),
        "completed": sum(one.completed_at is not None for one in listed),
        "steps": sum(one.step_count for one in listed),
        "maxSessions": limits.sessions,
        "idleSeconds": limits.idle_seconds,
    }


def _rate_limits(used: RateUsage) -> dict[str, Any]:
    return {
        "tenant": None,
        "limits": [
            {
                "name": bucket.name,
                "starts": bucket.starts,
                "perSeconds": bucket.per_seconds,
                "atOnce": bucket.at_once,
                "enforced": usage is not None,
                "remaining": bucket.starts - min(bucket.starts, usage.starts if usage else 0),
                "inFlight": usage.in_flight if usage else 0,
                "heldSeconds": round(usage.hold_seconds, 1) if usage else 0.0,
            }
            for bucket, usage in used
        ],
    }


def _lenses(catalog: KnowsLenses) -> dict[str, Any]:
    lenses = [catalog.get(name) for name in catalog.names()]
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


def _providers(sources: Mapping[Role, Sources]) -> dict[str, Any]:
    """Return every configured source once, by the name that tools know, with all its uses."""
    titles: dict[str, str] = {}
    uses: dict[str, list[str]] = {}
    for role, some in sources.items():
        for source in _configured(some):
            name = contract_name(source.name)
            titles.setdefault(name, source.info.title)
            uses.setdefault(name, []).extend(_uses(source, role))
    return {
        "providers": [
            {"name": name, "title": titles[name], "capabilities": list(dict.fromkeys(uses[name]))}
            for name in sorted(titles)
        ]
    }


def _searched(sources: Mapping[Role, Sources]) -> set[str]:
    """Return the names that the `provider` of a search tool may be, configured or not."""
    return {contract_name(source.name) for role in _SEARCHES for source in sources[role]}


def _configured(sources: Sources) -> list[Source]:
    return [source for source in sources if source.provider is not None]


def _uses(source: Source, role: Role) -> list[str]:
    """Return what a source is used for in a role: kinds of search, or the role itself."""
    return [use for use, kind in _USES.items() if role in _SEARCHES and source.is_a(kind)] or [
        role
    ]


def _health(engines: Engines, sources: Callable[[], Mapping[Role, Sources]]) -> dict[str, Any]:
    """Return the providers' health; empty without configured routing, as the contract requires."""
    if engines.routing.orders is None:
        return {"providers": [], "status": "healthy"}
    states, by_role = engines.health(), sources()
    providers = [
        {
            "name": contract_name(source.name),
            "type": kind,
            "breaker": states.get(source.name, "closed"),
            "available": states.get(source.name) != "open",
        }
        for role, kind in _SEARCHES.items()
        for source in _configured(by_role[role])
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
