"""Answers what a page in the browser asks for: by our own client, from what is there, or never."""

import base64
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sourcewright.net.exchange import Answer, Request
from sourcewright.readers._devtools import Devtools

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
