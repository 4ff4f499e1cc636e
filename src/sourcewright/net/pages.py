"""Downloads a page that a user named, bounded, and truncated where it does not end."""

from dataclasses import replace

from sourcewright.domain.pages import SOURCE, Page
from sourcewright.net.answers import refusal_in
from sourcewright.net.exchange import MEBIBYTE, Answer, Policy, Request
from sourcewright.net.files import lane_to, secured
from sourcewright.net.network import Network
from sourcewright.net.pace import PAPERS

_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"


class OpenPages:
    """Fetches the start of pages from anywhere, each host at its own pace."""

    def __init__(self, network: Network, *, hosts: tuple[str, ...] | None = None) -> None:
        self._network = network
        self._policy = replace(_POLICY, allowed_hosts=hosts)

    async def fetch_page(self, url: str) -> Page:
        """The page at an address, which is asked for by https whatever it says.

        Raises:
            InvalidInput: There is no such address.
            Denied: The address or a redirect breaks our rules.
            UpstreamError: Nobody answered, or asked us to wait.
        """
        address = secured(url)
        own = lane_to(address, SOURCE)
        courier = self._network.courier(own.name, (own, PAPERS))
        request = Request(url=address, headers={"accept": _ACCEPT})
        return read_page(await courier.send(request, self._policy))


_POLICY = Policy(
    source=SOURCE,
    max_bytes=2 * MEBIBYTE,
    cut_long=True,
    read_seconds=20.0,
    total_seconds=60.0,
)


def read_page(answer: Answer) -> Page:
    """The page in an answer, or why there is none.

    That an address has no page says nothing about whether a paper exists, so a 404 is
    not absence here.
    """
    problem = refusal_in(answer, SOURCE)
    body = b"" if problem else answer.body
    return Page(body=body, url=answer.url, hops=answer.hops, problem=problem)
