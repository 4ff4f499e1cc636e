"""Resources and completions, as the SDK's server serves them."""

from typing import Any

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CompleteRequestParams,
    PaginatedRequestParams,
    ReadResourceRequestParams,
)

from sourcewright.domain.errors import NotFound, ResearchError
from sourcewright.server import identity
from sourcewright.server.backend import Backend

Context = ServerRequestContext[Any, Any]


def register(server: Server[Any], backend: Backend) -> None:
    """Let clients read what the backend shows, and complete what it knows the values of."""

    async def list_resources(_context: Context, _params: PaginatedRequestParams) -> dict[str, Any]:
        return {"resources": list(backend.views().listing()), **_plain()}

    async def list_templates(_context: Context, _params: PaginatedRequestParams) -> dict[str, Any]:
        return {"resourceTemplates": list(backend.views().templates()), **_plain()}

    async def read(_context: Context, params: ReadResourceRequestParams) -> dict[str, Any]:
        uri = str(params.uri)
        try:
            kind, text = await backend.views().read(uri)
        except NotFound as error:
            raise MCPError(INVALID_PARAMS, str(error), {"uri": uri}) from error
        except ResearchError as error:
            raise MCPError(INTERNAL_ERROR, str(error), {"uri": uri}) from error
        content = {"uri": uri, "mimeType": kind, "text": text}
        return {"contents": [content], **_plain()}

    async def complete(_context: Context, params: CompleteRequestParams) -> dict[str, Any]:
        values = list(backend.views().complete(params.argument.name, params.argument.value))
        completion = {"values": values, "total": len(values), "hasMore": False}
        return {"completion": completion, **identity.COMPLETE}

    server.add_request_handler("resources/list", PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, read)
    server.add_request_handler("completion/complete", CompleteRequestParams, complete)


def _plain() -> dict[str, Any]:
    return {**identity.UNCACHED, **identity.COMPLETE}
