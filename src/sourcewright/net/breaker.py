"""Circuit breaker: stops asking a source that fails, and probes whether it is back."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from sourcewright.domain.errors import RateLimited, Unavailable, UpstreamError
from sourcewright.domain.ports import Clock

_JITTER = 0.2
"""Spreads the probes of many processes that saw the same source go down."""
_LONGEST_OPEN_SECONDS = 3600.0
_PROBE_SECONDS = 1.0
"""What is said of a probe in flight, whose end nobody knows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerRules:
    """When to stop asking a source, and for how long."""

    failures: int = 5
    silences: int | None = None
    """Time-outs in a row that are enough by themselves; None counts them as any failure."""
    open_seconds: float = 60.0
    chance: Callable[[], float] = field(default=random.SystemRandom().random)
    """A number in [0, 1) that keeps apart those who would otherwise all come back at once."""


State = Literal["closed", "open", "half-open"]


class Breaker:
    """Closed while a source answers; open after it failed; then one probe decides."""

    def __init__(self, source: str, clock: Clock, rules: BreakerRules) -> None:
        self._source = source
        self._clock = clock
        self._rules = rules
        self._failures = 0
        self._open_until: float | None = None
        self._asked_to_wait = False
        self._probing = False

    @property
    def state(self) -> State:
        if self._open_until is None:
            return "closed"
        return "open" if self._open_until > self._clock.monotonic() else "half-open"

    @contextmanager
    def watch(self) -> Iterator[bool]:
        """Watch one call, and say whether it is the probe.

        Only what the source did counts: a cancelled call, or one that our own
        rules ended, leaves the breaker as it was.

        Raises:
            Unavailable: The source failed, and is not asked at present.
            RateLimited: The source asked us to wait, and is not asked at present.
        """
        probe = self._enter()
        try:
            yield probe
            self._close()
        except UpstreamError as error:
            self._judge(error, probe=probe)
            raise
        finally:
            if probe:
                self._probing = False

    def recheck(self, *, probe: bool) -> None:
        """Ask again after a wait.

        Raises:
            Unavailable, RateLimited: The breaker opened in the meantime.
        """
        if self._open_until is not None and not probe:
            raise self._refusal(self._open_until - self._clock.monotonic())

    def heed(self, error: RateLimited) -> None:
        """Stop asking a source that only said in its answer's words that we are to wait."""
        self._open(error.retry_after, asked=True)

    def _enter(self) -> bool:
        if self._open_until is None:
            return False
        left = self._open_until - self._clock.monotonic()
        if left > 0 or self._probing:
            raise self._refusal(left)
        self._probing = True
        return True

    def _judge(self, error: UpstreamError, *, probe: bool) -> None:
        if error.cause in ("breaker", "pace"):
            return
        if isinstance(error, RateLimited):
            self._open(error.retry_after, asked=True)
        elif isinstance(error, Unavailable):
            silent = error.cause in ("timeout", "slow") and self._rules.silences is not None
            enough = self._rules.silences if silent else self._rules.failures
            self._count_failure(enough or 1, probe=probe)

    def _count_failure(self, enough: int, *, probe: bool) -> None:
        self._failures += 1
        # While it is open, the stragglers that left before say nothing new.
        if probe or (self._open_until is None and self._failures >= enough):
            self._open(None, asked=False)

    def _open(self, seconds: float | None, *, asked: bool) -> None:
        self._asked_to_wait = asked
        if seconds is None:
            seconds = self._rules.open_seconds * (1 + _JITTER * self._rules.chance())
        self._open_until = self._clock.monotonic() + min(seconds, _LONGEST_OPEN_SECONDS)

    def _close(self) -> None:
        self._failures = 0
        self._open_until = None

    def _refusal(self, left: float) -> Unavailable | RateLimited:
        """What a caller hears meanwhile: the nature of the trouble stays what it was."""
        kind = RateLimited if self._asked_to_wait else Unavailable
        why = "it asked us to wait" if self._asked_to_wait else "it failed before"
        left = max(left, _PROBE_SECONDS)
        detail = f"not asked, because {why}; it will be tried again in {left:.0f} s"
        return kind(self._source, detail, cause="breaker", retry_after=left)
