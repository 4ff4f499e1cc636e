"""Figures of the whole server for its operator: tools, sources, caches, sessions, tenants.

Everything is read where it is counted anyway. A part that cannot be read is the reason in its
place, never a zero.
"""

import asyncio
import math
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import ResearchError
from sourcewright.domain.cache_usage import LayerUsage
from sourcewright.domain.papers.index_names import contract_name
from sourcewright.domain.ports import GroupTimes
from sourcewright.domain.users.sessions import Limits
from sourcewright.net.network import SourceUsage
from sourcewright.services.instance.resources import Resources
from sourcewright.services.instance.statistics import ServerStatistics

_USED_LATELY_SECONDS = 300.0
_PART_SECONDS = 3.0
"""How long a store may take to answer; whoever watches must hear of the rest meanwhile."""
_MAX_HOSTS = 50
_STATES = ("open", "half-open", "closed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerFigures:
    """Reads the figures of everybody; whoever asks has proved to be the operator."""

    clock: Clock
    version: str
    instance: str
    """Tells the servers apart that share one address."""
    load_sources: Callable[[], None]
    """Imports what the sources are built from, which takes long the first time."""
    statistics: ServerStatistics
    calls_in_flight: Callable[[], Mapping[str, int]]
    """Calls that are being answered, by tenant."""
    resources: Callable[[], Resources]
    sources: Callable[[], Mapping[str, SourceUsage]]
    cache: Callable[[], Sequence[LayerUsage] | None]
    """None if caching is off."""
    sessions: Callable[[], Awaitable[Sequence[GroupTimes]]]
    session_limits: Limits

    async def read(self) -> dict[str, Any]:
        """Return all figures, as JSON values."""
        await asyncio.to_thread(self.load_sources)
        resources, in_flight = self.resources(), self.calls_in_flight()
        providers = await resources.value("stats://providers")
        limits, sessions = await asyncio.gather(
            _or_problem(resources.value("stats://rate-limits")), _or_problem(self._sessions())
        )
        caches = self.cache()
        return {
            "generatedAt": _timestamp(self.clock.now()),
            "version": self.version,
            "instance": self.instance,
            "startedAt": _timestamp(self.statistics.started_at),
            "uptimeSeconds": round(self.clock.now() - self.statistics.started_at),
            "tools": list(self._tools()),
            "minutes": self.statistics.minutes(),
            "callsInFlight": sum(in_flight.values()),
            "activeSessions": sessions.get("count"),
            "sessions": sessions,
            "caches": None if caches is None else [_layer(one) for one in caches],
            "rateLimit": limits,
            "health": await resources.value("diagnostics://health"),
            "sources": _sources(providers["providers"], self.sources(), limits),
            "hosts": _hosts(self.sources()),
            "recentErrors": self.statistics.everybody.errors(),
            "tenants": [
                {
                    "tenant": name,
                    "calls": tenant.calls,
                    "errors": tenant.errors,
                    "inFlight": in_flight.get(name, 0),
                    "lastCallAt": tenant.last_at and _timestamp(tenant.last_at),
                }
                for name, tenant in self.statistics.tenants()
            ],
        }

    def _tools(self) -> Iterator[dict[str, Any]]:
        recent = self.statistics.everybody.recent()
        for tool in self.statistics.everybody.tools():
            calls = recent[tool["tool"]]
            ordered = sorted(ms for ms, _ in calls)
            yield {
                **tool,
                "medianMs": _quantile(ordered, 0.5),
                "p95Ms": _quantile(ordered, 0.95),
                "recentMs": [ms for ms, _ in calls],
                "recentFailed": [number for number, (_, failed) in enumerate(calls) if failed],
            }

    async def _sessions(self) -> dict[str, Any]:
        times = await self.sessions()
        since = self.clock.now() - _USED_LATELY_SECONDS
        return {
            "count": len(times),
            "usedLately": sum(one.used_at >= since for one in times),
            "idleSeconds": self.session_limits.idle_seconds,
            "maxPerUser": self.session_limits.sessions,
        }


async def _or_problem(reading: Awaitable[dict[str, Any]]) -> dict[str, Any]:
    """Return the value, or why it cannot be read."""
    try:
        async with asyncio.timeout(_PART_SECONDS):
            return await reading
    except TimeoutError:
        return {"problem": f"no answer within {_PART_SECONDS:.0f} s"}
    except ResearchError as error:
        return {"problem": str(error)}


def _quantile(ordered: Sequence[float], share: float) -> float:
    """Return the nearest rank: a duration that was really measured."""
    return ordered[math.ceil(share * len(ordered)) - 1]


def _layer(usage: LayerUsage) -> dict[str, Any]:
    return {
        "layer": usage.layer,
        "hits": usage.hits,
        "misses": usage.misses,
        "entries": usage.entries,
        "bytes": usage.size_bytes,
        "maxBytes": usage.max_bytes,
        "suspended": usage.suspended,
    }


def _sources(
    providers: Sequence[Mapping[str, Any]],
    usage: Mapping[str, SourceUsage],
    limits: Mapping[str, Any],
) -> list[dict[str, Any]]:
    """Return each configured source with its breaker and what is left of its rate limits."""
    by_name: dict[str, list[SourceUsage]] = {}
    for one in usage.values():
        by_name.setdefault(contract_name(one.source), []).append(one)
    budgets = {one["name"]: one for one in limits.get("limits", ())}
    figures = []
    for provider in providers:
        uses = by_name.get(provider["name"], [])
        # Names of one source share its breaker, so that their numbers are the same ones.
        buckets = dict.fromkeys(bucket for one in uses for bucket in one.buckets)
        figures.append(
            {
                **provider,
                **_breaker(uses),
                "budgets": [budgets[bucket] for bucket in buckets if bucket in budgets],
            }
        )
    return figures


def _breaker(uses: Sequence[SourceUsage]) -> dict[str, Any]:
    return {
        "breaker": min((one.state for one in uses), key=_STATES.index, default="closed"),
        "openSeconds": round(max((one.open_seconds for one in uses), default=0.0), 1),
        "calls": max((one.calls for one in uses), default=0),
        "failedCalls": max((one.failed_calls for one in uses), default=0),
    }


def _hosts(usage: Mapping[str, SourceUsage]) -> dict[str, Any]:
    """Return the hosts of pages and files whose breaker is not closed, and how many there are."""
    hosts = [one for one in usage.values() if not one.buckets]
    troubled = sorted(
        (one for one in hosts if one.state != "closed"), key=lambda one: -one.open_seconds
    )
    return {
        "count": len(hosts),
        "unavailable": [_host(one) for one in troubled[:_MAX_HOSTS]],
        "unavailableCount": len(troubled),
    }


def _host(usage: SourceUsage) -> dict[str, Any]:
    use, _, host = usage.source.rpartition(" ")
    return {"name": host, "use": use, **_breaker([usage])}


def _timestamp(at: float) -> str:
    return datetime.fromtimestamp(at, UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
