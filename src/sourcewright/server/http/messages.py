"""JSON-RPC messages in HTTP requests: read once, before the request is handled."""

import json
from typing import Any, Final

from sourcewright.server.http.asgi import Receive, Scope, header_of
from sourcewright.server.identity import MODERN_VERSIONS

VERSION_HEADER: Final = b"mcp-protocol-version"


class HttpMessage:
    """The body of a request, and what must be known of it before it is handled."""

    def __init__(self, scope: Scope, body: bytes) -> None:
        self.body = body
        self.fields = _fields(body)
        """Empty if the body is not a JSON object."""
        self.is_modern = header_of(scope, VERSION_HEADER) in MODERN_VERSIONS
        self.method = self.fields.get("method")
        params, request_id = self.fields.get("params"), self.fields.get("id")
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        self.request_id = request_id if isinstance(request_id, str | int) else None


async def read_message(scope: Scope, receive: Receive) -> HttpMessage:
    """Read the body; it is empty for a method that has none."""
    body = bytearray()
    more = scope["method"] == "POST"
    while more:
        part = await receive()
        body += part.get("body", b"")
        more = part["type"] == "http.request" and part.get("more_body", False)
    return HttpMessage(scope, bytes(body))


def _fields(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}
