"""`sourcewright serve --http`: listens, serves until a signal, then drains: calls may finish."""

import asyncio
import logging
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import uvicorn
from starlette.routing import Route
from starlette.types import ASGIApp

from sourcewright.base.event_loop import run_event_loop
from sourcewright.server.http.endpoint import McpEndpoint
from sourcewright.server.stdio.self_pipe import ending_signals, is_leaving
from sourcewright.settings import Settings
from sourcewright.web.admin.access import build_access
from sourcewright.web.admin.routes import admin_routes
from sourcewright.web.app import PostOnly, WebOptions, build_app
from sourcewright.web.connections import MAX_CONNECTIONS, STALL_SECONDS, bounded_protocol
from sourcewright.web.dashboard.routes import dashboard_routes
from sourcewright.web.headers import HSTS
from sourcewright.web.hosts import LOOPBACK_NAMES, HostRules, is_loopback
from sourcewright.web.limits import BoundedBody, RequestLimits
from sourcewright.web.open_files import connections_that_fit
from sourcewright.web.quotas import AddressLimit, RequestQuotas, TenantLimit
from sourcewright.web.readiness import examine
from sourcewright.web.refusals import RefusalLog
from sourcewright.web.signin.bearer import AnonymousCallers, BearerCheck
from sourcewright.web.signin.metadata import metadata_routes
from sourcewright.web.signin.setup import build_sign_in
from sourcewright.wiring import Application, build
from sourcewright.wiring.traces import send_traces

if TYPE_CHECKING:
    # Imported for type checking only: its library takes long to import.
    from sourcewright.web.metrics.setup import ServerMetrics

logger = logging.getLogger(__name__)

_AFTER_INTERRUPT_SECONDS = 5
"""How long interrupted calls may take to answer, before their connections are cut."""
_BACKLOG = 256
"""How many connections may wait to be accepted, which asyncio then does all at once."""


class HttpServer(uvicorn.Server):
    """Uvicorn's server; on a signal it lets calls finish, then interrupts them."""

    def __init__(
        self, config: uvicorn.Config, *, grace: float, interrupt: Callable[[], None]
    ) -> None:
        super().__init__(config)
        self._grace = grace
        self._interrupt = interrupt
        self.listening = asyncio.Event()

    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        loop, signals = asyncio.get_running_loop(), ending_signals()
        self.should_exit = is_leaving()
        for number in signals:
            loop.add_signal_handler(number, self.stop)
        yield
        for number in signals:
            loop.remove_signal_handler(number)

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.listening.set()

    def stop(self) -> None:
        """Shut down; a second signal skips the grace period."""
        if self.should_exit:
            self._interrupt()
        self.should_exit = True

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        timer = asyncio.get_running_loop().call_later(self._grace, self._interrupt)
        try:
            await super().shutdown(sockets)
        finally:
            timer.cancel()


def serve_http(settings: Settings) -> int:
    """Serve until a signal; return the exit code."""
    problem = exposure_problem(settings)
    if problem:
        sys.stderr.write(f"error[CONFIG]: {problem}\n")
        return 2
    try:
        listener = listen(settings.http_host, settings.port)
    except OSError as error:
        where = f"{settings.http_host} port {settings.port}"
        sys.stderr.write(f"error[CONFIG]: cannot listen on {where}: {error.strerror or error}\n")
        return 2
    with listener:
        run_event_loop(_serve(settings, listener))
    return 0


def exposure_problem(settings: Settings) -> str | None:
    """Return why the address must not be served with these settings."""
    if is_loopback(settings.http_host) or settings.http_anonymous or settings.has_sign_in:
        return None
    return (
        f"{settings.http_host} can be reached by other machines, and there is no sign-in: anybody "
        "could use this server. Set OAUTH_ISSUER_URL or SOURCEWRIGHT_API_KEYS=true, or listen on "
        "127.0.0.1; --allow-anonymous (SOURCEWRIGHT_HTTP_ANONYMOUS=true) serves everybody"
    )


def listen(host: str, port: int, *, stall_seconds: float = STALL_SECONDS) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    listener.setblocking(False)
    # Otherwise each answer waits 40 ms for the client to confirm its headers: asyncio sets this
    # by itself only for sockets that name their protocol.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        # Ends also the connection of a client that never reads the last bytes of a response:
        # they are in the system's buffer, and asyncio waits for nothing more.
        milliseconds = int(stall_seconds * 1000)
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, milliseconds)
    return listener


async def _serve(settings: Settings, listener: socket.socket) -> None:
    async with build(settings) as application:
        for library in ("mcp", "uvicorn"):
            # They report each start and stop in detail, which is noise unless asked for.
            if settings.log_level == "info":
                logging.getLogger(library).setLevel(logging.WARNING)
        server = http_server(settings, application)
        # Before it is served: a signal may end that at once, and close the socket.
        host = f"[{settings.http_host}]" if ":" in settings.http_host else settings.http_host
        address = f"http://{host}:{listener.getsockname()[1]}"
        serving = asyncio.create_task(server.serve(sockets=[listener]))
        listening = asyncio.create_task(server.listening.wait())
        await asyncio.wait({serving, listening}, return_when=asyncio.FIRST_COMPLETED)
        if not server.should_exit:
            sys.stderr.write(f"sourcewright: serving MCP at {address}/mcp\n")
            if settings.admin_api_key:
                sys.stderr.write(f"sourcewright: dashboard at {address}/dashboard\n")
        await serving


