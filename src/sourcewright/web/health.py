"""Health endpoints: whether the process is alive, and whether it can answer calls."""

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

_KEEP_SECONDS = 1.0
"""How long a finding is reused, because anybody may ask."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Readiness:
    """What keeps the server from answering calls, and what keeps only some of them from it."""

    problems: Sequence[str] = ()
    degraded: Sequence[str] = ()

    def response(self) -> Response:
        """Return 503 only if no call could be answered: every server behind a proxy may share what is degraded."""
        if self.problems:
            problems = [*self.problems, *self.degraded]
            return JSONResponse({"status": "not ready", "problems": problems}, 503)
        if self.degraded:
            return JSONResponse({"status": "degraded", "problems": list(self.degraded)})
        return JSONResponse({"status": "ready"})


Examine = Callable[[], Awaitable[Readiness]]


def health_routes(examine: Examine) -> list[Route]:
    checked = (-_KEEP_SECONDS, Readiness())
    checking = asyncio.Lock()

    async def live(_request: Request) -> Response:
        return PlainTextResponse("ok")

    async def ready(_request: Request) -> Response:
        nonlocal checked
        async with checking:
            if time.monotonic() - checked[0] >= _KEEP_SECONDS:
                finding = await examine()
                checked = (time.monotonic(), finding)
        return checked[1].response()

    return [Route("/health/live", live), Route("/health/ready", ready)]
