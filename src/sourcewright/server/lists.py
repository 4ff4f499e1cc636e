"""MCP list responses: one page each, with cursor check and cache hint."""

from collections.abc import Sequence
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PaginatedRequestParams

from sourcewright.server import identity
from sourcewright.server.backend import Listing


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
