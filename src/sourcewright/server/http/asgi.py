"""Types of ASGI, the interface between the web application and the MCP endpoint."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
AsgiApp = Callable[[Scope, Receive, Send], Awaitable[None]]


def replay_body(body: bytes, receive: Receive) -> Receive:
    """Return the body that was read already, then what the client does next."""
    pending: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def replay() -> Message:
        return pending.pop() if pending else await receive()

    return replay


def headers_of(scope: Scope, name: bytes) -> list[str]:
    """Return the headers of this name, which is in lower case."""
    return [value.decode("latin-1") for key, value in scope["headers"] if key == name]


def header_of(scope: Scope, name: bytes) -> str:
    """Return the first header of this name, which is in lower case; empty if there is none."""
    values = headers_of(scope, name)
    return values[0] if values else ""
