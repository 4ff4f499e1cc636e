"""`/metrics`: the route, who may read it, and everything that it shows."""

from collections.abc import Callable

from prometheus_client import (
    CollectorRegistry,
    GCCollector,
    PlatformCollector,
    ProcessCollector,
    disable_created_metrics,
)
from prometheus_client.exposition import choose_encoder
from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from sourcewright.domain.users.quotas import QuotaLedger
from sourcewright.stores.logs.audit import AuditHealth, AuditLog
from sourcewright.stores.quotas.fallback import SharedQuotas
from sourcewright.web.admin.access import KEY_HEADER, AdminAccess
from sourcewright.web.metrics.counters import CallCounters
from sourcewright.web.metrics.gauges import ServerState
from sourcewright.wiring import Application

PATH = "/metrics"


class ServerMetrics:
    """The metrics of one server."""

    def __init__(self, application: Application, connections: Callable[[], int]) -> None:
        parts, figures = application.services.parts, application.figures()
        # Otherwise each counter would have a second series, with the time of its start.
        disable_created_metrics()  # type: ignore[no-untyped-call]  # has no type hints
        self._registry = CollectorRegistry()
        self._counters = CallCounters(self._registry)
        parts.statistics.listen(self._counters.count_call)

        def audit() -> AuditHealth | None:
            return parts.auditor.health() if isinstance(parts.auditor, AuditLog) else None

        self._registry.register(
            ServerState(
                connections=connections,
                calls_in_flight=lambda: sum(figures.calls_in_flight().values()),
                cache=figures.cache,
                sources=figures.sources,
                audit=audit,
                local_counts=_local_counts(parts.quotas),
            )
        )
        ProcessCollector(registry=self._registry)
        PlatformCollector(registry=self._registry)
        GCCollector(registry=self._registry)

    def counting(self, app: ASGIApp) -> ASGIApp:
        return self._counters.counting(app)

    def route(self, access: AdminAccess | None) -> Route:
        """Return the route; without access control, everybody who reaches the server may read."""
        return Route(PATH, _Endpoint(self._registry, access))


def _local_counts(quotas: QuotaLedger) -> Callable[[], int] | None:
    return (lambda: quotas.local_counts) if isinstance(quotas, SharedQuotas) else None


class _Endpoint:
    """Answers in the format that the client asks for."""

    def __init__(self, registry: CollectorRegistry, access: AdminAccess | None) -> None:
        self._registry = registry
        self._access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._refusal(scope) or self._answer(scope)
        await response(scope, receive, send)

    async def _refusal(self, scope: Scope) -> Response | None:
        if self._access is not None:
            refusal = await self._access.refusal(scope, _key(Headers(scope=scope)))
            if refusal is not None:
                return refusal
        if scope["raw_path"] != PATH.encode():
            return Response("Not Found", 404)
        if scope["method"] != "GET":
            return Response("Method Not Allowed", 405, {"Allow": "GET"})
        return None

    def _answer(self, scope: Scope) -> Response:
        encode, content_type = choose_encoder(Headers(scope=scope).get("accept", ""))
        return Response(encode(self._registry), headers={"Content-Type": content_type})


def _key(headers: Headers) -> str | None:
    """Return the key of the request, as Prometheus or as an operator sends it."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    given = [token.strip()] if scheme.lower() == "bearer" else []
    return ", ".join(given + headers.getlist(KEY_HEADER)) or None
