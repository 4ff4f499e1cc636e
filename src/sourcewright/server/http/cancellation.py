"""Cancellation over stateless HTTP: finds the request that a client no longer wants.

A client of an older protocol version cancels with a notification in a request of its own. The
only thing that connects it with the request in flight is the session id, so the answer to
`initialize` has one, although nothing is stored under it. Ids of requests are unique for one
client only: a cancellation counts if caller, session id and request id are all the same.
"""

import json
import uuid
from typing import Any, Final

import anyio

from sourcewright.domain.tenants import current_caller
from sourcewright.server.http.asgi import AsgiApp, Message, Receive, Scope, Send, replay_body
from sourcewright.server.identity import MODERN_VERSIONS

SESSION_HEADER: Final = b"mcp-session-id"
_VERSION_HEADER: Final = b"mcp-protocol-version"
_MAX_SESSION_ID: Final = 200

Key = tuple[str, str, str, str]


class HttpCalls:
    """The requests in flight of clients that have a session id."""

    def __init__(self) -> None:
        self._scopes: dict[Key, anyio.CancelScope] = {}

    async def handle(self, app: AsgiApp, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on, unless it is a cancellation; give new clients a session id."""
        message = await _message(scope, receive)
        replay = replay_body(message.body, receive)
        session = _header(scope, SESSION_HEADER)[:_MAX_SESSION_ID]
        if message.method == "notifications/cancelled" and session:
            self._cancel(session, message.params.get("requestId"))
        if message.method == "initialize" and not session:
            send = _with_session_id(send)
        if message.request_id is None or not session:
            await app(scope, replay, send)
        else:
            await self._run(app, scope, replay, send, key=_key(session, message.request_id))

    async def _run(
        self, app: AsgiApp, scope: Scope, receive: Receive, send: Send, *, key: Key
    ) -> None:
        answer = _StartedAnswer(send)
        with anyio.CancelScope() as cancellation:
            self._scopes.setdefault(key, cancellation)
            try:
                await app(scope, receive, answer.send)
            finally:
                if self._scopes.get(key) is cancellation:
                    del self._scopes[key]
        if cancellation.cancelled_caught:
            await answer.end()

    def _cancel(self, session: str, request_id: object) -> None:
        if isinstance(request_id, str | int) and (
            found := self._scopes.get(_key(session, request_id))
        ):
            found.cancel()


class _Message:
    """What must be known of a JSON-RPC message before it is handled."""

    def __init__(self, body: bytes, fields: dict[str, Any]) -> None:
        params, request_id = fields.get("params"), fields.get("id")
        self.body = body
        self.method = fields.get("method")
        self.params: dict[str, Any] = params if isinstance(params, dict) else {}
        self.request_id = request_id if isinstance(request_id, str | int) else None


class _StartedAnswer:
    """An answer that is ended in order when its request is cancelled."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self._started = self._ended = False

    async def send(self, message: Message) -> None:
        self._started = self._started or message["type"] == "http.response.start"
        self._ended = message["type"] == "http.response.body" and not message.get("more_body")
        await self._send(message)

    async def end(self) -> None:
        if not self._started:
            headers = [(b"content-type", b"text/event-stream")]
            await self._send({"type": "http.response.start", "status": 200, "headers": headers})
        if not self._ended:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})


async def _message(scope: Scope, receive: Receive) -> _Message:
    """Read the message of a POST request of an older protocol version; others are not looked at."""
    if scope["method"] != "POST":
        return _Message(b"", {})
    body = bytearray()
    more = True
    while more:
        part = await receive()
        body += part.get("body", b"")
        more = part["type"] == "http.request" and part.get("more_body", False)
    is_modern = _header(scope, _VERSION_HEADER) in MODERN_VERSIONS
    return _Message(bytes(body), {} if is_modern else _fields(bytes(body)))


def _fields(body: bytes) -> dict[str, Any]:
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return fields if isinstance(fields, dict) else {}


def _with_session_id(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] == 200:
            own = (SESSION_HEADER, uuid.uuid4().hex.encode())
            message = {**message, "headers": [*message.get("headers", ()), own]}
        await send(message)

    return sending


def _key(session: str, request_id: str | int) -> Key:
    caller = current_caller.get()
    owner = caller.owner if caller else None
    return (owner.tenant if owner else "", owner.user if owner else "", session, repr(request_id))


def _header(scope: Scope, name: bytes) -> str:
    return next((value.decode("latin-1") for key, value in scope["headers"] if key == name), "")
