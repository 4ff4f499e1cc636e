"""Retry policy: which failures are tried again, and the back-off."""

import math
import re
from datetime import UTC
from email.utils import parsedate_to_datetime

from sourcewright.domain.errors import RateLimited, Unavailable, UpstreamError
from sourcewright.net.exchange import Answer, Request

MOST_TRIES = 3
"""Of one request, the first included: what the download tools' contract allows at most (PDT-001)
holds for everybody, for no other contract asks for more."""
_TRIES_OF_SILENCE = 2
"""Each try of a silent source takes the whole time-out, and the caller is waiting."""
LONGEST_PAUSE_SECONDS = 30.0
_FIRST_PAUSE_SECONDS = 0.5
_SECONDS = re.compile(r"\d{1,10}(\.\d{1,6})?", re.ASCII)
_EPOCH = 1e9
"""From here on, a reset is a moment; below, it is so many seconds away."""
_SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_TRANSIENT_CAUSES = frozenset({"timeout", "connect", "cut", "status"})


def is_safe(request: Request) -> bool:
    """Whether asking twice does no more than asking once."""
    return request.method.upper() in _SAFE_METHODS


def is_worth_retrying(request: Request, error: UpstreamError) -> bool:
    """Whether another try may help and can do no harm: what is posted may be billed."""
    if not isinstance(error, (RateLimited, Unavailable)):
        return False
    if is_safe(request):  # what was accepted and left unanswered would be so again
        return error.cause in _TRANSIENT_CAUSES and error.status != 202
    return error.cause == "connect"


def tries_for(error: UpstreamError) -> int:
    """How many tries, the first included, a failure of this kind is worth."""
    return _TRIES_OF_SILENCE if error.cause == "timeout" else MOST_TRIES


def pause_before(retry: int, luck: float) -> float:
    """Seconds before retry number `retry`, from 0; `luck` in [0, 1) keeps callers apart."""
    pause = _FIRST_PAUSE_SECONDS * (2.0**retry + luck)
    return min(pause, LONGEST_PAUSE_SECONDS)


def retry_after(answer: Answer, now: float) -> float | None:
    """How long the source asks us to stay away, in seconds, if it says so intelligibly."""
    said = answer.headers.get("retry-after", "").strip()
    if _SECONDS.fullmatch(said):
        return float(said)
    until = _date(said)
    if until is None and is_used_up(answer):
        reset = answer.headers.get("x-ratelimit-reset", "").strip()
        until = float(reset) if _SECONDS.fullmatch(reset) else None
        if until is not None and until < _EPOCH:
            return until
    if until is None:
        return None
    # Measured on the source's own clock where it shows one: ours may differ.
    shown = _date(answer.headers.get("date", ""))
    return max(0.0, math.ceil(until - (now if shown is None else shown)))


def is_used_up(answer: Answer) -> bool:
    """Whether the source counts our requests and says that none is left."""
    left = answer.headers.get("x-ratelimit-remaining", "").strip()
    return bool(_SECONDS.fullmatch(left)) and float(left) == 0


def _date(text: str) -> float | None:
    try:
        date = parsedate_to_datetime(text)
        return (date if date.tzinfo else date.replace(tzinfo=UTC)).timestamp()
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
