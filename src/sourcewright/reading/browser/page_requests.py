"""What the browser needs of an HTTP client: the requests of each page, answered under our rules."""

from typing import Protocol

from sourcewright.base.errors import UpstreamError
from sourcewright.base.http_messages import Request, Response


class PageRequests(Protocol):
    """Sends the requests of one page. Redirects are returned, not followed."""

    async def ask(self, request: Request) -> Response:
        """Send one request; return its response whatever the status.

        Raises:
            InvalidInput: The URL or the request is malformed.
            Denied: A rule forbids it, or the page has reached a limit.
            UpstreamError: There is no complete response.
        """
        ...

    def problem_in(self, answer: Response) -> UpstreamError | None:
        """Why a response cannot be rendered as a document, or None."""
        ...


class Subrequests(Protocol):
    """Gives each page that is rendered its own sender, with its own limits."""

    def of_page(self, *, seconds: float) -> PageRequests:
        """The sender for one page, which has this many seconds in total."""
        ...
