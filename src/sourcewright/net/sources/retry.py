"""Retry policy: which failures are tried again, and the exponential backoff."""

from sourcewright.base.errors import RateLimited, Unavailable, UpstreamError
from sourcewright.base.http_messages import Request
from sourcewright.net.http.exchange import Policy

_TRIES_AFTER_TIMEOUT = 2
"""Each try that times out costs the whole timeout while the caller waits."""
MAX_PAUSE_SECONDS = 30.0
_FIRST_PAUSE_SECONDS = 0.5
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
