"""The minimum transfer rate of a body: one that arrives too slowly is aborted."""

import itertools
from collections.abc import AsyncIterator

import anyio

from sourcewright.base.calls import current_call
from sourcewright.base.errors import Unavailable
from sourcewright.base.text.phrases import count_phrase
from sourcewright.net.http.exchange import Policy

_REPORTED_SECONDS = 5.0
"""Interval between progress reports on a body."""
_FREE_CHUNKS = 10_000
_MIN_CHUNK_BYTES = 16
"""Average size of the chunks of a body with more chunks than that. Each takes the time of a
hundred kilobytes, so that a body of single bytes would cost seconds of processor time."""


async def at_minimum_rate(chunks: AsyncIterator[bytes], policy: Policy) -> AsyncIterator[bytes]:
    """Yield the chunks as long as their average rate is high enough.

    Only time spent waiting for chunks counts, so that a busy reader does not make the source
    look slow.

    Raises:
        Unavailable: After the grace period, the average rate is below the policy's minimum, or
            the body comes in too many small chunks.
    """
    received, wait_seconds, next_report = 0, 0.0, _REPORTED_SECONDS
    for count in itertools.count():
        started_at = anyio.current_time()
        time_limit = (
            max(policy.grace_seconds, received / policy.min_bytes_per_second) - wait_seconds
        )
        chunk = None
        with anyio.move_on_after(time_limit) as limit:
            chunk = await anext(chunks, None)
        wait_seconds += anyio.current_time() - started_at
        if limit.cancelled_caught:
            detail = f"too slow, {count_phrase(received, 'byte')} in {wait_seconds:.0f} s"
            raise Unavailable(policy.source, detail, cause="slow")
        if chunk is None:
            return
        if count > _FREE_CHUNKS and received < count * _MIN_CHUNK_BYTES:
            detail = f"sent in pieces of a few bytes, {count_phrase(received, 'byte')} in {count}"
            raise Unavailable(policy.source, detail, cause="slow")
        received += len(chunk)
        if wait_seconds >= next_report:
            next_report = wait_seconds + _REPORTED_SECONDS
            await current_call.get().progress(
                f"{count_phrase(received, 'byte')} from {policy.source} after {wait_seconds:.0f} s"
            )
        yield chunk
