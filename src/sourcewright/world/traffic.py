"""The request log of the simulated internet, and clients that disconnected."""

import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from threading import Condition

from sourcewright.world.messages import Request


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenRequest:
    """One request that arrived. `at` is the machine's monotonic clock, in seconds."""

    host: str
    method: str
    path: str
    query: str
    headers: dict[str, str]
    at: float
    scheme: str = "https"
    body: bytes = b""

    def to_json(self) -> dict[str, object]:
        return asdict(self) | {"body": self.body.decode(errors="replace")}


class Traffic:
    """A log that is written by many threads and read by tests."""

    def __init__(self) -> None:
        self._changed = Condition()
        self._seen: list[SeenRequest] = []
        self._hung_up: list[str] = []

    def note(self, request: Request) -> None:
        seen = SeenRequest(
            host=request.host,
            method=request.method,
            path=request.path,
            query=request.query,
            headers=dict(request.headers),
            at=time.monotonic(),
            scheme=request.scheme,
            body=request.body,
        )
        with self._changed:
            self._seen.append(seen)
            self._changed.notify_all()

    def note_hang_up(self, host: str) -> None:
        with self._changed:
            self._hung_up.append(host)
            self._changed.notify_all()

    def seen(self, host: str | None = None) -> list[SeenRequest]:
        with self._changed:
            return [seen for seen in self._seen if host in (None, seen.host)]

    def hung_up(self, host: str | None = None) -> int:
        with self._changed:
            return sum(1 for name in self._hung_up if host in (None, name))

    def forget(self) -> None:
        with self._changed:
            self._seen.clear()
            self._hung_up.clear()

    def wait(self, holds: Callable[[], bool], seconds: float) -> bool:
        """Wait until `holds` is true, checked at every change; return whether it became true."""
        # Condition's lock is re-entrant, so `holds` may call the readers above.
        with self._changed:
            return self._changed.wait_for(holds, seconds)
