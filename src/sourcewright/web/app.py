"""The web application: routes, and what every request passes before it reaches one."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass, field

from starlette.applications import Starlette
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import PlainTextResponse
from starlette.routing import BaseRoute
from starlette.types import ASGIApp, Receive, Scope, Send

from sourcewright.server.http.asgi import header_of
from sourcewright.server.http.endpoint import McpEndpoint
from sourcewright.web.headers import ResponseHeaders
from sourcewright.web.health import Examine, health_routes
from sourcewright.web.hosts import HostCheck, HostRules
from sourcewright.web.limits import BoundedRequests, RequestLimits

METHODS = ["GET", "POST", "DELETE", "OPTIONS"]
EXPOSED_HEADERS = [
    "Mcp-Session-Id",
    "Mcp-Protocol-Version",
    "Retry-After",
    "WWW-Authenticate",
    "X-Request-Id",
]
_MAX_AGE = 86_400
_MCP_PATHS = ("/mcp", "/mcp/")


@dataclass(frozen=True, slots=True, kw_only=True)
class WebOptions:
    """How the application treats every request."""

    hosts: HostRules
    limits: RequestLimits
    headers: Mapping[str, str] = field(default_factory=dict)


class PostOnly:
    """Refuses everything but POST: without sessions there is no stream to open or to end."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        app = self._app
        if scope["method"] != "POST":
            app = PlainTextResponse("Method Not Allowed", 405, headers={"Allow": "POST"})
        await app(scope, receive, send)


class CrossOriginAnswers(CORSMiddleware):
    """Tells browsers which pages may read an answer.

    Nobody else sends an Origin. The answer to a POST is in no cache, so that one of the MCP
    endpoint to anybody else need not say that it depends on the Origin.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope.get("path") in _MCP_PATHS and not header_of(scope, b"origin"):
            await self.app(scope, receive, send)
        else:
            await super().__call__(scope, receive, send)


class McpPaths:
    """Leads requests to the MCP endpoint, and all others to the routes.

    As one of the routes it would be found and answered more slowly: Starlette matches a pattern
    for each, and handles the exceptions of handlers, which the endpoint does not raise.
    """

    def __init__(self, mcp: ASGIApp, others: ASGIApp) -> None:
        self._mcp = mcp
        self._others = others

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        is_mcp = scope["type"] == "http" and scope["path"] in _MCP_PATHS
        await (self._mcp if is_mcp else self._others)(scope, receive, send)


def build_app(
    endpoint: McpEndpoint,
    mcp: ASGIApp,
    options: WebOptions,
    *,
    examine: Examine,
    routes: Sequence[BaseRoute] = (),
    running: Callable[[], AbstractAsyncContextManager[None]] = nullcontext,
) -> ASGIApp:
    """Build the application around `mcp`: the endpoint, behind what decides who may call it.

    `mcp` also reads the body, by `BoundedBody`.
    """

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with running(), endpoint.run():
            yield

    others = Starlette(routes=[*health_routes(examine), *routes], lifespan=lifespan)
    # It would lead to the server's own scheme and host, which are not those behind a proxy.
    others.router.redirect_slashes = False
    hosts = options.hosts
    bounded = BoundedRequests(McpPaths(mcp, others), options.limits, reading_later=_MCP_PATHS)
    cors = CrossOriginAnswers(
        bounded,
        allow_origins=["*"] if hosts.any_origin else list(hosts.origins),
        allow_origin_regex=_LOCAL_PAGES if hosts.local_pages else None,
        allow_methods=METHODS,
        allow_headers=["*"],
        expose_headers=EXPOSED_HEADERS,
        max_age=_MAX_AGE,
    )
    return ResponseHeaders(HostCheck(cors, rules=hosts), headers=options.headers)


_LOCAL_PAGES = r"https?://(?:localhost|127\.0\.0\.1|\[::1\])(?::[0-9]{1,5})?"
