"""Remembers how a paper's last fetch ended, so that asking again at once costs nobody anything.

What will not change by itself is said again without asking; what may change is
refused for half a minute. Nothing is remembered across processes.
"""

from collections.abc import Callable
from dataclasses import dataclass

from sourcewright.domain.codes import DISPOSITIONS, Code, Disposition, Repeated
from sourcewright.domain.errors import Denial
from sourcewright.domain.ports import Clock

REPLAYED_SECONDS = 600.0
WAIT_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class _Ending:
    code: Code
    message: str
    at: float
    fingerprint: str
    denial: Denial | None

    @property
    def disposition(self) -> Disposition:
        return DISPOSITIONS[self.code]


class Repeats:
    """The endings of this process's fetches, by store key."""

    def __init__(self, clock: Clock, fingerprint: Callable[[], str]) -> None:
        self._clock = clock
        self._fingerprint = fingerprint
        """Changes when the configuration does, which may lift what was missing."""
        self._endings: dict[str, _Ending] = {}

    def last(self, key: str) -> Repeated | None:
        """What to say instead of asking; None when asking is in order."""
        ending = self._endings.get(key)
        if ending is None or ending.fingerprint != self._fingerprint():
            return None
        age = self._clock.monotonic() - ending.at
        if ending.disposition == "retry_after":
            left = WAIT_SECONDS - age
            return _wait(ending, left) if left > 0 else None
        if age >= REPLAYED_SECONDS:
            return None
        return Repeated(ending.message, code=ending.code, denial=ending.denial)

    def note(
        self, key: str, code: Code | None, message: str = "", denial: Denial | None = None
    ) -> None:
        """Remember an ending; None is a clean success, which clears what was before."""
        self._sweep()
        if code is None:
            self._endings.pop(key, None)
            return
        before = self._endings.get(key) if self.last(key) else None
        now = self._clock.monotonic()
        # The first of its kind sets the time while it holds: asking again must not prolong it.
        same = before is not None and before.disposition == DISPOSITIONS[code]
        at = before.at if before is not None and same else now
        self._endings[key] = _Ending(code, message, at, self._fingerprint(), denial)

    def _sweep(self) -> None:
        oldest = self._clock.monotonic() - REPLAYED_SECONDS
        self._endings = {key: end for key, end in self._endings.items() if end.at > oldest}


def _wait(ending: _Ending, left: float) -> Repeated:
    message = f"asked a moment ago, and told: {ending.message}; try again in {left:.0f} s"
    return Repeated(message, code="RATE_LIMITED", retry_after=left)
