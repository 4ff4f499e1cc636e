"""Retry policy: which failures are tried again, and the back-off."""

import math
import re
from datetime import UTC
from email.utils import parsedate_to_datetime

from sourcewright.domain.errors import RateLimited, Unavailable, UpstreamError
from sourcewright.net.exchange import Policy, Request, Response

_TRIES_AFTER_TIMEOUT = 2
"""Each try that times out costs the whole timeout while the caller waits."""
MAX_PAUSE_SECONDS = 30.0
_FIRST_PAUSE_SECONDS = 0.5
_NUMBER = re.compile(r"\d{1,10}(\.\d{1,6})?", re.ASCII)
_EARLIEST_TIMESTAMP = 1e9
"""A rate limit reset from here on is a Unix timestamp; a smaller one is a delay in seconds."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_TRANSIENT_CAUSES = frozenset({"timeout", "connect", "cut", "status"})


def is_safe(request: Request) -> bool:
    """Whether the method is safe, so that the request can be repeated."""
    return request.method.upper() in _SAFE_METHODS


def is_worth_retrying(request: Request, error: UpstreamError) -> bool:
    """Whether a retry may help and is harmless: a repeated POST may be billed twice."""
    if not isinstance(error, (RateLimited, Unavailable)):
        return False
    if is_safe(request):  # a 202 without a result would only be repeated
        return error.cause in _TRANSIENT_CAUSES and error.status != 202
    return error.cause == "connect"


def tries_for(error: UpstreamError, policy: Policy) -> int:
    """The number of tries, the first included, for a failure of this kind."""
    if isinstance(error, RateLimited) and error.retry_after is None:
        return policy.max_tries if policy.retries_rate_limits else 1
    if error.cause == "timeout":
        return min(policy.max_tries, _TRIES_AFTER_TIMEOUT)
    return policy.max_tries


def pause_before(retry: int, jitter: float) -> float:
    """Exponential back-off in seconds before retry number `retry`, from 0; `jitter` in [0, 1)."""
    pause = _FIRST_PAUSE_SECONDS * (2.0**retry + jitter)
    return min(pause, MAX_PAUSE_SECONDS)


def retry_after(answer: Response, now: float) -> float | None:
    """The wait that the source asks for, in seconds; None if absent or malformed."""
    header = answer.headers.get("retry-after", "").strip()
    if _NUMBER.fullmatch(header):
        return float(header)
    until = _date(header)
    if until is None and is_quota_exhausted(answer):
        reset = answer.headers.get("x-ratelimit-reset", "").strip()
        until = float(reset) if _NUMBER.fullmatch(reset) else None
        if until is not None and until < _EARLIEST_TIMESTAMP:
            return until
    if until is None:
        return None
    # Measured against the response's own Date header where there is one: our clock may differ.
    source_now = _date(answer.headers.get("date", ""))
    return max(0.0, math.ceil(until - (now if source_now is None else source_now)))


def is_quota_exhausted(answer: Response) -> bool:
    """Whether the rate limit headers say that no request is left."""
    left = answer.headers.get("x-ratelimit-remaining", "").strip()
    return bool(_NUMBER.fullmatch(left)) and float(left) == 0


def _date(text: str) -> float | None:
    try:
        date = parsedate_to_datetime(text)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
