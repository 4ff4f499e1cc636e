"""Endpoints of the operator under /admin: found by their exact path, behind the admin key."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import Receive, Scope, Send

from sourcewright.domain.errors import InvalidInput, NotFound, ResearchError
from sourcewright.logic.text.redaction import Masker
from sourcewright.web.admin.access import AdminAccess
from sourcewright.web.admin.requests import MAX_BODY_BYTES, AdminAsk, read_ask

ROOT = "/admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class AdminEndpoint:
    """What one method of one path does."""

    method: str
    path: str
    """After /admin."""
    ask: type[AdminAsk]
    run: Callable[[Any], Awaitable[Mapping[str, Any]]]


class AdminApi:
    """Answers the operator. Without the key, every path under /admin looks the same."""

    def __init__(
        self, access: AdminAccess, endpoints: Sequence[AdminEndpoint], mask: Masker
    ) -> None:
        self._access = access
        self._mask = mask
        self._paths: dict[bytes, dict[str, AdminEndpoint]] = {}
        for one in endpoints:
            self._paths.setdefault((ROOT + one.path).encode(), {})[one.method] = one

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        response = await self._access.header_refusal(scope)
        if response is None:
            response = await self._respond(Request(scope, receive))
        await response(scope, receive, send)

    async def _respond(self, request: Request) -> Response:
        endpoint = self._endpoint(request)
        if isinstance(endpoint, Response):
            return endpoint
        if len(await request.body()) > MAX_BODY_BYTES:
            return _error("too_large", f"the body has more than {MAX_BODY_BYTES} bytes", 413)
        try:
            return await self._run(request, endpoint)
        except InvalidInput as error:
            return _error("invalid_request", self._mask(str(error)), 400)
        except NotFound as error:
            return _error("not_found", error.detail, 404)
        except ResearchError as error:
            return _error("unavailable", self._mask(str(error)), 503)

    def _endpoint(self, request: Request) -> AdminEndpoint | Response:
        # The path as it was sent: an encoded or doubled slash names nothing here.
        methods = self._paths.get(request.scope["raw_path"], {})
        if request.method in methods:
            return methods[request.method]
        if not methods:
            return _error("not_found", "there is no such endpoint", 404)
        allowed = ", ".join(sorted(methods))
        response = _error("method_not_allowed", f"this endpoint accepts {allowed}", 405)
        response.headers["Allow"] = allowed
        return response

    async def _run(self, request: Request, endpoint: AdminEndpoint) -> Response:
        ask = await read_ask(request, endpoint.ask)
        # Without the parameters: the name of a user would survive their erasure.
        what: dict[str, object] = {"method": endpoint.method, "path": ROOT + endpoint.path}
        refusal = await self._access.recorded(request.scope, "admin.request", what)
        return refusal or JSONResponse(dict(await endpoint.run(ask)))


def _error(code: str, message: str, status: int) -> Response:
    return JSONResponse({"error": code, "message": message}, status)