def http_server(
    settings: Settings, application: Application, endpoint: McpEndpoint | None = None
) -> HttpServer:
    """Build the server with the application behind it, at its own endpoint or at the given one."""
    send_traces(application)
    endpoint = endpoint or McpEndpoint(application)
    parts = application.services.parts
    quotas = RequestQuotas(ledger=parts.quotas, clock=parts.clock, settings=settings)
    refusals = RefusalLog(parts.auditor, parts.clock)
    access = build_access(parts, refusals)
    options = web_options(settings)
    mcp: ASGIApp = PostOnly(BoundedBody(endpoint, options.limits))
    if settings.has_sign_in:
        mcp = TenantLimit(mcp, quotas)
    callers, routes = _callers(settings, application, mcp, refusals)
    if access:
        routes += admin_routes(access, application)
    metrics = _metrics(settings, application, lambda: len(server.server_state.connections))
    if metrics:
        reader = build_access(parts, refusals, key=settings.metrics_key)
        routes.append(metrics.route(reader))
    examined = partial(examine, application)
    routes += dashboard_routes(access, application, examined)
    app = build_app(
        endpoint,
        AddressLimit(
            callers, quotas, None if settings.has_sign_in else lambda: parts.owner().tenant
        ),
        options,
        examine=examined,
        routes=routes,
        running=refusals.running,
    )
    config = _config(metrics.counting(app) if metrics else app, settings)
    server = HttpServer(
        config, grace=settings.http_shutdown_timeout, interrupt=endpoint.calls.interrupt
    )
    return server


def _config(app: ASGIApp, settings: Settings) -> uvicorn.Config:
    connections = connections_that_fit(MAX_CONNECTIONS)
    return uvicorn.Config(
        app,
        loop="asyncio",
        http=bounded_protocol(
            settings.http_read_header_timeout,
            settings.http_max_header_bytes,
            connections_at_most=connections,
        ),
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        backlog=_BACKLOG,
        # Those that wait are ended before: there are so many only while all of them are busy.
        limit_concurrency=2 * connections,
        timeout_keep_alive=settings.http_idle_timeout,
        timeout_graceful_shutdown=settings.http_shutdown_timeout + _AFTER_INTERRUPT_SECONDS,
    )


def _metrics(
    settings: Settings, application: Application, connections: Callable[[], int]
) -> "ServerMetrics | None":
    """Build the metrics; None if they are off, or if everybody could read them."""
    is_private = is_loopback(settings.http_host) and not (
        settings.trust_proxy or settings.public_url
    )
    if not settings.metrics_enabled:
        return None
    if not (is_private or settings.metrics_key or settings.admin_api_key):
        logger.info("no /metrics: set SOURCEWRIGHT_METRICS_KEY to protect them")
        return None
    from sourcewright.web.metrics.setup import ServerMetrics

    return ServerMetrics(application, connections)


def _callers(
    settings: Settings, application: Application, app: ASGIApp, refusals: RefusalLog
) -> tuple[ASGIApp, list[Route]]:
    """Return the endpoint behind what decides who calls it, and the routes for signing in."""
    if not settings.has_sign_in:
        owner = application.services.parts.owner
        return AnonymousCallers(app, owner, refusals, behind_proxy=settings.trust_proxy), []
    sign_in = build_sign_in(settings, application, refusals)
    return BearerCheck(app, sign_in), metadata_routes(sign_in.challenge, settings.required_scopes)


def web_options(settings: Settings) -> WebOptions:
    public = urlsplit(settings.public_url or "")
    hosts = (public.hostname, settings.http_host, *settings.http_allowed_hosts)
    # Many proxies replace the Host header, so that the server's own pages seem to be another's.
    own_origin = [f"{public.scheme}://{public.netloc}"] if settings.public_url else []
    return WebOptions(
        hosts=HostRules(
            hosts=LOOPBACK_NAMES.union(filter(None, hosts)),
            origins=frozenset([*settings.browser_origins, *own_origin]),
            any_origin=not settings.cors_strict,
            local_pages=is_loopback(settings.http_host),
        ),
        limits=RequestLimits(
            header_bytes=settings.http_max_header_bytes,
            body_bytes=settings.max_request_body_bytes,
            body_seconds=settings.http_read_timeout,
            response_seconds=settings.http_write_timeout,
        ),
        headers={
            "Content-Security-Policy": settings.http_csp,
            "Referrer-Policy": settings.http_referrer_policy,
            "Permissions-Policy": settings.http_permissions_policy,
            **(HSTS if public.scheme == "https" else {}),
        },
    )
