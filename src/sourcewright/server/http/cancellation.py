"""Cancellation over stateless HTTP: finds the request that a client no longer wants.

A client of an older protocol version cancels with a notification in a request of its own. The
only thing that connects it with the request in flight is the session id, so the answer to
`initialize` has one, although nothing is stored under it. Ids of requests are unique for one
client only: a cancellation counts if caller, session id and request id are all the same.
"""

import uuid
from typing import Final

import anyio

from sourcewright.domain.users.tenants import current_caller
from sourcewright.server.http.asgi import AsgiApp, Message, Receive, Scope, Send, header_of
from sourcewright.server.http.messages import HttpMessage

SESSION_HEADER: Final = b"mcp-session-id"
_MAX_SESSION_ID: Final = 200

Key = tuple[str, str, str, str]


class HttpCalls:
    """The requests in flight of clients that have a session id."""

    def __init__(self) -> None:
        self._scopes: dict[Key, anyio.CancelScope] = {}

    async def handle(
        self, app: AsgiApp, message: HttpMessage, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Pass the request on, and cancel another one if it says so; give new clients a session id."""
        session = "" if message.is_modern else header_of(scope, SESSION_HEADER)[:_MAX_SESSION_ID]
        if message.method == "notifications/cancelled" and session:
            self._cancel(session, message.params.get("requestId"))
        if message.method == "initialize" and not session and not message.is_modern:
            send = _with_session_id(send)
        if message.request_id is None or not session:
            await app(scope, receive, send)
        else:
            await self._run(app, scope, receive, send, key=_key(session, message.request_id))

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
            scope := self._scopes.get(_key(session, request_id))
        ):
            scope.cancel()


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
