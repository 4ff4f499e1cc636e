"""Structured content of tool results: written into a response as the JSON that it already is.

The SDK would validate, copy and encode the content once more. It is given a placeholder instead,
and whoever writes the response puts the JSON in its place. Handler and writer of a call run in
the same task, so a context variable connects them.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final

from sourcewright.server.backend import CallResult

_FIELD: Final = "structuredContent"
_PLACEHOLDER: Final = {"": "the structured content"}
# No string in JSON can contain this: its quotation marks would be escaped.
_ENCODED_PLACEHOLDER: Final = json.dumps({_FIELD: _PLACEHOLDER}, separators=(",", ":"))[1:-1]

_is_filled_in: ContextVar[bool] = ContextVar("is_filled_in", default=False)
_content: ContextVar[str | None] = ContextVar("content", default=None)


@contextmanager
def filled_responses() -> Iterator[None]:
    """Declare that the responses of calls inside, and in tasks that are started inside, are filled in."""
    token = _is_filled_in.set(True)
    try:
        yield
    finally:
        _is_filled_in.reset(token)


def content_of(result: CallResult) -> dict[str, Any]:
    """Return the structured content for the SDK, which may be a placeholder."""
    if not _is_filled_in.get():
        return result.structured
    _content.set(result.structured_json)
    return _PLACEHOLDER


def fill_in(response: bytes, result: Mapping[str, Any]) -> bytes:
    """Return the encoded response of this result with its structured content.

    The client may have a protocol version without structured content.
    """
    if result.get(_FIELD) != _PLACEHOLDER:
        return response
    content = _content.get()
    if content is None:
        raise AssertionError("a response is written by the task that called the tool")
    start, mark, end = response.partition(_ENCODED_PLACEHOLDER.encode())
    if not mark:
        raise AssertionError("the response has another format than its result")
    # A lone surrogate becomes its escape sequence, which is what JSON has for it.
    encoded = content.encode("utf-8", "backslashreplace")
    return b"".join((start, f'"{_FIELD}":'.encode(), encoded, end))
