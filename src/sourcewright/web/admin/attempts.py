"""Failed attempts to guess the admin key: after ten in a minute, an address has to wait."""

from collections import OrderedDict

from sourcewright.domain.ports import Clock
from sourcewright.domain.quotas import RequestRate
from sourcewright.web.headers import client_network

_RATE = RequestRate(name="wrong admin keys", requests=10, seconds=60.0)
_MAX_NETWORKS = 1000
"""Networks that are remembered; those whose last attempt is the oldest are forgotten first."""


class FailedAttempts:
    """Counts wrong keys by address; an address that has to wait is not even told of a right one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._marks: OrderedDict[str, float] = OrderedDict()

    def wait(self, address: str | None) -> float:
        """Return for how many seconds no key is accepted from this address; 0 for not at all."""
        mark = self._marks.get(client_network(address), float("-inf"))
        return _RATE.wait(mark, self._clock.monotonic())

    def count(self, address: str | None) -> None:
        network, now = client_network(address), self._clock.monotonic()
        self._marks[network] = _RATE.next_mark(self._marks.get(network, now), now)
        self._marks.move_to_end(network)
        while len(self._marks) > _MAX_NETWORKS:
            self._marks.popitem(last=False)
