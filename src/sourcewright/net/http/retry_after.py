"""Retry-After and rate limit headers of a response: how long a source asks callers to wait."""

import math
import re
from datetime import UTC
from email.utils import parsedate_to_datetime

from sourcewright.base.http_messages import Response

_NUMBER = re.compile(r"\d{1,10}(\.\d{1,6})?", re.ASCII)
_EARLIEST_TIMESTAMP = 1e9
"""A rate limit reset from here on is a Unix timestamp; a smaller one is a delay in seconds."""

_MAX_SECONDS = 86_400.0
"""A day: nobody waits longer for an answer, and a longer wait is often a date written wrongly."""


def retry_after(answer: Response, now: float) -> float | None:
    """The wait that the source asks for, in seconds, at most a day; None if absent or malformed."""
    wait = _requested_wait(answer, now)
    return None if wait is None else min(wait, _MAX_SECONDS)


def _requested_wait(answer: Response, now: float) -> float | None:
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
