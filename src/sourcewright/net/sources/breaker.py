"""Circuit breaker: stops requests to a failing source, and probes whether it has recovered."""

import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import RateLimited, Unavailable, UpstreamError

_JITTER = 0.2
"""Spreads the probes of many processes that saw the same source fail."""
_LONGEST_OPEN_SECONDS = 3600.0
_PROBE_SECONDS = 1.0
"""The shortest wait reported to callers, as while a probe is in flight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BreakerRules:
    """When the breaker opens, and for how long."""

    failures: int = 5
    max_timeouts: int | None = None
    """Consecutive timeouts that open the breaker; None counts them like other failures."""
    open_seconds: float = 60.0
    chance: Callable[[], float] = field(default=random.SystemRandom().random)
    """Returns a random number in [0, 1), for jitter."""


State = Literal["closed", "open", "half-open"]


class Breaker:
    """Closed while a source responds, open after failures; then one probe decides.

    Callers give the name of the source in errors, as it may have another in each of its roles.
    """

    def __init__(self, clock: Clock, rules: BreakerRules) -> None:
        self._clock = clock
        self._rules = rules
        self._failures = 0
        self._open_until: float | None = None
        self._rate_limited = False
        self._probing = False
        self.calls = 0
        """Calls since the start, without those that were refused here."""
        self.failed_calls = 0
        """Those of them in which the source failed or asked for a pause."""

    @property
    def open_seconds(self) -> float:
        """How long it stays open; 0 if a call would be tried now."""
        return max(0.0, (self._open_until or 0.0) - self._clock.monotonic())

    @property
    def state(self) -> State:
        if self._open_until is None:
            return "closed"
        return "open" if self._open_until > self._clock.monotonic() else "half-open"

    @contextmanager
    def watch(self, source: str) -> Iterator[bool]:
        """Record the outcome of one call; yield whether it is the probe.

        Only failures of the source count: a cancelled call, or one that our own rules
        ended, leaves the breaker as it was.

        Raises:
            Unavailable: The breaker is open after failures.
            RateLimited: The breaker is open because the source asked us to wait.
        """
        probe = self._enter(source)
        self.calls += 1
        try:
            yield probe
            # A response to a request that was sent before the source asked for a pause does not end it.
            if probe or not self._rate_limited:
                self._close()
        except UpstreamError as error:
            self._record_failure(error, probe=probe)
            raise
        finally:
            if probe:
                self._probing = False

    def recheck(self, source: str, *, probe: bool) -> None:
        """Check again after waiting for the rate limit.

        Raises:
            Unavailable, RateLimited: The breaker opened in the meantime.
        """
        if self._open_until is not None and not probe:
            raise self._refusal(source, self._open_until - self._clock.monotonic())

    def block_until_allowed(self, error: RateLimited) -> None:
        """Open the breaker for a rate limit that only the body of a response reported."""
        self._open(error.retry_after, rate_limited=True)

    def _enter(self, source: str) -> bool:
        if self._open_until is None:
            return False
        left = self._open_until - self._clock.monotonic()
        if left > 0 or self._probing:
            raise self._refusal(source, left)
        self._probing = True
        return True

    def _record_failure(self, error: UpstreamError, *, probe: bool) -> None:
        if error.cause in ("breaker", "pace", "offline"):  # not the source's failures
            return
        self.failed_calls += isinstance(error, RateLimited | Unavailable)
        if isinstance(error, RateLimited):
            self._open(error.retry_after, rate_limited=True)
        elif isinstance(error, Unavailable):
            is_timeout = (
                error.cause in ("timeout", "slow") and self._rules.max_timeouts is not None
            )
            threshold = self._rules.max_timeouts if is_timeout else self._rules.failures
            self._count_failure(threshold or 1, probe=probe)

    def _count_failure(self, threshold: int, *, probe: bool) -> None:
        self._failures += 1
        # While it is open, failures of requests sent earlier are no news.
        if probe or (self._open_until is None and self._failures >= threshold):
            self._open(None, rate_limited=False)

    def _open(self, seconds: float | None, *, rate_limited: bool) -> None:
        self._rate_limited = rate_limited
        if seconds is None:
            seconds = self._rules.open_seconds * (1 + _JITTER * self._rules.chance())
        self._open_until = self._clock.monotonic() + min(seconds, _LONGEST_OPEN_SECONDS)

    def _close(self) -> None:
        self._failures = 0
        self._open_until = None
        self._rate_limited = False

    def _refusal(self, source: str, left: float) -> Unavailable | RateLimited:
        """The error for callers while the breaker is open, of the kind that opened it."""
        kind = RateLimited if self._rate_limited else Unavailable
        reason = "it asked for a pause" if self._rate_limited else "of earlier failures"
        left = max(left, _PROBE_SECONDS)
        detail = f"not queried because {reason}; next attempt in {left:.0f} s"
        return kind(source, detail, cause="breaker", retry_after=left)
