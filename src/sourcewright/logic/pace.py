"""Rate limit arithmetic: when the next request of a rate bucket may start."""

from collections.abc import Sequence

from sourcewright.domain.ports import RateBucket

SLACK_SECONDS = 0.05
"""Added to every window, and in part to short gaps: network delay varies between requests, so
that the source may see two of them closer together than they were sent."""


def window_of(lane: RateBucket) -> float:
    return lane.per_seconds + SLACK_SECONDS


def gap_of(lane: RateBucket) -> float:
    return lane.gap_seconds + min(SLACK_SECONDS, lane.gap_seconds / 20)


def earliest_start(lane: RateBucket, starts: Sequence[float], *, ahead: int, now: float) -> float:
    """When a request may start, after `starts` (oldest first) and `ahead` queued requests."""
    times = list(starts)
    for _ in range(ahead + 1):
        allowed = now
        if times:
            allowed = max(allowed, times[-1] + gap_of(lane))
        if len(times) >= lane.starts:
            allowed = max(allowed, times[-lane.starts] + window_of(lane))
        times.append(allowed)
    return times[-1]


def minimum_wait(lanes: Sequence[RateBucket], ahead: int) -> float:
    """The minimum time that `ahead` queued requests take, even if no lane has been used yet."""
    return max(
        (max(lane.gap_seconds * ahead, ahead // lane.starts * lane.per_seconds) for lane in lanes),
        default=0.0,
    )
