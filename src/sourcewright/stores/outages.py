"""Outages of a store that several servers share: while it is away, most callers do without it."""

import logging

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import ResearchError

logger = logging.getLogger(__name__)

_PAUSE_SECONDS = 5.0
"""How long everybody does without the store before one caller tries it again."""


class Outage:
    """Knows whether a store is away, and reports when that begins and ends."""

    def __init__(self, clock: Clock, *, meanwhile: str) -> None:
        self._clock = clock
        self._meanwhile = meanwhile
        self._next_try: float | None = None
        """None while the store answers."""

    def may_try(self) -> bool:
        """Whether this caller should use the store; during an outage, one in a while should."""
        now = self._clock.monotonic()
        if self._next_try is not None and now < self._next_try:
            return False
        if self._next_try is not None:
            self._next_try = now + _PAUSE_SECONDS
        return True

    def begin(self, error: ResearchError) -> None:
        if self._next_try is None:
            logger.warning("%s; %s", error, self._meanwhile)
        self._next_try = self._clock.monotonic() + _PAUSE_SECONDS

    def end(self) -> None:
        if self._next_try is not None:
            self._next_try = None
            logger.warning("the store that was away answers again")
