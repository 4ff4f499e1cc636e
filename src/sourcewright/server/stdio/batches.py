"""JSON-RPC batches: several requests in one line, answered by one line with all responses."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Final

from sourcewright.server.stdio import frames
from sourcewright.server.stdio.frames import (
    InvalidMessage,
    MessageBatch,
    RequestId,
    RpcRequest,
    SingleMessage,
)

VERSION: Final = "2025-03-26"
"""The only protocol version with batches."""

_NO_INITIALIZE: Final = "Invalid Request: initialize cannot be part of a batch"


class _PendingBatch:
    """A batch that still waits for responses."""

    def __init__(self) -> None:
        self.missing = 0
        self.lines: list[bytes] = []


class Batches:
    """Collects responses until their batch is complete."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._pending: defaultdict[RequestId, deque[_PendingBatch]] = defaultdict(deque)

    def split(self, batch: MessageBatch) -> Iterator[SingleMessage]:
        """Register a batch, and yield its messages for separate handling."""
        answers = _PendingBatch()
        messages_in_batch = [_refuse_initialize(message) for message in batch.messages]
        for message in messages_in_batch:
            if isinstance(message, InvalidMessage):
                answers.lines.append(frames.error(*message))
            elif isinstance(message, RpcRequest):
                answers.missing += 1
                self._pending[message.id].append(answers)
        self._close_if_complete(answers)
        yield from (
            message for message in messages_in_batch if not isinstance(message, InvalidMessage)
        )

    def keep(self, request_id: RequestId, line: bytes | None) -> bool:
        """Store the response (None: there is none) if the request is part of a batch; else False."""
        if request_id not in self._pending:
            return False
        answers = self._pending[request_id].popleft()
        if not self._pending[request_id]:
            del self._pending[request_id]
        if line is not None:
            answers.lines.append(line)
        answers.missing -= 1
        self._close_if_complete(answers)
        return True

    def _close_if_complete(self, answers: _PendingBatch) -> None:
        if not answers.missing and answers.lines:
            self._send(b"[" + b",".join(line.rstrip(b"\n") for line in answers.lines) + b"]\n")


def _refuse_initialize(message: SingleMessage) -> SingleMessage:
    if isinstance(message, RpcRequest) and message.method == "initialize":
        return InvalidMessage(message.id, frames.INVALID_REQUEST, _NO_INITIALIZE)
    return message
