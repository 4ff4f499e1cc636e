"""Lists of one page: the check of the cursor, and how long a client may keep the list."""

from collections.abc import Sequence
from typing import Any

from mcp.shared.exceptions import MCPError
from mcp_types import INVALID_PARAMS, PaginatedRequestParams

from sourcewright.server import identity
from sourcewright.server.backend import Listing


def page(params: PaginatedRequestParams, name: str, items: Sequence[Listing]) -> dict[str, Any]:
    """Give the whole list under its name.

    Raises:
        MCPError: The client asks for a page that we never told it of.
    """
    if params.cursor is not None:
        raise MCPError(INVALID_PARAMS, f"Unknown cursor: the list of {name} has one page")
    return {name: list(items), **identity.FIXED, **identity.COMPLETE}
