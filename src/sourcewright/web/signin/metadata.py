"""OAuth protected resource metadata (RFC 9728), and the header that leads clients to it."""

from collections.abc import Iterable
from dataclasses import dataclass
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import Scope

WELL_KNOWN = "/.well-known/oauth-protected-resource"
_ENDPOINT = "/mcp"


@dataclass(frozen=True, slots=True, kw_only=True)
class Challenge:
    """Tells a client how to sign in."""

    issuer: str | None
    """None if only API keys are accepted, for which there is no metadata."""
    public_url: str | None

    def base_url(self, scope: Scope) -> str:
        """Return the URL of the server as the client knows it; its Host header has been checked."""
        return self.public_url or f"{scope['scheme']}://{Headers(scope=scope)['host']}"

    def header(self, scope: Scope, error: str, scopes: Iterable[str]) -> str:
        """Return the value of WWW-Authenticate."""
        fields = {"error": error} if error else {}
        if scope_value := " ".join(sorted(scopes)):
            fields["scope"] = scope_value
        if self.issuer:
            base = urlsplit(self.base_url(scope))
            path = f"{WELL_KNOWN}{base.path}{_ENDPOINT}"
            fields["resource_metadata"] = f"{base.scheme}://{base.netloc}{path}"
        return (
            "Bearer " + ", ".join(f'{name}="{value}"' for name, value in fields.items())
        ).strip()


def metadata_routes(challenge: Challenge, scopes: Iterable[str]) -> list[Route]:
    if challenge.issuer is None:
        return []
    supported = sorted({*scopes, "research", "tool:*"})

    async def metadata(request: Request) -> Response:
        base = challenge.base_url(request.scope)
        own_path = urlsplit(base).path + _ENDPOINT
        if request.path_params["resource"] not in {"", _ENDPOINT, own_path}:
            return PlainTextResponse("Not Found", 404)
        return JSONResponse(
            {
                "resource": base + _ENDPOINT,
                "authorization_servers": [challenge.issuer],
                "scopes_supported": supported,
                "bearer_methods_supported": ["header"],
                "resource_name": "Sourcewright",
            }
        )

    return [Route(WELL_KNOWN + "{resource:path}", metadata)]
