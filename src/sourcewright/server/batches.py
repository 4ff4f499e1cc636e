"""Batches: one line of several messages, answered by one line of all their answers."""

from collections import defaultdict, deque
from collections.abc import Callable, Iterator
from typing import Final

from sourcewright.server import frames
from sourcewright.server.frames import Batch, Fault, Request, RequestId, Single

VERSION: Final = "2025-03-26"
"""The only version of the protocol that has them."""

_GREETING: Final = "Invalid Request: initialize cannot be part of a batch"


class _Open:
    """A batch whose answers are not all there yet."""

    def __init__(self) -> None:
        self.missing = 0
        self.lines: list[bytes] = []


class Batches:
    """Holds answers back until their batch is complete."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._open: defaultdict[RequestId, deque[_Open]] = defaultdict(deque)

    def split(self, batch: Batch) -> Iterator[Single]:
        """Yield what is to be handled, each on its own."""
        answers = _Open()
        asked = [_without_greeting(message) for message in batch.messages]
        for message in asked:
            if isinstance(message, Fault):
                answers.lines.append(frames.error(*message))
            elif isinstance(message, Request):
                answers.missing += 1
                self._open[message.id].append(answers)
        self._close_if_complete(answers)
        yield from (message for message in asked if not isinstance(message, Fault))

    def keep(self, request_id: RequestId, line: bytes | None) -> bool:
        """Whether a request came in a batch, which then keeps its answer; None for no answer."""
        if request_id not in self._open:
            return False
        answers = self._open[request_id].popleft()
        if not self._open[request_id]:
            del self._open[request_id]
        if line is not None:
            answers.lines.append(line)
        answers.missing -= 1
        self._close_if_complete(answers)
        return True

    def _close_if_complete(self, answers: _Open) -> None:
        if not answers.missing and answers.lines:
            self._send(b"[" + b",".join(line.rstrip(b"\n") for line in answers.lines) + b"]\n")


def _without_greeting(message: Single) -> Single:
    if isinstance(message, Request) and message.method == "initialize":
        return Fault(message.id, frames.INVALID_REQUEST, _GREETING)
    return message
