"""Counters of Prometheus: tool calls with their latency, and HTTP requests by status.

No label has a value that a client chooses, so that the number of time series is bounded.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram
from starlette.types import ASGIApp, Message, Receive, Scope, Send

_LATENCY_SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)
_ROUTES = ("mcp", "admin", "metrics", "dashboard", "health", ".well-known")
_METHODS = frozenset({"GET", "POST", "DELETE", "OPTIONS", "HEAD"})


class CallCounters:
    """Counts what happens, when it happens."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._calls = Counter(
            "mcp_tool_calls", "Tool calls that have ended.", ["tool"], registry=registry
        )
        self._errors = Counter(
            "mcp_tool_errors",
            "Tool calls that have failed.",
            ["tool", "error_code"],
            registry=registry,
        )
        self._latency = Histogram(
            "mcp_tool_latency_seconds",
            "Duration of tool calls.",
            ["tool"],
            buckets=_LATENCY_SECONDS,
            registry=registry,
        )
        self._requests = Counter(
            "mcp_http_requests",
            "HTTP requests that were answered, by the first part of their path.",
            ["route", "method", "status"],
            registry=registry,
        )
        self._in_flight = Gauge(
            "mcp_http_requests_in_flight",
            "HTTP requests that are being answered.",
            registry=registry,
        )

        # Finding the series of some labels takes longer than counting in it.
        self._call_series = cache(
            lambda tool: (self._calls.labels(tool), self._latency.labels(tool))
        )
        self._request_series = cache(self._requests.labels)

    def count_call(self, tool: str, seconds: float, error: Mapping[str, Any] | None) -> None:
        calls, latency = self._call_series(tool)
        calls.inc()
        latency.observe(seconds)
        if error is not None:
            self._errors.labels(tool, str(error["code"])).inc()

    def counting(self, app: ASGIApp) -> ASGIApp:
        """Return the application, with its requests counted."""

        async def counted(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                await app(scope, receive, send)
                return

            async def sending(message: Message) -> None:
                if message["type"] == "http.response.start":
                    labels = _route(scope["path"]), _method(scope["method"]), message["status"]
                    self._request_series(*labels).inc()
                await send(message)

            self._in_flight.inc()
            try:
                await app(scope, receive, sending)
            finally:
                self._in_flight.dec()

        return counted


def _route(path: str) -> str:
    first = path[1:].partition("/")[0]
    return f"/{first}" if first in _ROUTES else "other"


def _method(method: str) -> str:
    return method if method in _METHODS else "other"
