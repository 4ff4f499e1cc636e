"""Tool calls over HTTP without the SDK's transport: one request, one response.

The SDK's transport starts several tasks and streams for every request. Nearly every request is a
tool call that ends soon, and needs none of them: it runs in the task of its request, by the
SDK's own server. Whatever is not plainly such a call is left to the SDK's transport.
"""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final

import anyio
from mcp.server.connection import Connection
from mcp.server.lowlevel.server import Server
from mcp.server.runner import ServerRunner
from mcp.shared.dispatcher import CallOptions
from mcp.shared.exceptions import MCPError, NoBackChannelError
from mcp.shared.inbound import (
    ERROR_CODE_HTTP_STATUS,
    InboundModernRoute,
    classify_inbound_request,
)
from mcp.shared.jsonrpc_dispatcher import (
    handler_exception_to_error_data,
    progress_token_from_params,
)
from mcp.shared.message import ServerMessageMetadata
from mcp.shared.transport_context import TransportContext
from mcp_types import DEFAULT_NEGOTIATED_VERSION
from pydantic import TypeAdapter, ValidationError

from sourcewright.server.http.asgi import Receive, Scope, Send
from sourcewright.server.identity import HANDSHAKE_VERSIONS, MODERN_VERSIONS
from sourcewright.server.structured_content import fill_in, filled_responses

_SOON_SECONDS: Final = 0.05
"""Until then a call needs nobody to notice that its client has gone."""
_PING_SECONDS: Final = 15.0
"""A proxy would end a response in which nothing happens for long."""
_JSON, _EVENTS = "application/json", "text/event-stream"
_Headers = tuple[tuple[bytes, bytes], ...]
_JSON_HEADERS: Final[_Headers] = ((b"content-type", b"application/json"),)
_LINE_SEPARATORS: Final = "\x85\u2028\u2029"
"""Where some clients would end the line of an event; JSON escapes other line ends."""
_MESSAGE: Final[TypeAdapter[Any]] = TypeAdapter(Any)
_EVENT_HEADERS: Final[_Headers] = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-cache, no-transform"),
    (b"connection", b"keep-alive"),
    (b"x-accel-buffering", b"no"),
)


@dataclass(frozen=True, slots=True)
class PlainCall:
    """A tool call with nothing unusual about it."""

    request_id: str | int
    params: dict[str, Any]
    headers: Mapping[str, str]
    """Read by `TraceContext`, which finds them in the SDK's own requests too."""
    route: InboundModernRoute
    is_modern: bool


def plain_call(scope: Scope, fields: Mapping[str, Any]) -> PlainCall | None:
    """Return the call; None for any other request, and for one that the SDK may refuse."""
    request_id, params = fields.get("id"), fields.get("params")
    if fields.get("method") != "tools/call" or fields.get("jsonrpc") != "2.0":
        return None
    if isinstance(request_id, bool) or not isinstance(request_id, str | int):
        return None
    if not isinstance(params, dict):
        return None
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
    if len(headers) != len(scope["headers"]) or not _is_usual(headers):
        return None
    version = headers.get("mcp-protocol-version", DEFAULT_NEGOTIATED_VERSION)
    route = (
        InboundModernRoute(version, None, None)
        if version in HANDSHAKE_VERSIONS
        else classify_inbound_request(fields, headers=headers)
    )
    if not isinstance(route, InboundModernRoute):
        return None
    return PlainCall(request_id, params, headers, route, version in MODERN_VERSIONS)


def _is_usual(headers: Mapping[str, str]) -> bool:
    sent = headers.get("content-type", "").partition(";")[0]
    return sent == _JSON and _accepts_both(headers.get("accept", ""))


@lru_cache(maxsize=64)
def _accepts_both(accept: str) -> bool:
    kinds = {kind.partition(";")[0].strip() for kind in accept.split(",")}
    return {_JSON, _EVENTS} <= kinds


