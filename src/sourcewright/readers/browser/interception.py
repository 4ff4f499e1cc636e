"""Interception of a page's requests, and network idle: when a page has finished loading.

Knows what a page is still waiting for, and since when nothing has come or gone.
Decides, for one page, who answers each of its requests.
"""

import asyncio
import base64
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import urldefrag

from sourcewright.domain.errors import (
    BadAnswer,
    Denied,
    InvalidInput,
    ResearchError,
    UpstreamError,
)
from sourcewright.domain.pages import SOURCE
from sourcewright.net.exchange import Answer, Request
from sourcewright.net.redirects import MOST_REDIRECTS, REDIRECTS
from sourcewright.net.subrequests import PageRequests
from sourcewright.readers.browser.devtools import Devtools, Gone

_COUNTED_SECONDS = 8.0
"""A request that takes longer no longer keeps a page from being taken for finished."""


class Stillness:
    """The state of a page on its way to rest."""

    def __init__(self, time: Callable[[], float]) -> None:
        self._time = time
        self._under_way: dict[str, float] = {}
        self._moved = time()
        self._stirred = asyncio.Event()
        self._loaded = False

    def begin(self, number: str) -> None:
        self._under_way[number] = self._time()
        self.stir()

    def end(self, number: str) -> None:
        self._under_way.pop(number, None)
        self.stir()

    def set_loaded(self, *, loaded: bool) -> None:
        self._loaded = loaded
        self.stir()

    def stir(self) -> None:
        self._moved = self._time()
        self._stirred.set()

    def rested(self) -> float | None:
        """Seconds since anything was asked or answered; None while the page is on its way."""
        now = self._time()
        busy = any(now - began < _COUNTED_SECONDS for began in self._under_way.values())
        return now - self._moved if self._loaded and not busy else None

    async def wait(self, seconds: float) -> None:
        """Return when something stirs, and after so many seconds at the latest."""
        self._stirred.clear()
        try:
            async with asyncio.timeout(min(seconds, _COUNTED_SECONDS)):
                await self._stirred.wait()
        except TimeoutError:
            return


