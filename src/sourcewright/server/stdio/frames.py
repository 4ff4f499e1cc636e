"""JSON-RPC messages: parses one line into a message, and writes a message as one line."""

import json
import re
from typing import Any, Final, NamedTuple

from sourcewright.base.formats.answer_limits import LimitExceeded
from sourcewright.base.formats.json_structure import TooDeep, check_structure

PARSE_ERROR: Final = -32700
INVALID_REQUEST: Final = -32600
INVALID_PARAMS: Final = -32602
INTERNAL_ERROR: Final = -32603

RequestId = str | int

_LONE_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_ESCAPED_SURROGATE: Final = re.compile(r"\\u[dD][89a-fA-F]")


class RpcRequest(NamedTuple):
    """A JSON-RPC request, which needs a response."""

    id: RequestId
    method: str
    params: dict[str, Any] | None


class Notification(NamedTuple):
    """A JSON-RPC notification, which gets no response."""

    method: str
    params: dict[str, Any] | None


class ClientResponse(NamedTuple):
    """A response of the client to a request of the server."""

    id: RequestId
    body: dict[str, Any]


class InvalidMessage(NamedTuple):
    """An invalid message, and the error to respond with."""

    id: RequestId | None
    code: int
    message: str


SingleMessage = RpcRequest | Notification | ClientResponse | InvalidMessage | None


class MessageBatch(NamedTuple):
    """A JSON array of messages, which only protocol version 2025-03-26 allows."""

    messages: tuple[SingleMessage, ...]


Message = SingleMessage | MessageBatch

MAX_LINE: Final = 16 * 1024 * 1024
"""Maximum bytes of a message; real messages are far smaller."""

NO_BATCHES: Final = InvalidMessage(
    None, INVALID_REQUEST, "Invalid Request: batches are not supported in this protocol version"
)
TOO_LONG: Final = InvalidMessage(
    None, INVALID_REQUEST, f"Invalid Request: a message may have at most {MAX_LINE} bytes"
)


def read(line: bytes) -> Message:
    """Parse a line; None for a blank line and for an invalid notification."""
    if not line.strip():
        return None
    try:
        check_structure(line)
    except LimitExceeded as error:
        return too_large(error)
    body = parse(line)
    if isinstance(body, list) and body:
        return MessageBatch(tuple(classify(item) for item in body))
    return body if isinstance(body, InvalidMessage) else classify(body)


def too_large(error: LimitExceeded) -> InvalidMessage:
    """The error for a message whose structure was refused before it was parsed."""
    if isinstance(error, TooDeep):
        return InvalidMessage(None, PARSE_ERROR, f"Parse error: {error}")
    return InvalidMessage(None, INVALID_REQUEST, f"Invalid Request: {error}")


def parse(text: bytes) -> Any:
    """The JSON value of a text whose structure has been checked, or why it is refused."""
    try:
        decoded = text.decode()
        body = json.loads(decoded, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return InvalidMessage(
            None, PARSE_ERROR, "Parse error: the message is not UTF-8 encoded JSON"
        )
    if _has_lone_surrogate(decoded, body):
        known = _id_of(body) if isinstance(body, dict) else None
        return InvalidMessage(known, PARSE_ERROR, "Parse error: lone surrogates are not allowed")
    return body


def _has_lone_surrogate(text: str, body: Any) -> bool:
    """Whether the message contains a lone surrogate, which cannot be encoded as UTF-8."""
    return bool(
        _ESCAPED_SURROGATE.search(text)
        and _LONE_SURROGATE.search(json.dumps(body, ensure_ascii=False))
    )


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")


def classify(body: Any) -> SingleMessage:
    """The message that a JSON value is."""
    if not isinstance(body, dict):
        return InvalidMessage(
            None, INVALID_REQUEST, "Invalid Request: a message must be an object"
        )
    known = _id_of(body)
    if "id" in body and known is None:
        return InvalidMessage(
            None, INVALID_REQUEST, "Invalid Request: an id must be a string or an integer"
        )
    if body.get("jsonrpc") != "2.0":
        return InvalidMessage(known, INVALID_REQUEST, 'Invalid Request: jsonrpc must be "2.0"')
    if "method" in body:
        return _classify_call(body, known)
    if known is not None and ("result" in body or "error" in body):
        return ClientResponse(known, body)
    return InvalidMessage(known, INVALID_REQUEST, "Invalid Request: method is missing")


def _classify_call(body: dict[str, Any], known: RequestId | None) -> SingleMessage:
    method = body["method"]
    params = body.get("params")
    if not isinstance(method, str):
        return InvalidMessage(known, INVALID_REQUEST, "Invalid Request: method must be a string")
    if params is not None and not isinstance(params, dict):
        if known is None:
            return None
        return InvalidMessage(known, INVALID_PARAMS, "Invalid params: params must be an object")
    return Notification(method, params) if known is None else RpcRequest(known, method, params)


def _id_of(body: dict[str, Any]) -> RequestId | None:
    value = body.get("id")
    if isinstance(value, str) and _LONE_SURROGATE.search(value):
        return None
    return value if isinstance(value, str | int) and not isinstance(value, bool) else None


def encode_line(body: dict[str, Any]) -> bytes:
    """Encode a message as one line."""
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


def result(request_id: RequestId, body: dict[str, Any]) -> bytes:
    """Encode a success response."""
    return encode_line({"jsonrpc": "2.0", "id": request_id, "result": body})


def error(request_id: RequestId | None, code: int, message: str, data: Any = None) -> bytes:
    """Encode an error response."""
    problem: dict[str, Any] = {"code": code, "message": message}
    if data is not None:
        problem["data"] = data
    return encode_line({"jsonrpc": "2.0", "id": request_id, "error": problem})
