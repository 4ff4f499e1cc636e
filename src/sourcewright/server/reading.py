"""Registers MCP resources and completions with the SDK's server."""

from collections.abc import Sequence
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CompleteRequestParams,
    PaginatedRequestParams,
    PromptReference,
    ReadResourceRequestParams,
)

from sourcewright.domain.errors import NotFound, ResearchError
from sourcewright.server import identity, lists
from sourcewright.server.backend import Backend, ReadsResources

Context = ServerRequestContext[Any, Any]

RESOURCE_NOT_FOUND: Final = -32002
"""Error code of protocol versions with a handshake; later ones use INVALID_PARAMS."""


def register(server: Server[Any], backend: Backend) -> None:
    """Add the request handlers for resources and for completions of their arguments."""

    async def list_resources(_context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        return lists.list_page(params, "resources", backend.views().listing())

    async def list_templates(_context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        return lists.list_page(params, "resourceTemplates", backend.views().templates())

    async def read(context: Context, params: ReadResourceRequestParams) -> dict[str, Any]:
        uri = str(params.uri)
        try:
            kind, text = await backend.views().read(uri)
        except NotFound as error:
            raise MCPError(_not_found_code(context), str(error), {"uri": uri}) from error
        except ResearchError as error:
            raise MCPError(INTERNAL_ERROR, str(error), {"uri": uri}) from error
        content = {"uri": uri, "mimeType": kind, "text": text}
        return {"contents": [content], **identity.UNCACHED_HINT, **identity.COMPLETE_RESULT}

    async def complete(_context: Context, params: CompleteRequestParams) -> dict[str, Any]:
        values = list(_completions(backend.views(), params))
        completion = {"values": values, "total": len(values), "hasMore": False}
        return {"completion": completion, **identity.COMPLETE_RESULT}

    server.add_request_handler("resources/list", PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, read)
    server.add_request_handler("completion/complete", CompleteRequestParams, complete)


def _completions(views: ReadsResources, params: CompleteRequestParams) -> Sequence[str]:
    """Return the matching values; there are no prompts to complete."""
    if isinstance(params.ref, PromptReference):
        raise MCPError(INVALID_PARAMS, f"Unknown prompt: {params.ref.name}")
    uri, argument = str(params.ref.uri), params.argument
    try:
        return views.complete(uri, argument.name, argument.value)
    except NotFound as error:
        raise MCPError(INVALID_PARAMS, str(error), {"uri": uri}) from error


def _not_found_code(context: Context) -> int:
    """Return the error code for an unknown resource in the client's protocol version."""
    modern = context.protocol_version in identity.MODERN_VERSIONS
    return INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
