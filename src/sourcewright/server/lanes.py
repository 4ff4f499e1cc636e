"""Lanes: how many requests of one kind are in flight, so that a flood of one delays no other.

The SDK takes one message per turn of the event loop, and every request in flight may run in each
turn. A thousand searches in flight would therefore make a ping wait for all of them. So only a few
requests of one kind (one method, one tool) are handed to the SDK at once; the rest wait here, in
the order of their arrival, where they cost nothing but their own size.
"""

from collections import Counter, defaultdict, deque
from collections.abc import Callable
from typing import Final

from sourcewright.server.frames import Request, RequestId

AT_ONCE: Final = 16
"""More than any client asks of one tool in earnest, and little enough to be quick."""
_MOST_HELD: Final = 10_000
_MOST_HELD_BYTES: Final = 16 * 1024 * 1024
"""A client that has so much waiting is not listened to until some of it is done."""

Lane = tuple[str, str]


class Lanes:
    """Starts each request when its lane has room, and none while nothing may be started."""

    def __init__(
        self, at_once: int, start: Callable[[Request], None], may_start: Callable[[], bool]
    ) -> None:
        self._at_once: float = at_once
        self._start = start
        self._may_start = may_start
        self._waiting: dict[Lane, deque[tuple[Request, int]]] = {}
        self._running: Counter[Lane] = Counter()
        self._lanes: defaultdict[RequestId, deque[Lane]] = defaultdict(deque)
        self._held = self._held_bytes = 0

    @property
    def is_full(self) -> bool:
        """Whether so much waits that no more should be read."""
        return self._held >= _MOST_HELD or self._held_bytes >= _MOST_HELD_BYTES

    def put(self, request: Request, size: int) -> None:
        lane = _lane_of(request)
        self._waiting.setdefault(lane, deque()).append((request, size))
        self._held += 1
        self._held_bytes += size
        self._advance(lane)

    def settle(self, request_id: RequestId) -> None:
        """Count a request as answered; one more of its kind may start."""
        if request_id in self._lanes:
            lane = self._lanes[request_id].popleft()
            if not self._lanes[request_id]:
                del self._lanes[request_id]
            self._running[lane] -= 1
            if not self._running[lane]:
                del self._running[lane]
            self._advance(lane)

    def drop(self, request_id: object) -> Request | None:
        """Give a waiting request that its client cancelled, which then is never started."""
        for lane, waiting in self._waiting.items():
            for request, size in waiting:
                # Some clients cancel under the text of a number.
                if str(request.id) == str(request_id):
                    waiting.remove((request, size))
                    self._forget_if_empty(lane)
                    self._let_go(size)
                    return request
        return None

    def resume(self) -> None:
        """Start what may be started again."""
        for lane in tuple(self._waiting):
            self._advance(lane)

    def open(self) -> None:
        """Start everything that waits: the server is leaving, and answers each at once."""
        self._at_once = float("inf")
        self._may_start = lambda: True
        self.resume()

    def _advance(self, lane: Lane) -> None:
        waiting = self._waiting.get(lane, deque())
        while waiting and self._running[lane] < self._at_once and self._may_start():
            request, size = waiting.popleft()
            self._let_go(size)
            self._running[lane] += 1
            self._lanes[request.id].append(lane)
            self._start(request)
        self._forget_if_empty(lane)

    def _let_go(self, size: int) -> None:
        self._held -= 1
        self._held_bytes -= size

    def _forget_if_empty(self, lane: Lane) -> None:
        if lane in self._waiting and not self._waiting[lane]:
            del self._waiting[lane]


def _lane_of(request: Request) -> Lane:
    name = (request.params or {}).get("name") if request.method == "tools/call" else None
    return request.method, name if isinstance(name, str) else ""
