"""Health endpoints: whether the process is alive, and whether it can answer calls."""

import json
import time
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

_KEEP_SECONDS = 1.0
"""How long a finding is reused, because anybody may ask."""

Examine = Callable[[], Awaitable[list[str]]]
"""Returns what keeps the server from answering calls; empty if nothing does."""


def health_routes(examine: Examine) -> list[Route]:
    checked: tuple[float, list[str]] = (-_KEEP_SECONDS, [])

    async def live(_request: Request) -> Response:
        return PlainTextResponse("ok")

    async def ready(_request: Request) -> Response:
        nonlocal checked
        if time.monotonic() - checked[0] >= _KEEP_SECONDS:
            checked = (time.monotonic(), await examine())
        problems = checked[1]
        body = {"status": "not ready", "problems": problems} if problems else {"status": "ready"}
        return JSONResponse(body, 503 if problems else 200)

    return [Route("/health/live", live), Route("/health/ready", ready)]


def search_problem(health: str) -> list[str]:
    """Return a problem if the resource `diagnostics://health` says that no source answers."""
    unhealthy = json.loads(health)["status"] == "unhealthy"
    return ["every search source is unavailable"] if unhealthy else []
