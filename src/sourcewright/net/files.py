"""Downloads a file from a location that a source named, and checks its magic bytes."""

from sourcewright.domain.errors import BadAnswer, NotFound
from sourcewright.domain.files import FetchedFile
from sourcewright.domain.ports import Lane
from sourcewright.logic.urls.allowlists import SOURCE
from sourcewright.logic.urls.canonical import host_of
from sourcewright.net.answers import absence_in, refusal_in
from sourcewright.net.exchange import PDF, Answer, Policy, Request
from sourcewright.net.network import Network
from sourcewright.net.pace import PAPERS
from sourcewright.net.target import expect_address


class OpenCopies:
    """Fetches PDFs from open locations, with a rate limit and a breaker for each host."""

    def __init__(
        self, network: Network, *, hosts: tuple[str, ...] | None, passing: tuple[str, ...] = ()
    ) -> None:
        self._network = network
        self._hosts = hosts
        self._passing = passing

    async def fetch_pdf(self, url: str) -> FetchedFile:
        """The PDF at a URL; an http URL is requested over https.

        Raises:
            Denied: The URL, a redirect, the size or the magic bytes break our rules.
            UpstreamError: The location did not return a PDF.
        """
        https_url = secured(url)
        host_lane = lane_to(https_url, SOURCE)
        expect_address(https_url, SOURCE)
        courier = self._network.courier(host_lane.name, (host_lane, PAPERS))
        answer = await courier.send(Request(url=https_url), self._policy())
        return read_file(answer)

    def _policy(self) -> Policy:
        return Policy(
            source=SOURCE,
            allowed_hosts=self._hosts,
            passing_hosts=self._passing,
            max_bytes=PDF.max_bytes,
            magic=PDF.magic,
        )


def secured(url: str) -> str:
    """The URL with https for http: many records predate the publishers' move to https."""
    return "https://" + url[7:] if url[:7].lower() == "http://" else url


def lane_to(address: str, source: str) -> Lane:
    """The rate bucket of one host, for a source that contacts many hosts."""
    return Lane(name=f"{source} {host_of(address)}", starts=5, per_seconds=1.0, gap_seconds=0.2)


def read_file(answer: Answer) -> FetchedFile:
    """The file in a response.

    Raises:
        UpstreamError: The response is not a file.
    """
    problem = absence_in(answer, SOURCE) or refusal_in(answer, SOURCE)
    if isinstance(problem, NotFound):
        # A file missing at one location does not mean that the paper does not exist.
        problem = BadAnswer(SOURCE, f"HTTP {answer.status}", status=answer.status, cause="status")
    if problem is not None:
        raise problem
    return FetchedFile(body=answer.body, url=answer.url, hops=answer.hops)