class Exchange:
    """One call and its response: the dispatch context of the SDK for it."""

    can_send_request = False

    def __init__(self, call: PlainCall, receive: Receive, send: Send) -> None:
        self._call = call
        self._receive = receive
        self._send = send
        self._stream_lock = asyncio.Lock()
        self._is_stream = False
        self._progress_token = progress_token_from_params(call.params)
        self.request_id = call.request_id
        self.transport = TransportContext(kind="streamable-http", can_send_request=False)
        self.message_metadata = ServerMessageMetadata(request_context=call)

    @cached_property
    def cancel_requested(self) -> anyio.Event:
        """Made for who asks: making one takes as long as several steps of a call."""
        return anyio.Event()

    async def run(self, server: Server[Any]) -> None:
        """Call the tool and send its response; give it up if the client goes."""
        watch: list[asyncio.Task[None]] = []
        with anyio.CancelScope() as cancellation:
            timer = asyncio.get_running_loop().call_later(
                _SOON_SECONDS,
                lambda: watch.append(asyncio.create_task(self._watch(cancellation))),
            )
            try:
                message, status = await self._answer(server)
            finally:
                timer.cancel()
                for task in watch:
                    task.cancel()
            await self._end(message, status)

    async def _answer(self, server: Server[Any]) -> tuple[dict[str, Any], int]:
        """Return the JSON-RPC message that answers the call, and its HTTP status."""
        route, params = self._call.route, self._call.params
        connection = Connection.from_envelope(
            route.protocol_version, route.client_info, route.client_capabilities
        )
        head = {"jsonrpc": "2.0", "id": self.request_id}
        try:
            with filled_responses():
                # Not `serve_one`, which also closes what handlers leave open: ours leave nothing.
                result = await ServerRunner(server, connection, {}).on_request(
                    self, "tools/call", params
                )
        except (MCPError, ValidationError) as failure:
            error = handler_exception_to_error_data(failure)
            if error is None:
                raise
            status = ERROR_CODE_HTTP_STATUS.get(error.code, 200) if self._call.is_modern else 200
            return {**head, "error": error.model_dump(mode="json", exclude_none=True)}, status
        return {**head, "result": result}, 200

    async def _end(self, message: Mapping[str, Any], status: int) -> None:
        """Send the answer: as an event to older clients, and where events were sent before."""
        if self._is_stream:
            async with self._stream_lock:
                await self._write(_event(message), more=False)
            return
        is_modern = self._call.is_modern
        body = _encoded(message) if is_modern else _event(message)
        headers = _JSON_HEADERS if is_modern else _EVENT_HEADERS
        length = (b"content-length", str(len(body)).encode())
        await self._start(status, (*headers, length))
        await self._write(body, more=False)

    async def _watch(self, cancellation: anyio.CancelScope) -> None:
        """Cancel the call when its client goes, and let it hear from us meanwhile."""
        if not self._call.is_modern:
            await self._stream(b"")
        while True:
            try:
                async with asyncio.timeout(_PING_SECONDS):
                    message = await self._receive()
            except TimeoutError:
                await self._stream(b": ping\r\n\r\n")
            else:
                if message["type"] == "http.disconnect":
                    cancellation.cancel()
                    return

    async def notify(
        self, method: str, params: Mapping[str, Any] | None, _opts: CallOptions | None = None
    ) -> None:
        """Send a notification to the client, as an event before the answer."""
        message = {"jsonrpc": "2.0", "method": method}
        await self._stream(_event({**message, "params": dict(params)} if params else message))

    async def progress(
        self, progress: float, total: float | None = None, message: str | None = None
    ) -> None:
        if self._progress_token is None:
            return
        params = {"progressToken": self._progress_token, "progress": progress}
        known = {"total": total, "message": message}
        params |= {name: value for name, value in known.items() if value is not None}
        await self.notify("notifications/progress", params)

    async def send_raw_request(
        self, method: str, _params: Mapping[str, Any] | None, _opts: CallOptions | None = None
    ) -> dict[str, Any]:
        """Refuse: the client could not answer."""
        raise NoBackChannelError(method)

    async def _stream(self, event: bytes) -> None:
        async with self._stream_lock:
            if not self._is_stream:
                self._is_stream = True
                await self._start(200, _EVENT_HEADERS)
            if event:
                await self._write(event, more=True)

    async def _start(self, status: int, headers: _Headers) -> None:
        start = {"type": "http.response.start", "status": status, "headers": [*headers]}
        await self._send(start)

    async def _write(self, body: bytes, *, more: bool) -> None:
        await self._send({"type": "http.response.body", "body": body, "more_body": more})


def _encoded(message: Mapping[str, Any]) -> bytes:
    try:
        body = _MESSAGE.dump_json(message)
    except ValueError:
        # Lone surrogates, which pydantic does not write.
        body = json.dumps(message, separators=(",", ":")).encode()
    return fill_in(body, message.get("result", {}))


def _event(message: Mapping[str, Any]) -> bytes:
    data = _encoded(message)
    for character in _LINE_SEPARATORS:
        data = data.replace(character.encode(), f"\\u{ord(character):04x}".encode())
    return b"event: message\r\ndata: " + data + b"\r\n\r\n"
