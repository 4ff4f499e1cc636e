"""Downloads the start of a page that a user named, truncated at a size limit."""

from dataclasses import replace

from sourcewright.base.http_messages import Request, Response
from sourcewright.base.pages import SOURCE, FetchedPage
from sourcewright.net.fetch.files import bucket_for_host, with_https
from sourcewright.net.http.answers import refusal_in
from sourcewright.net.http.exchange import MEBIBYTE, Policy
from sourcewright.net.network import Network
from sourcewright.net.sources.pace import PAPERS_BUCKET

_ACCEPT = "text/html,application/xhtml+xml;q=0.9,*/*;q=0.1"


class OpenPages:
    """Fetches the start of pages from any host, with a rate limit for each host."""

    def __init__(self, network: Network, *, hosts: tuple[str, ...] | None = None) -> None:
        self._network = network
        self._policy = replace(_POLICY, allowed_hosts=hosts)

    async def fetch_page(self, url: str) -> FetchedPage:
        """The page at a URL; an http URL is requested over https.

        Raises:
            InvalidInput: The URL is malformed.
            Denied: The URL or a redirect breaks our rules.
            UpstreamError: There was no response, or it asked us to wait.
        """
        https_url = with_https(url)
        host_bucket = bucket_for_host(https_url, SOURCE)
        client = self._network.source_client(host_bucket.name, (host_bucket, PAPERS_BUCKET))
        request = Request(url=https_url, headers={"accept": _ACCEPT})
        return read_open_page(await client.send(request, self._policy))


_POLICY = Policy(
    source=SOURCE,
    max_bytes=2 * MEBIBYTE,
    cut_long=True,
    read_seconds=20.0,
    total_seconds=60.0,
)


def read_open_page(answer: Response) -> FetchedPage:
    """The page in a response, or the problem in its place.

    A missing page does not mean that a paper does not exist, so a 404 is an ordinary
    problem here, not absence.
    """
    problem = refusal_in(answer, SOURCE)
    body = b"" if problem else answer.body
    return FetchedPage(body=body, url=answer.url, hops=answer.hops, problem=problem)
