"""Registers MCP resources, prompts and completions with the SDK's server.

List responses have one page each, with cursor check and cache hint.
"""

import asyncio
from base64 import b64encode
from collections.abc import Sequence
from typing import Any, Final

from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel.server import Server
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CompleteRequestParams,
    GetPromptRequestParams,
    PaginatedRequestParams,
    PromptReference,
    ReadResourceRequestParams,
)

from sourcewright.base.errors import InvalidInput, NotFound, ResearchError
from sourcewright.server import identity
from sourcewright.server.backend import Backend, Listing

Context = ServerRequestContext[Any, Any]

RESOURCE_NOT_FOUND: Final = -32002
"""Error code of protocol versions with a handshake; later ones use INVALID_PARAMS."""
MAX_COMPLETIONS: Final = 100
"""Values of one completion, by the protocol."""


def list_page(
    params: PaginatedRequestParams, name: str, items: Sequence[Listing]
) -> dict[str, Any]:
    """Return the whole list under its name.

    Raises:
        MCPError: The request has a cursor, and the server never issues one.
    """
    if params.cursor is not None:
        raise MCPError(INVALID_PARAMS, f"Unknown cursor: the list of {name} has one page")
    return {name: list(items), **identity.CACHE_HINT, **identity.COMPLETE_RESULT}


def register(server: Server[Any], backend: Backend) -> None:
    """Add the request handlers for resources, prompts, and completions of their arguments."""
    _register_resources(server, backend)
    _register_prompts(server, backend)

    async def complete(_context: Context, params: CompleteRequestParams) -> dict[str, Any]:
        values = _completions(backend, params)
        completion = {
            "values": list(values[:MAX_COMPLETIONS]),
            "total": len(values),
            "hasMore": len(values) > MAX_COMPLETIONS,
        }
        return {"completion": completion, **identity.COMPLETE_RESULT}

    server.add_request_handler("completion/complete", CompleteRequestParams, complete)


def _register_resources(server: Server[Any], backend: Backend) -> None:
    async def list_resources(_context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        return list_page(params, "resources", backend.views().listing())

    async def list_templates(_context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        return list_page(params, "resourceTemplates", backend.views().templates())

    async def read(context: Context, params: ReadResourceRequestParams) -> dict[str, Any]:
        uri = str(params.uri)
        try:
            kind, body = await backend.views().read(uri)
        except NotFound as error:
            raise MCPError(_not_found_code(context), str(error), {"uri": uri}) from error
        except ResearchError as error:
            raise MCPError(INTERNAL_ERROR, str(error), {"uri": uri}) from error
        # In a thread, because the PDF of a paper takes time and must not block other calls.
        content = {"uri": uri, "mimeType": kind, **await asyncio.to_thread(_resource_body, body)}
        return {"contents": [content], **identity.UNCACHED_HINT, **identity.COMPLETE_RESULT}

    server.add_request_handler("resources/list", PaginatedRequestParams, list_resources)
    server.add_request_handler("resources/templates/list", PaginatedRequestParams, list_templates)
    server.add_request_handler("resources/read", ReadResourceRequestParams, read)


def _register_prompts(server: Server[Any], backend: Backend) -> None:
    async def list_prompts(_context: Context, params: PaginatedRequestParams) -> dict[str, Any]:
        return list_page(params, "prompts", backend.prompts().listing())

    async def get_prompt(_context: Context, params: GetPromptRequestParams) -> dict[str, Any]:
        try:
            description, contents = backend.prompts().get(params.name, params.arguments or {})
        except (NotFound, InvalidInput) as error:
            raise MCPError(INVALID_PARAMS, str(error), {"prompt": params.name}) from error
        if isinstance(contents, str):
            contents = [{"type": "text", "text": contents}]
        messages = [{"role": "user", "content": content} for content in contents]
        return {"description": description, "messages": messages, **identity.COMPLETE_RESULT}

    server.add_request_handler("prompts/list", PaginatedRequestParams, list_prompts)
    server.add_request_handler("prompts/get", GetPromptRequestParams, get_prompt)


def _resource_body(body: str | bytes) -> dict[str, Any]:
    """Return text as it is and anything else in Base64, with its size."""
    data = body.encode() if isinstance(body, str) else body
    content = {"text": body} if isinstance(body, str) else {"blob": b64encode(data).decode()}
    return {**content, "_meta": {"size": len(data)}}


def _completions(backend: Backend, params: CompleteRequestParams) -> Sequence[str]:
    """Return every matching value of an argument of a prompt or a resource."""
    argument = params.argument
    try:
        if isinstance(params.ref, PromptReference):
            return backend.prompts().complete(params.ref.name, argument.name, argument.value)
        return backend.views().complete(str(params.ref.uri), argument.name, argument.value)
    except NotFound as error:
        raise MCPError(INVALID_PARAMS, str(error)) from error


def _not_found_code(context: Context) -> int:
    """Return the error code for an unknown resource in the client's protocol version."""
    modern = context.protocol_version in identity.MODERN_VERSIONS
    return INVALID_PARAMS if modern else RESOURCE_NOT_FOUND
