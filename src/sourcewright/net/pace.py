"""Rate limit arithmetic: when the next request of a rate bucket may start."""

from collections.abc import Sequence

from sourcewright.net.rate_ledger import RateBucket

SLACK_SECONDS = 0.05
"""Added to every window, and in part to short gaps: network delay varies between requests, so
that the source may see two of them closer together than they were sent."""


def window_of(bucket: RateBucket) -> float:
    return bucket.per_seconds + SLACK_SECONDS


def gap_of(bucket: RateBucket) -> float:
    return bucket.gap_seconds + min(SLACK_SECONDS, bucket.gap_seconds / 20)


def earliest_start(
    bucket: RateBucket, starts: Sequence[float], *, ahead: int, now: float
) -> float:
    """When a request may start, after `starts` (oldest first) and `ahead` queued requests."""
    times = list(starts)
    for _ in range(ahead + 1):
        allowed = now
        if times:
            allowed = max(allowed, times[-1] + gap_of(bucket))
        if len(times) >= bucket.starts:
            allowed = max(allowed, times[-bucket.starts] + window_of(bucket))
        times.append(allowed)
    return times[-1]


def minimum_wait(buckets: Sequence[RateBucket], ahead: int) -> float:
    """The minimum time that `ahead` queued requests take, even if no bucket has been used yet."""
    return max(
        (
            max(bucket.gap_seconds * ahead, ahead // bucket.starts * bucket.per_seconds)
            for bucket in buckets
        ),
        default=0.0,
    )
