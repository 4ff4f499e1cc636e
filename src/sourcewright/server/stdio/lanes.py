"""Lanes: limits concurrent requests of one kind, so that many of one kind do not delay others.

The SDK takes one message per iteration of the event loop, and every request in flight may run in
each iteration. A thousand searches in flight would therefore delay a ping by all of them. So only
a few requests of one kind (one method, one tool) are passed to the SDK at once; the rest wait
here in the order of arrival, and cost nothing but memory.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable
from typing import Final

from sourcewright.server.stdio.frames import RequestId, RpcRequest

MAX_CONCURRENT: Final = 16
"""More concurrent calls of one tool than real clients make, and few enough to stay responsive."""
_MAX_QUEUED: Final = 10_000
_MAX_QUEUED_BYTES: Final = 16 * 1024 * 1024
"""Above these limits of queued requests nothing more is read from the client."""

Lane = tuple[str, str]


class Lanes:
    """Starts each request as soon as its lane is below the limit and `may_start` allows it."""

    def __init__(
        self, at_once: int, start: Callable[[RpcRequest], None], may_start: Callable[[], bool]
    ) -> None:
        self._at_once: float = at_once
        self._start = start
        self._may_start = may_start
        self._waiting: dict[Lane, deque[tuple[RpcRequest, int]]] = {}
        self._running: Counter[Lane] = Counter()
        self._lanes: defaultdict[RequestId, deque[Lane]] = defaultdict(deque)
        self._queued = self._queued_bytes = 0

    @property
    def is_full(self) -> bool:
        """Whether so much is queued that no more should be read."""
        return self._queued >= _MAX_QUEUED or self._queued_bytes >= _MAX_QUEUED_BYTES

    def put(self, request: RpcRequest, size: int) -> None:
        lane = _lane_of(request)
        self._waiting.setdefault(lane, deque()).append((request, size))
        self._queued += 1
        self._queued_bytes += size
        self._advance(lane)

    def finish(self, request_id: RequestId) -> None:
        """Count a request as answered, and start the next one of its kind."""
        if request_id in self._lanes:
            lane = self._lanes[request_id].popleft()
            if not self._lanes[request_id]:
                del self._lanes[request_id]
            self._running[lane] -= 1
            if not self._running[lane]:
                del self._running[lane]
            self._advance(lane)

    def drop(self, request_id: object) -> RpcRequest | None:
        """Remove a queued request that the client cancelled, and return it; None if not queued."""
        for lane, waiting in self._waiting.items():
            for request, size in waiting:
                # Some clients send the numeric id as a string when they cancel.
                if str(request.id) == str(request_id):
                    waiting.remove((request, size))
                    self._forget_if_empty(lane)
                    self._subtract(size)
                    return request
        return None

    def resume(self) -> None:
        """Start the queued requests that may start now."""
        for lane in tuple(self._waiting):
            self._advance(lane)

    def open(self) -> None:
        """Start everything that is queued: during shutdown each is answered at once."""
        self._at_once = float("inf")
        self._may_start = lambda: True
        self.resume()

    def _advance(self, lane: Lane) -> None:
        waiting = self._waiting.get(lane, deque())
        while waiting and self._running[lane] < self._at_once and self._may_start():
            request, size = waiting.popleft()
            self._subtract(size)
            self._running[lane] += 1
            self._lanes[request.id].append(lane)
            self._start(request)
        self._forget_if_empty(lane)

    def _subtract(self, size: int) -> None:
        self._queued -= 1
        self._queued_bytes -= size

    def _forget_if_empty(self, lane: Lane) -> None:
        if lane in self._waiting and not self._waiting[lane]:
            del self._waiting[lane]


def _lane_of(request: RpcRequest) -> Lane:
    name = (request.params or {}).get("name") if request.method == "tools/call" else None
    return request.method, name if isinstance(name, str) else ""
