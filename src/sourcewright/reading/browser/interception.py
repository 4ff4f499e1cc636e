"""Interception of a page's requests, and network idle: when a page has finished loading.

Tracks the pending requests of a page, and decides for each request how it is answered.
"""

import asyncio
import base64
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urldefrag

from sourcewright.base.errors import (
    Denied,
    InvalidInput,
    RedirectFailed,
    ResearchError,
    UpstreamError,
)
from sourcewright.base.http_messages import MOST_REDIRECTS, REDIRECTS, Request, Response
from sourcewright.base.pages import SOURCE
from sourcewright.reading.browser.devtools import BrowserGone, Devtools
from sourcewright.reading.browser.page_requests import PageRequests

_COUNTED_SECONDS = 8.0
"""A request that takes longer no longer counts as pending, so long polling does not block."""


class NetworkIdle:
    """Tracks network idle of one page: pending requests, load state, last activity."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._pending: dict[str, float] = {}
        self._last_activity = time()
        self._activity = asyncio.Event()
        self._loaded = False

    def begin(self, number: str) -> None:
        self._pending[number] = self._time()
        self.restart()

    def end(self, number: str) -> None:
        self._pending.pop(number, None)
        self.restart()

    def set_loaded(self, *, loaded: bool) -> None:
        self._loaded = loaded
        self.restart()

    def restart(self) -> None:
        self._last_activity = self._time()
        self._activity.set()

    def seconds_idle(self) -> float | None:
        """Seconds since the last request or response; None while the page is loading."""
        now = self._time()
        busy = any(now - started < _COUNTED_SECONDS for started in self._pending.values())
        return now - self._last_activity if self._loaded and not busy else None

    async def wait(self, seconds: float) -> None:
        """Wait for activity, at most so many seconds."""
        self._activity.clear()
        try:
            async with asyncio.timeout(min(seconds, _COUNTED_SECONDS)):
                await self._activity.wait()
        except TimeoutError:
            return


# The smallest possible GIF: one transparent pixel.
_PIXEL = base64.b64decode(b"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
_PIXEL_HEADERS = (("content-type", "image/gif"), ("access-control-allow-origin", "*"))
_REFUSED_KINDS = frozenset(
    {"Media", "Font", "Ping", "EventSource", "CSPViolationReport", "Prefetch", "Manifest"}
)
"""Resource types that add nothing to the text of a page, or never end."""

# They describe the connection, which is ours, or affect the browser beyond one page.
_DROPPED_HEADERS = frozenset(
    {
        "accept-ch",
        "alt-svc",
        "clear-site-data",
        "connection",
        "content-encoding",
        "content-length",
        "critical-ch",
        "keep-alive",
        "link",
        "nel",
        "report-to",
        "reporting-endpoints",
        "speculation-rules",
        "strict-transport-security",
        "transfer-encoding",
        "upgrade",
    }
)

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PausedRequest:
    """A request that was intercepted and waits for a response."""

    number: str
    """The request id of the browser."""
    frame: str
    kind: str
    redirected_from: str
    """Id of the request that was redirected to this one; empty if none."""
    url: str
    method: str
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes | None

    @property
    def is_document(self) -> bool:
        return self.kind == "Document"

    @property
    def is_image(self) -> bool:
        """Whether it is an image, or the favicon, whose resource type is `Other`."""
        accepts_image = self.headers.get("accept", "").startswith("image/")
        return self.kind == "Image" or (self.kind == "Other" and accepts_image)

    @property
    def is_refused(self) -> bool:
        is_stream = self.headers.get("accept") == "text/event-stream"
        return self.kind in _REFUSED_KINDS or is_stream or "sec-purpose" in self.headers

    def request(self) -> Request:
        return Request(url=self.url, method=self.method, headers=self.headers, body=self.body)


def read_paused_request(event: Mapping[str, Any]) -> PausedRequest | None:
    """Parse an event; None if it is invalid."""
    request = event.get("request")
    if not isinstance(request, Mapping) or not isinstance(request.get("headers"), Mapping):
        return None
    try:
        return PausedRequest(
            number=_text(event["requestId"]),
            frame=_text(event.get("frameId", "")),
            kind=_text(event["resourceType"]),
            redirected_from=_text(event.get("redirectedRequestId", "")),
            url=_text(request["url"]),
            method=_text(request["method"]).upper(),
            headers={_text(k).lower(): _text(v) for k, v in request["headers"].items()},
            body=_body_of(request),
        )
    except (KeyError, TypeError, ValueError):
        return None


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a required field is not a string")
    value.encode()  # a lone surrogate cannot be encoded
    return value


def _body_of(request: Mapping[str, Any]) -> bytes | None:
    """The request body; missing data entries are an error."""
    if not request.get("hasPostData"):
        return None
    return b"".join(base64.b64decode(_text(part["bytes"])) for part in request["postDataEntries"])


class Interception:
    """Sends the responses to intercepted requests to the browser."""

    def __init__(self, devtools: Devtools) -> None:
        self._devtools = devtools

    async def respond(
        self, paused: PausedRequest, status: int, headers: Headers, body: bytes
    ) -> None:
        """Respond with these contents.

        Raises:
            BrowserGone: The browser has exited.
        """
        header_list = [{"name": name, "value": value} for name, value in headers]
        self._devtools.send(
            "Fetch.fulfillRequest",
            {
                "requestId": paused.number,
                "responseCode": status,
                "responseHeaders": header_list,
                "body": base64.b64encode(body).decode("ascii"),
            },
        )
        await self._devtools.drain()

    async def forward(self, paused: PausedRequest, answer: Response) -> None:
        """Respond with a response from the network.

        Raises:
            BrowserGone: The browser has exited.
        """
        headers = tuple(
            (name, line)
            for name, value in answer.headers.items()
            if name not in _DROPPED_HEADERS
            for line in value.split("\n")
        )
        await self.respond(paused, answer.status, headers, answer.body)

    async def give_point(self, paused: PausedRequest) -> None:
        """Respond with a transparent pixel, so that a page that waits for the image goes on.

        Raises:
            BrowserGone: The browser has exited.
        """
        await self.respond(paused, 200, _PIXEL_HEADERS, _PIXEL)

    def refuse(self, number: str, *, quietly: bool = False) -> None:
        """Fail the request; `quietly` aborts a navigation, so that the current page stays.

        Raises:
            BrowserGone: The browser has exited.
        """
        reason = "Aborted" if quietly else "BlockedByClient"
        self._devtools.send("Fetch.failRequest", {"requestId": number, "errorReason": reason})


_NO_DOCUMENT = frozenset({*REDIRECTS, 204, 205})
"""Statuses without a document: the browser stays on its page, or follows a redirect."""
_MAX_NAVIGATIONS = 10
"""How often a page may navigate; further navigations are refused."""
MAX_SAME_PAGE = 2
"""How often a page is shown: once more after its scripts have run, as walls that set a cookie do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageOpening:
    """How to open a page."""

    url: str
    body: bytes | None
    """The body if it was fetched already; None if the browser should request it."""
    content_type: str
    requests: PageRequests
    images: bool
    """Whether images are really fetched; a page's text does not need them."""
    shows: int = MAX_SAME_PAGE
    """How often a page is shown at most."""


