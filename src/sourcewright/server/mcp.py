"""The SDK's low-level server, with our tools behind it."""

from functools import cache
from typing import Any

from mcp.server.caching import CacheHint
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import INTERNAL_ERROR, INVALID_PARAMS, CallToolRequestParams, PaginatedRequestParams

from sourcewright.domain.errors import ResearchError
from sourcewright.server import identity, lists, reading
from sourcewright.server.backend import Backend, Listing
from sourcewright.server.calls import Calls
from sourcewright.server.progress import ProgressReport

Context = ServerRequestContext[Any, Any]


def build(backend: Backend, instructions: str, calls: Calls) -> Server[Any]:
    """Register the tools of a backend."""
    server: Server[Any] = Server(
        identity.NAME,
        version=identity.VERSION,
        title=identity.TITLE,
        instructions=instructions,
        cache_hints={"server/discover": CacheHint(ttl_ms=identity.FIXED_MS)},
    )
    # Spans without an exporter tell nobody anything, and they cost on every call.
    server.middleware.clear()
    names = frozenset(backend.names())

    @cache
    def listing() -> list[Listing]:
        """Describe the tools on demand: the front has told most clients, and schemas take time."""
        return list(backend.listing())

    async def list_tools(_context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        return lists.page(params, "tools", listing())

    async def call_tool(context: Context, params: CallToolRequestParams) -> dict[str, Any]:
        if params.name not in names:
            raise MCPError(INVALID_PARAMS, f"Unknown tool: {params.name}")
        arguments = {} if params.arguments is None else params.arguments
        try:
            progress = ProgressReport(context.session.report_progress).tell
            call = backend.call(params.name, arguments, progress=progress)
            outcome = await calls.run(call) or backend.interrupted(params.name, arguments)
        except ResearchError as error:
            raise MCPError(INTERNAL_ERROR, str(error)) from error
        body: dict[str, Any] = {
            "content": [{"type": "text", "text": outcome.text}, *outcome.links],
            "structuredContent": outcome.structured,
            "isError": outcome.is_error,
            **identity.COMPLETE,
        }
        return {**body, "_meta": outcome.meta} if outcome.meta else body

    server.add_request_handler("tools/list", PaginatedRequestParams, list_tools)
    server.add_request_handler("tools/call", CallToolRequestParams, call_tool)
    reading.register(server, backend)
    return server
