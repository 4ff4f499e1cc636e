"""Registers the tools with the SDK's low-level server: calls in flight, and their trace context."""

import json
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import replace
from functools import cache
from typing import Any, TypeVar

import anyio
from mcp.server.caching import CacheHint
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from sourcewright.base.calls import NO_CALL, Progress
from sourcewright.base.errors import ResearchError
from sourcewright.base.text.similar_names import MAX_NAME, similar_names
from sourcewright.server import identity
from sourcewright.server import resources as reading
from sourcewright.server.backend import Backend, Continuing, Listing
from sourcewright.server.progress import ProgressReport
from sourcewright.server.structured_content import content_of

Context = ServerRequestContext[Any, Any]
T = TypeVar("T")

_NO_OBJECT = "\0no object"
"""The key under which arguments that are no object pass the SDK."""
_HEADER_KEYWORD = "x-mcp-header"
"""In the schema of an argument: the header that repeats it."""


class Calls:
    """Runs tool calls until shutdown interrupts them; the SDK handles cancellation by clients."""

    def __init__(self) -> None:
        self._scopes: set[anyio.CancelScope] = set()
        self._interrupted = False

    async def run(self, call: Awaitable[T]) -> T | None:
        """Return the result of the call; None if it was interrupted."""
        with anyio.CancelScope() as scope:
            if self._interrupted:
                # Started nevertheless, so that it ends like any other call and is recorded.
                scope.cancel()
            self._scopes.add(scope)
            try:
                return await call
            finally:
                self._scopes.discard(scope)
        return None

    def interrupt(self) -> None:
        """Cancel every call, including later ones."""
        self._interrupted = True
        for scope in tuple(self._scopes):
            scope.cancel()


class TraceContext(ServerMiddleware[Any]):
    """Passes on what a client says about its trace, in `_meta` or a header, to who makes spans."""

    def __init__(self, continuing: Continuing) -> None:
        self._continuing = continuing

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        headers: Mapping[str, Any] = getattr(ctx.request, "headers", None) or {}
        meta: Mapping[str, Any] = ctx.meta or {}
        with self._continuing(meta if "traceparent" in meta else headers):
            return await call_next(ctx)


class ArgumentsOfAnyKind(ServerMiddleware[Any]):
    """Lets the tool refuse arguments that are no object, in the words of its family.

    The SDK refuses the request before its handler, and does not say what is wrong with it.
    """

    async def __call__(
        self, ctx: ServerRequestContext[Any, Any], call_next: CallNext
    ) -> HandlerResult:
        params = ctx.params or {}
        arguments = params.get("arguments") if ctx.method == "tools/call" else None
        if arguments is not None and not isinstance(arguments, dict):
            ctx = replace(ctx, params={**params, "arguments": {_NO_OBJECT: arguments}})
        return await call_next(ctx)


def _progress_of(context: Context) -> Progress:
    """Return what reports progress, which most clients do not ask for."""
    if "progress_token" not in (context.meta or {}):
        return NO_CALL.progress
    return ProgressReport(context.session.report_progress).tell


def _server(instructions: str, listing: Callable[[], list[Listing]]) -> Server[Any]:
    @cache
    def header_schemas() -> dict[str, Any]:
        """Return the schemas with arguments that clients repeat in headers, by tool.

        Without them, the SDK would list all tools for each call; with all of them, it would
        search the schema for such arguments on each call.
        """
        return {
            tool["name"]: tool["inputSchema"]
            for tool in listing()
            if _HEADER_KEYWORD in json.dumps(tool["inputSchema"])
        }

    server: Server[Any] = Server(
        identity.NAME,
        version=identity.VERSION,
        title=identity.TITLE,
        instructions=instructions,
        cache_hints={"server/discover": CacheHint(ttl_ms=identity.CACHE_MS)},
        get_tool_input_schema=lambda name: header_schemas().get(name),
    )
    # Tracing spans without an exporter are useless, and cost time on every call.
    server.middleware.clear()
    return server


def _unknown_tool(name: str, known: Collection[str]) -> MCPError:
    beginning = name if len(name) <= MAX_NAME else f"{name[:MAX_NAME]}\u2026"
    suggestions = similar_names(name, known)
    hint = f". Did you mean {', '.join(suggestions)}?" if suggestions else ""
    data = {"suggestions": suggestions} if suggestions else None
    return MCPError(INVALID_PARAMS, f"Unknown tool: {beginning}{hint}", data)


def build(backend: Backend, instructions: str, calls: Calls) -> Server[Any]:
    """Build the SDK's server with the tools, prompts and resources of a backend."""

    @cache
    def listing() -> list[Listing]:
        """Build the list on demand: most clients have it from the front, and schemas take time."""
        return identity.listed(backend.listing(), output_schemas=backend.output_schemas)

    server = _server(instructions, listing)
    server.middleware.append(ArgumentsOfAnyKind())
    if backend.continuing:
        server.middleware.append(TraceContext(backend.continuing))
    names = frozenset(backend.names())

    async def list_tools(_context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        return reading.list_page(params, "tools", listing())

    async def call_tool(context: Context, params: CallToolRequestParams) -> dict[str, Any]:
        if params.name not in names:
            raise _unknown_tool(params.name, names)
        arguments: object = {} if params.arguments is None else params.arguments
        if params.arguments and params.arguments.keys() == {_NO_OBJECT}:
            arguments = params.arguments[_NO_OBJECT]
        try:
            call = backend.call(params.name, arguments, progress=_progress_of(context))
            outcome = await calls.run(call) or backend.interrupted(params.name, arguments)
        except ResearchError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from error
        body: dict[str, Any] = {
            "content": [{"type": "text", "text": outcome.text}, *outcome.links],
            "structuredContent": content_of(outcome),
            "isError": outcome.is_error,
            **identity.COMPLETE_RESULT,
        }
        return {**body, "_meta": outcome.meta} if outcome.meta else body

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    reading.register(server, backend)
    return server
