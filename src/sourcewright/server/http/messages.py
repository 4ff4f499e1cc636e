"""JSON-RPC messages in HTTP requests: read once, before the request is handled."""

import asyncio
from typing import Any, Final

from sourcewright.base.formats.answer_limits import LimitExceeded
from sourcewright.base.formats.json_structure import structure_checks
from sourcewright.server.http.asgi import Receive, Scope, header_of
from sourcewright.server.identity import MODERN_VERSIONS
from sourcewright.server.stdio import frames
from sourcewright.server.stdio.frames import InvalidMessage

VERSION_HEADER: Final = b"mcp-protocol-version"


class HttpMessage:
    """The body of a request, and what must be known of it before it is handled."""

    def __init__(self, scope: Scope, body: bytes, value: Any) -> None:
        self.body = body
        self.fields: dict[str, Any] = value if isinstance(value, dict) else {}
        """Empty if the body is not a JSON object."""
        self.is_modern = header_of(scope, VERSION_HEADER) in MODERN_VERSIONS
        self.method = self.fields.get("method")
        params, request_id = self.fields.get("params"), self.fields.get("id")
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        self.request_id = request_id if isinstance(request_id, str | int) else None
        self.problem = _problem_of(value)
        """Why the message is refused."""


async def read_message(scope: Scope, receive: Receive) -> HttpMessage:
    """Read the body; it is empty for a method that has none.

    A large one is looked at before it is parsed, with pauses for the requests of others.
    """
    buffer = bytearray()
    more = scope["method"] == "POST"
    while more:
        part = await receive()
        buffer += part.get("body", b"")
        more = part["type"] == "http.request" and part.get("more_body", False)
    body = bytes(buffer)
    try:
        for _ in structure_checks(body):
            await asyncio.sleep(0)
    except LimitExceeded as error:
        return HttpMessage(scope, body, frames.too_large(error))
    return HttpMessage(scope, body, frames.parse(body) if body.strip() else None)


def _problem_of(value: Any) -> InvalidMessage | None:
    """Why a value is refused; the SDK refuses batches, and what calls no method."""
    if isinstance(value, dict) and "method" in value:
        value = frames.classify(value)
    return value if isinstance(value, InvalidMessage) else None
