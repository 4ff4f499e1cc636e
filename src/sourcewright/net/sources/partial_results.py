"""Partial results: several requests to one provider; each may fail without the others.

Providers catch no errors themselves; one that can continue without a response uses these.
"""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import TypeVar

from sourcewright.base.concurrency import run_concurrently
from sourcewright.base.errors import BadAnswer, DenialReason, Denied, UpstreamError

T = TypeVar("T")

_REDIRECTED_AWAY: DenialReason = "redirect_not_in_allowlist"
"""A redirect to another host, such as a bot challenge, is not a response of the source."""


async def outcome(request: Awaitable[T]) -> T | UpstreamError:
    """The result, or the error in its place."""
    try:
        return await request
    except UpstreamError as error:
        return error


async def optional_outcome(request: Awaitable[T]) -> T | UpstreamError:
    """Like `outcome`, for an optional request: a redirect to another host is an error value too."""
    try:
        return await outcome(request)
    except Denied as error:
        if error.denial.reason != _REDIRECTED_AWAY or error.denial.source is None:
            raise
        detail = f"redirects to {error.denial.attempted}"
        return BadAnswer(error.denial.source, detail, cause="format")


def is_too_large(result: object) -> bool:
    """Whether it is the error of a source that refuses a request because its result is too large."""
    return (
        isinstance(result, UpstreamError) and result.status == HTTPStatus.REQUEST_ENTITY_TOO_LARGE
    )


async def outcomes(
    ask: Callable[[str], Awaitable[T]], things: Sequence[str], *, at_once: int
) -> list[T | UpstreamError]:
    """The result or error for each item, in order, with at most `at_once` requests in flight.

    Raises:
        Denied: Our own rules forbid one of them, which would apply to the others too.
    """
    limit = asyncio.Semaphore(at_once)

    async def run(item: str) -> T | UpstreamError:
        async with limit:
            return await outcome(ask(item))

    return await run_concurrently([run(item) for item in things])
