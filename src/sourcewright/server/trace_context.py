"""Trace context: a call continues the trace that its client has sent, in `_meta` or a header."""

from collections.abc import Mapping
from typing import Any

from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext

from sourcewright.server.backend import Continuing


class TraceContext(ServerMiddleware[Any]):
    """Passes what a client says about its trace on to the one that makes spans."""

    def __init__(self, continuing: Continuing) -> None:
        self._continuing = continuing

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        headers: Mapping[str, Any] = getattr(ctx.request, "headers", None) or {}
        meta: Mapping[str, Any] = ctx.meta or {}
        with self._continuing(meta if "traceparent" in meta else headers):
            return await call_next(ctx)
