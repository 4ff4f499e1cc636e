"""The context of one tool call: its deadline, its progress callback, what it found.

Kept in a context variable, so that the lower layers can use them without passing them through
every signature in between.
"""

from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, Final, Protocol
from urllib.parse import urldefrag

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import ResearchError, UpstreamError


class Progress(Protocol):
    """Reports progress to the caller: a message, and how many of the steps are done.

    `done` and `total` are given together if the number of steps is known in advance; without
    them, the message is one more step of an unknown total.
    """

    def __call__(
        self, message: str, /, *, done: int | None = None, total: int | None = None
    ) -> Awaitable[None]: ...


async def _no_progress(
    _message: str, *, done: int | None = None, total: int | None = None
) -> None:
    """Report nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderOutcome:
    """How a provider answered, or how reading a page went."""

    provider: str
    error: ResearchError | None = None
    url: str | None = None


@dataclass(slots=True)
class Findings:
    """Sources and outcomes of a call, for its research session."""

    sources: list[Any] = field(default_factory=list)
    outcomes: list[ProviderOutcome] = field(default_factory=list)


MAX_PAGE_REQUESTS: Final = 3
"""How often one call requests a page that fails, by whatever means and for whatever purpose."""


@dataclass(slots=True)
class RequestedPage:
    """The requests of one call to one page."""

    count: int = 0
    failure: UpstreamError | None = None
    """Why it could not be fetched; None if it was, or was not requested."""
    reading: object | None = None
    """What was read, or the error, once it was read; a second reader gets the same."""

    def left(self) -> int:
        """How often the page may still be requested.

        Raises:
            UpstreamError: It was requested often enough, and this is how it failed.
        """
        if self.is_exhausted and self.failure is not None:
            raise self.failure
        return max(1, self.remaining)

    @property
    def remaining(self) -> int:
        """How many requests are left before the page has been requested often enough."""
        return max(0, MAX_PAGE_REQUESTS - self.count)

    @property
    def is_exhausted(self) -> bool:
        """Whether it has failed, and was requested often enough."""
        return self.failure is not None and not self.remaining


@dataclass(frozen=True, slots=True, kw_only=True)
class CallContext:
    """The part of a tool call that lower layers may use."""

    deadline: float | None = None
    """When it must end, on the monotonic clock; None for no deadline."""
    progress: Progress = _no_progress
    findings: Findings | None = None
    """Collects sources and outcomes; None if the call belongs to no session."""
    is_closed: bool = False
    """Whether the call is of a tool that is announced as using no network; then none is used."""
    pages: dict[str, RequestedPage] | None = None
    """The pages that it has requested, by URL; None outside a tool call."""

    def for_shared_work(self, progress: Progress, deadline: float | None = None) -> "CallContext":
        """The context of work that other calls may wait for too."""
        return CallContext(
            deadline=deadline, progress=progress, pages=self.pages, is_closed=self.is_closed
        )

    def page(self, url: str) -> RequestedPage:
        """The requests of this call to the page at a URL."""
        page = RequestedPage()
        return page if self.pages is None else self.pages.setdefault(urldefrag(url).url, page)

    def count_request(self, url: str) -> None:
        """Count a request, if it is for a page and not for an API."""
        page = (self.pages or {}).get(urldefrag(url).url)
        if page is not None:
            page.count += 1


NO_CALL = CallContext()
"""The context outside a tool call: no deadline, no progress reports."""


current_call: ContextVar[CallContext] = ContextVar("current_call", default=NO_CALL)


@contextmanager
def time_limit(seconds: float, clock: Clock) -> Iterator[None]:
    """Limit the time of the requests inside; an earlier deadline of the call still applies."""
    call = current_call.get()
    limit = clock.monotonic() + seconds
    deadline = limit if call.deadline is None else min(limit, call.deadline)
    token = current_call.set(replace(call, deadline=deadline))
    try:
        yield
    finally:
        current_call.reset(token)
