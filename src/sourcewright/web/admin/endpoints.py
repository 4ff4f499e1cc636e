"""Endpoints of the operator under /admin: found by their exact path, behind the admin key."""

import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sourcewright.base.errors import InvalidInput, NotFound, ResearchError
from sourcewright.base.text.redaction import Masker
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


class Incomplete(ResearchError):
    """A part of the request failed; the answer says what was done nevertheless."""

    def __init__(self, message: str, answer: Mapping[str, Any]) -> None:
        super().__init__(message)
        self.answer = answer


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
        except ResearchError as error:
            return self._failure(error)

    def _failure(self, error: ResearchError) -> Response:
        if isinstance(error, Incomplete):
            return _answer({"error": "incomplete", "message": str(error), **error.answer}, 503)
        if isinstance(error, NotFound):
            return _error("not_found", error.detail, 404)
        is_invalid = isinstance(error, InvalidInput)
        code, status = ("invalid_request", 400) if is_invalid else ("unavailable", 503)
        return _error(code, self._mask(str(error)), status)

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
        return refusal or _answer(await endpoint.run(ask))


def _error(code: str, message: str, status: int) -> Response:
    return _answer({"error": code, "message": message}, status)


def _answer(body: Mapping[str, Any], status: int = 200) -> Response:
    # Escaped, so that no text of a user can be one that UTF-8 has no bytes for.
    return Response(json.dumps(body), status, media_type="application/json")