# The smallest GIF that there is: one transparent point.
_POINT = base64.b64decode(b"R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
_IMAGE = (("content-type", "image/gif"), ("access-control-allow-origin", "*"))
_REFUSED = frozenset(
    {"Media", "Font", "Ping", "EventSource", "CSPViolationReport", "Prefetch", "Manifest"}
)
"""Kinds that add nothing to the text of a page, or never end."""

# About the connection, which is ours; or orders to the browser that concern more than one page.
_KEPT_BACK = frozenset(
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
class Paused:
    """One request that waits for an answer."""

    number: str
    """What the browser calls it."""
    frame: str
    kind: str
    redirected_from: str
    """The request whose answer led to this one; empty where there is none."""
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
        """Whether it is a picture, or the page's icon, which goes by no kind of its own."""
        wants = self.headers.get("accept", "").startswith("image/")
        return self.kind == "Image" or (self.kind == "Other" and wants)

    @property
    def is_refused(self) -> bool:
        endless = self.headers.get("accept") == "text/event-stream"
        return self.kind in _REFUSED or endless or "sec-purpose" in self.headers

    def request(self) -> Request:
        return Request(url=self.url, method=self.method, headers=self.headers, body=self.body)


def read_paused(event: Mapping[str, Any]) -> Paused | None:
    """A request in an event of the browser; None where it cannot be understood."""
    request = event.get("request")
    if not isinstance(request, Mapping) or not isinstance(request.get("headers"), Mapping):
        return None
    try:
        return Paused(
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
        raise TypeError("no text where there is always one")
    value.encode()  # half a character cannot be sent on
    return value


def _body_of(request: Mapping[str, Any]) -> bytes | None:
    """What is sent, byte for byte; it is an error that there is something and not what."""
    if not request.get("hasPostData"):
        return None
    return b"".join(base64.b64decode(_text(part["bytes"])) for part in request["postDataEntries"])


class Interception:
    """Gives the browser its answers."""

    def __init__(self, devtools: Devtools) -> None:
        self._devtools = devtools

    async def give(self, paused: Paused, status: int, headers: Headers, body: bytes) -> None:
        """Answer with what there is.

        Raises:
            Gone: There is no browser.
        """
        said = [{"name": name, "value": value} for name, value in headers]
        self._devtools.tell(
            "Fetch.fulfillRequest",
            {
                "requestId": paused.number,
                "responseCode": status,
                "responseHeaders": said,
                "body": base64.b64encode(body).decode("ascii"),
            },
        )
        await self._devtools.drain()

    async def pass_on(self, paused: Paused, answer: Answer) -> None:
        """Answer with what somebody else has answered.

        Raises:
            Gone: There is no browser.
        """
        headers = tuple(
            (name, line)
            for name, value in answer.headers.items()
            if name not in _KEPT_BACK
            for line in value.split("\n")
        )
        await self.give(paused, answer.status, headers, answer.body)

    async def give_point(self, paused: Paused) -> None:
        """Answer with a picture of nothing, so that a page that waits for it goes on.

        Raises:
            Gone: There is no browser.
        """
        await self.give(paused, 200, _IMAGE, _POINT)

    def refuse(self, number: str, *, quietly: bool = False) -> None:
        """Let it fail; quietly, so that a page that wanted to go elsewhere stays as it is.

        Raises:
            Gone: There is no browser.
        """
        reason = "Aborted" if quietly else "BlockedByClient"
        self._devtools.tell("Fetch.failRequest", {"requestId": number, "errorReason": reason})


_STAYING = frozenset({*REDIRECTS, 204, 205})
"""Answers that no page is made of: the browser stays where it is, or goes on."""
_DEPARTURES = 10
"""How often a page may go elsewhere; then it stays where it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a page is opened with."""

    url: str
    body: bytes | None
    """What the address gave already; None where the page is still to be asked for."""
    content_type: str
    requests: PageRequests
    images: bool
    """Whether pictures are really fetched, which their page's text does not need."""


class Answering:
    """The requests of one page, each of which gets an answer or fails."""

    def __init__(self, answers: Interception, opening: Opening, stillness: Stillness) -> None:
        self._answers = answers
        self._opening = opening
        self._stillness = stillness
        self._tasks: set[asyncio.Task[None]] = set()
        self._hops: dict[str, int] = {}
        self._announced: set[str] = set()
        self._leading: set[str] = set()
        """The requests by which the page itself goes elsewhere."""
        self._departures = 0
        self._served = False
        self.page = ""
        """The frame that holds the page itself."""
        self.problem: ResearchError | None = None
        """Why the page that it has gone on to could not be had."""

    @property
    def begun(self) -> bool:
        """Whether the browser has asked for the page."""
        return bool(self._leading)

    def announce(self, url: str) -> None:
        """Take note that the page is about to go to an address, and not to fetch a file there."""
        self._announced.add(urldefrag(url).url)

    def take(self, paused: Paused) -> None:
        """See to it that a request of the page gets an answer."""
        self._follow(paused)
        self._stillness.begin(paused.number)
        task = asyncio.create_task(self._answer(paused))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def close(self) -> None:
        """Give up whatever is under way."""
        for task in self._tasks:
            task.cancel()

    async def _answer(self, paused: Paused) -> None:
        try:
            if not await self._answer_here(paused):
                await self._answer_from_outside(paused)
        except Gone:
            return
        finally:
            self._stillness.end(paused.number)

    async def _answer_here(self, paused: Paused) -> bool:
        """Answer what nobody outside needs to be asked for; says whether it was."""
        opening = self._opening
        if self._is_page(paused) and not self._served and opening.body is not None:
            self._served = True
            said = (("content-type", opening.content_type),)
            await self._answers.give(paused, 200, said, opening.body)
        elif paused.is_refused:
            self._answers.refuse(paused.number)
        elif self._is_page(paused) and self._departures > _DEPARTURES:
            self._answers.refuse(paused.number, quietly=True)
        elif self._goes_in_circles(paused):
            self._fail(paused, BadAnswer(SOURCE, "redirects in a circle", cause="format"))
        elif paused.is_image and not opening.images:
            await self._answers.give_point(paused)
        else:
            return False
        return True

    async def _answer_from_outside(self, paused: Paused) -> None:
        try:
            answer = await self._opening.requests.ask(paused.request())
        except (UpstreamError, Denied, InvalidInput) as error:
            self._fail(paused, error)
            return
        if answer.status not in _STAYING:
            self._note(paused, self._opening.requests.problem_in(answer))
        await self._answers.pass_on(paused, answer)

    def _fail(self, paused: Paused, error: ResearchError) -> None:
        self._note(paused, error)
        self._answers.refuse(paused.number, quietly=paused.is_document)

    def _note(self, paused: Paused, problem: ResearchError | None) -> None:
        """Only what the page itself has become is the page's own problem."""
        if self._is_page(paused):
            self.problem = problem

    def _follow(self, paused: Paused) -> None:
        """See whether it goes on from another request, or begins the way to another page."""
        before = paused.redirected_from
        self._hops[paused.number] = self._hops.get(before, 0) + 1 if before else 0
        itself = paused.is_document and paused.frame == self.page
        goes = itself and (paused.url in self._announced or not self._leading)
        self._departures += goes
        if goes or before in self._leading:
            self._announced.discard(paused.url)
            self._leading.add(paused.number)

    def _is_page(self, paused: Paused) -> bool:
        return paused.number in self._leading

    def _goes_in_circles(self, paused: Paused) -> bool:
        return self._hops[paused.number] > MOST_REDIRECTS