class RequestHandler:
    """Handles the requests of one page; each gets a response or fails."""

    def __init__(self, responses: Interception, opening: PageOpening, idle: NetworkIdle) -> None:
        self._responses = responses
        self._opening = opening
        self._idle = idle
        self._tasks: set[asyncio.Task[None]] = set()
        self._hops: dict[str, int] = {}
        self._announced_urls: set[str] = set()
        self._navigation_ids: set[str] = set()
        """Ids of requests by which the page itself navigates."""
        self._navigations = 0
        self._pages: Counter[str] = Counter()
        """How often each page was requested or given."""
        self._body_served = False
        self.page = ""
        """Id of the main frame."""
        self.problem: ResearchError | None = None
        """Why the page that it navigated to could not be loaded."""

    @property
    def has_navigated(self) -> bool:
        """Whether the browser has requested the page."""
        return bool(self._navigation_ids)

    def announce(self, url: str) -> None:
        """Record that the main frame is about to navigate to a URL, as opposed to loading a frame."""
        self._announced_urls.add(urldefrag(url).url)

    def take(self, paused: PausedRequest) -> None:
        """Handle a request of the page in the background."""
        self._track_navigation(paused)
        self._idle.begin(paused.number)
        task = asyncio.create_task(self._respond(paused))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Cancel all pending requests."""
        for task in self._tasks:
            task.cancel()

    async def _respond(self, paused: PausedRequest) -> None:
        try:
            if not await self._respond_locally(paused):
                await self._respond_from_network(paused)
        except BrowserGone:
            return
        finally:
            self._idle.end(paused.number)

    async def _respond_locally(self, paused: PausedRequest) -> bool:
        """Respond without the network where possible; returns whether it did."""
        opening = self._opening
        if self._is_page(paused) and not self._body_served and opening.body is not None:
            self._body_served = True
            headers = (("content-type", opening.content_type),)
            await self._responses.respond(paused, 200, headers, opening.body)
        elif paused.is_refused:
            self._responses.refuse(paused.number)
        elif self._is_redirect_loop(paused):
            self._fail(paused, RedirectFailed(SOURCE, "redirect loop", cause="format"))
        elif self._is_page(paused) and self._has_navigated_enough(paused):
            self._responses.refuse(paused.number, quietly=True)
        elif paused.is_image and not opening.images:
            await self._responses.give_point(paused)
        else:
            return False
        return True

    async def _respond_from_network(self, paused: PausedRequest) -> None:
        try:
            answer = await self._opening.requests.ask(paused.request())
        except (UpstreamError, Denied, InvalidInput) as error:
            self._fail(paused, error)
            return
        if answer.status not in _NO_DOCUMENT:
            self._set_problem(paused, self._opening.requests.problem_in(answer))
        await self._responses.forward(paused, answer)

    def _fail(self, paused: PausedRequest, error: ResearchError) -> None:
        self._set_problem(paused, error)
        self._responses.refuse(paused.number, quietly=paused.is_document)

    def _set_problem(self, paused: PausedRequest, problem: ResearchError | None) -> None:
        """Record the outcome, if the request loads the page itself."""
        if self._is_page(paused):
            self.problem = problem

    def _track_navigation(self, paused: PausedRequest) -> None:
        """Count redirects, and recognise requests that navigate the page."""
        redirected_from = paused.redirected_from
        self._hops[paused.number] = (
            self._hops.get(redirected_from, 0) + 1 if redirected_from else 0
        )
        is_main_document = paused.is_document and paused.frame == self.page
        navigates = is_main_document and (
            paused.url in self._announced_urls or not self._navigation_ids
        )
        self._navigations += navigates
        if navigates or redirected_from in self._navigation_ids:
            self._announced_urls.discard(paused.url)
            self._navigation_ids.add(paused.number)
            self._pages[paused.url] += 1

    def _is_page(self, paused: PausedRequest) -> bool:
        return paused.number in self._navigation_ids

    def _has_navigated_enough(self, paused: PausedRequest) -> bool:
        return (
            self._navigations > _MAX_NAVIGATIONS or self._pages[paused.url] > self._opening.shows
        )

    def _is_redirect_loop(self, paused: PausedRequest) -> bool:
        hops = self._hops[paused.number]
        return hops > MOST_REDIRECTS or (
            hops > 0 and self._pages[paused.url] > self._opening.shows
        )
