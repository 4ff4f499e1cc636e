"""Routes of the dashboard: the page, its figures, signing in and out; all behind the admin key."""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route

from sourcewright.base.errors import ResearchError
from sourcewright.web.admin.access import AdminAccess
from sourcewright.web.dashboard.page import dashboard_page, sign_in_page
from sourcewright.web.dashboard.session import DashboardSessions
from sourcewright.web.health import Examine
from sourcewright.wiring import Application

_ROOT = "/dashboard"
_KEEP_SECONDS = 1.0
"""How long figures are reused: any number of open pages costs as much as one."""
_MAX_FORM_BYTES = 4096
_OFF = "The dashboard is off, because there is no admin key: set ADMIN_API_KEY.\n"
_UNCHECKED = "Sign-ins cannot be checked now; try again later.\n"
_NOT_ENDED = "This browser has signed out, but the end of the sign-in cannot be stored: a copy of its cookie would be accepted until it expires. A new ADMIN_API_KEY without ADMIN_API_KEY_PREV ends every sign-in.\n"

Figures = dict[str, Any]

logger = logging.getLogger(__name__)


class SharedFigures:
    """Reads the figures at most once a second, for everybody who watches."""

    def __init__(self, read: Callable[[], Awaitable[Figures]]) -> None:
        self._read = read
        self._lock = asyncio.Lock()
        self._latest: Figures = {}
        self._read_at = float("-inf")

    async def latest(self) -> Figures:
        async with self._lock:
            if time.monotonic() - self._read_at >= _KEEP_SECONDS:
                self._latest = await self._read()
                self._read_at = time.monotonic()
            return self._latest


class Dashboard:
    """Answers requests for the dashboard and its figures."""

    def __init__(
        self, access: AdminAccess, sessions: DashboardSessions, figures: SharedFigures
    ) -> None:
        self._access = access
        self._sessions = sessions
        self._figures = figures

    def routes(self) -> list[Route]:
        return [
            Route(_ROOT, self.page),
            Route(f"{_ROOT}/", self.page),
            Route(f"{_ROOT}/data", self.data),
            Route(f"{_ROOT}/sign-in", self.sign_in, methods=["POST"]),
            Route(f"{_ROOT}/sign-out", self.sign_out, methods=["POST"]),
        ]

    async def page(self, request: Request) -> Response:
        try:
            is_signed_in = await self._sessions.holds(request)
        except ResearchError as error:
            return _unchecked(error)
        return dashboard_page().response() if is_signed_in else sign_in_page().response(401)

    async def data(self, request: Request) -> Response:
        """Return the figures to a page that is signed in, or to a program that has the key."""
        try:
            is_signed_in = not self._access.is_foreign(
                request.scope
            ) and await self._sessions.holds(request)
        except ResearchError as error:
            return _unchecked(error)
        if not is_signed_in:
            refusal = await self._access.header_refusal(request.scope)
            what: dict[str, object] = {"method": request.method, "path": request.url.path}
            refusal = refusal or await self._access.recorded(request.scope, "admin.request", what)
            if refusal is not None:
                return refusal
        return JSONResponse(await self._figures.latest())

    async def sign_in(self, request: Request) -> Response:
        refusal = await self._access.refusal(request.scope, await _given_key(request))
        refusal = refusal or await self._access.recorded(request.scope, "admin.sign_in")
        if refusal is not None:
            return _explained(refusal)
        response = RedirectResponse(_ROOT, 303)
        self._sessions.begin(response)
        return response

    async def sign_out(self, request: Request) -> Response:
        if self._access.is_foreign(request.scope):
            return PlainTextResponse("Forbidden", 403)
        response: Response = RedirectResponse(_ROOT, 303)
        try:
            await self._sessions.end(request)
        except ResearchError as error:
            logger.warning("the end of a session cannot be stored: %s", error)
            response = PlainTextResponse(_NOT_ENDED, 503)
        self._sessions.forget(response)
        return response


def dashboard_routes(
    access: AdminAccess | None, application: Application, examine: Examine
) -> list[Route]:
    """Return the routes; without an admin key the page says only that it is off."""
    if access is None:
        return [Route(_ROOT, _off), Route(f"{_ROOT}/", _off)]
    parts = application.services.parts
    figures = application.figures()

    async def read() -> Figures:
        values, ready = await asyncio.gather(figures.read(), examine())
        return {**values, "problems": [*ready.problems, *ready.degraded]}

    sessions = DashboardSessions(
        keys=access.keys,
        clock=parts.clock,
        credentials=parts.credentials,
        secure=(parts.settings.public_url or "").startswith("https:"),
    )
    return Dashboard(access, sessions, SharedFigures(read)).routes()


def _unchecked(error: ResearchError) -> Response:
    logger.warning("it cannot be checked who is signed in to the dashboard: %s", error)
    return PlainTextResponse(_UNCHECKED, 503, {"Retry-After": "5"})


async def _off(_request: Request) -> Response:
    return PlainTextResponse(_OFF, 404)


async def _given_key(request: Request) -> str | None:
    """Return the key in the form; None if there is none."""
    body = await request.body()
    if len(body) > _MAX_FORM_BYTES:
        return None
    fields = parse_qsl(body.decode("ascii", "replace"))
    return next((value for name, value in fields if name == "key"), None)


def _explained(refusal: Response) -> Response:
    """Return the page again, with a refusal in words."""
    messages = {
        401: "This is not the admin key.",
        403: "Sign in on the page of this server itself.",
        429: f"Too many wrong keys. Try again in {refusal.headers.get('Retry-After')} seconds.",
    }
    message = messages.get(refusal.status_code, "The sign-in cannot be recorded now; try later.")
    response = sign_in_page().response(refusal.status_code, message=message)
    for name in ("Retry-After", "WWW-Authenticate"):
        if name in refusal.headers:
            response.headers[name] = refusal.headers[name]
    return response
