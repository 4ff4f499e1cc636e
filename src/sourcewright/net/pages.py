"""Downloads the start of a page that a user named, truncated at a size limit."""

from dataclasses import replace

from sourcewright.domain.pages import SOURCE, Page
from sourcewright.net.answers import refusal_in
from sourcewright.net.exchange import MEBIBYTE, Answer, Policy, Request
from sourcewright.net.files import lane_to, secured
from sourcewright.net.network import Network
from sourcewright.net.pace import PAPERS

_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"


class OpenPages:
    """Fetches the start of pages from any host, with a rate limit for each host."""

    def __init__(self, network: Network, *, hosts: tuple[str, ...] | None = None) -> None:
        self._network = network
        self._policy = replace(_POLICY, allowed_hosts=hosts)

    async def fetch_page(self, url: str) -> Page:
        """The page at a URL; an http URL is requested over https.

        Raises:
            InvalidInput: The URL is malformed.
            Denied: The URL or a redirect breaks our rules.
            UpstreamError: There was no response, or it asked us to wait.
        """
        https_url = secured(url)
        host_lane = lane_to(https_url, SOURCE)
        courier = self._network.courier(host_lane.name, (host_lane, PAPERS))
        request = Request(url=https_url, headers={"accept": _ACCEPT})
        return read_page(await courier.send(request, self._policy))


_POLICY = Policy(
    source=SOURCE,
    max_bytes=2 * MEBIBYTE,
    cut_long=True,
    read_seconds=20.0,
    total_seconds=60.0,
)


def read_page(answer: Answer) -> Page:
    """The page in a response, or the problem in its place.

    A missing page does not mean that a paper does not exist, so a 404 is an ordinary
    problem here, not absence.
    """
    problem = refusal_in(answer, SOURCE)
    body = b"" if problem else answer.body
    return Page(body=body, url=answer.url, hops=answer.hops, problem=problem)
