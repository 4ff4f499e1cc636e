"""Subrequests of a page in the browser, sent by our client under the same rules."""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, replace

from sourcewright.base.clocks import Clock, SystemClock
from sourcewright.base.errors import Denial, DenialReason, Denied, Unavailable, UpstreamError
from sourcewright.base.http_messages import BROWSER_HEADERS, Request, Response
from sourcewright.base.pages import SOURCE
from sourcewright.net.fetch.page_visits import read_visit
from sourcewright.net.http.answers import retryable_error_in
from sourcewright.net.http.exchange import MEBIBYTE, HttpClient, Policy
from sourcewright.net.http.target import read_target

_METHODS = frozenset({"GET", "HEAD", "POST", "OPTIONS"})
"""The methods a page needs to render; OPTIONS is the CORS preflight."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageLimits:
    """Limits for all requests of one page. Requests in flight when a limit is reached finish."""

    requests: int = 400
    total_bytes: int = 48 * MEBIBYTE
    each_bytes: int = 8 * MEBIBYTE
    sent_bytes: int = MEBIBYTE
    each_seconds: float = 10.0
    at_once: int = 16
    at_once_per_host: int = 6
    """The number of connections that browsers open to one host."""


class Subrequests:
    """Sends the subrequests of pages, each page within its own limits.

    They are not rate limited: a page is rendered once, and needs all of its parts. No
    cookies and no responses are stored.
    """

    def __init__(
        self,
        client: HttpClient,
        *,
        hosts: tuple[str, ...] | None,
        clock: Clock | None = None,
        allowance: PageLimits | None = None,
    ) -> None:
        self._client = client
        self._hosts = hosts
        self._clock = clock or SystemClock()
        self._allowance = allowance or PageLimits()

    def of_page(self, *, seconds: float) -> "PageRequests":
        """The sender for one page, which has this many seconds in total."""
        policy = Policy(
            source=SOURCE,
            allowed_hosts=self._hosts,
            https_only=False,
            any_port=True,
            follows_redirects=False,
            connect_seconds=min(5.0, self._allowance.each_seconds),
        )
        until = self._clock.monotonic() + seconds
        return PageRequests(self._client, policy, self._allowance, clock=self._clock, until=until)


class PageRequests:
    """The requests of one page. Redirects are returned, not followed: the browser follows them."""

    def __init__(
        self,
        client: HttpClient,
        policy: Policy,
        allowance: PageLimits,
        *,
        clock: Clock,
        until: float,
    ) -> None:
        self._client = client
        self._policy = policy
        self._allowance = allowance
        self._clock = clock
        self._until = until
        self._requests = 0
        self._bytes = 0
        self._turn = asyncio.Semaphore(allowance.at_once)
        self._turns: defaultdict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(allowance.at_once_per_host)
        )

    async def ask(self, request: Request) -> Response:
        """Send one request; return its response whatever the status.

        Raises:
            InvalidInput: The URL or the request is malformed.
            Denied: A rule forbids it, or the page has reached a limit.
            UpstreamError: There is no complete response.
        """
        self._check(request)
        self._requests += 1
        headers = {name.lower(): value for name, value in request.headers.items()}
        request = replace(request, headers={**headers, **BROWSER_HEADERS})
        self._client.check(request, self._policy)
        origin = read_target(request.url).origin
        async with self._turns[origin], self._turn:
            answer = await self._client.send(request, self._current_policy())
        self._bytes += len(answer.body)
        return answer

    def problem_in(self, answer: Response) -> UpstreamError | None:
        """Why a response cannot be rendered as a document, or None."""
        problem = retryable_error_in(answer, self._policy, self._clock.now())
        if problem is not None:
            return problem
        try:
            read_visit(answer, "source")
        except UpstreamError as error:
            return error
        return None

    def _check(self, request: Request) -> None:
        allowance = self._allowance
        if request.method not in _METHODS:
            raise _denied(f"{request.method} is not allowed for pages", "capability_not_granted")
        if len(request.body or b"") > allowance.sent_bytes:
            raise _denied("the page sends too much data", "size_cap_exceeded")
        if self._requests >= allowance.requests:
            raise _denied(f"more than {allowance.requests} requests", "size_cap_exceeded")
        if self._bytes >= allowance.total_bytes:
            raise _denied(f"more than {allowance.total_bytes} bytes", "size_cap_exceeded")

    def _current_policy(self) -> Policy:
        left = self._until - self._clock.monotonic()
        if left <= 0:
            raise Unavailable(SOURCE, "no time left for subresources", cause="timeout")
        seconds = min(left, self._allowance.each_seconds)
        return replace(
            self._policy,
            max_bytes=min(self._allowance.each_bytes, self._allowance.total_bytes - self._bytes),
            read_seconds=seconds,
            total_seconds=seconds,
        )


def _denied(message: str, reason: DenialReason) -> Denied:
    return Denied(f"{SOURCE}: {message}", Denial(reason=reason, source=SOURCE))
