"""Metrics of Prometheus that are read where they are counted anyway, when somebody asks.

Caches, sources and their circuit breakers, the audit log, open connections, limits without Redis.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from prometheus_client import Metric
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.registry import Collector

from sourcewright.domain.cache_usage import LayerUsage
from sourcewright.net.network import SourceUsage
from sourcewright.stores.logs.audit import AuditHealth

_BREAKER = {"closed": 0, "half-open": 1, "open": 2}


@dataclass(frozen=True, slots=True, kw_only=True)
class ServerState(Collector):
    """Reads the state of the server."""

    connections: Callable[[], int]
    calls_in_flight: Callable[[], int]
    cache: Callable[[], Sequence[LayerUsage] | None]
    """None if caching is off."""
    sources: Callable[[], Mapping[str, SourceUsage]]
    audit: Callable[[], AuditHealth | None]
    """None if auditing is off."""
    local_counts: Callable[[], int] | None
    """Requests that were counted without Redis; None where there is none."""

    def collect(self) -> Iterable[Metric]:
        yield GaugeMetricFamily(
            "mcp_active_connections", "Open connections of clients.", self.connections()
        )
        yield GaugeMetricFamily(
            "mcp_tool_calls_in_flight",
            "Tool calls that are being answered.",
            self.calls_in_flight(),
        )
        yield from self._caches()
        yield from self._sources()
        yield from self._audit_log()
        if self.local_counts is not None:
            yield CounterMetricFamily(
                "mcp_ratelimit_redis_fallback",
                "Requests that were counted on this machine alone, because Redis was away.",
                self.local_counts(),
            )

    def _caches(self) -> Iterable[Metric]:
        hits = CounterMetricFamily(
            "mcp_cache_hits", "Values that a layer of the cache had.", labels=["layer"]
        )
        misses = CounterMetricFamily(
            "mcp_cache_misses", "Values that a layer of the cache did not have.", labels=["layer"]
        )
        for layer in self.cache() or ():
            hits.add_metric([layer.layer], layer.hits)
            misses.add_metric([layer.layer], layer.misses)
        return hits, misses

    def _sources(self) -> Iterable[Metric]:
        requests = CounterMetricFamily(
            "mcp_source_requests", "Requests to a source.", labels=["source"]
        )
        failures = CounterMetricFamily(
            "mcp_source_failures",
            "Requests to a source that it did not answer, or answered with a rate limit.",
            labels=["source"],
        )
        breakers = GaugeMetricFamily(
            "mcp_source_breaker_state",
            "Circuit breaker of a source: 0 closed, 1 half-open, 2 open.",
            labels=["source"],
        )
        # Hosts of pages have no buckets of their own, and clients choose them.
        for one in self.sources().values():
            if one.buckets:
                requests.add_metric([one.source], one.calls)
                failures.add_metric([one.source], one.failed_calls)
                breakers.add_metric([one.source], _BREAKER[one.state])
        return requests, failures, breakers

    def _audit_log(self) -> Iterable[Metric]:
        health = self.audit()
        if health is None:
            return
        yield CounterMetricFamily(
            "mcp_audit_events_written", "Events that are in the audit log.", health.written
        )
        yield CounterMetricFamily(
            "mcp_audit_events_dropped", "Events that could not be written.", health.failed
        )
        yield CounterMetricFamily(
            "mcp_audit_log_rotations", "Files that the audit log has filled.", health.rotations
        )
        yield GaugeMetricFamily(
            "mcp_audit_events_waiting", "Events that are being written.", health.waiting
        )
