"""Downloads a file from a location that a source named, and checks its magic bytes."""

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.base.http_messages import Request, Response
from sourcewright.base.pages import FetchedFile
from sourcewright.base.urls.allowlists import OA_PUBLISHER_SOURCE
from sourcewright.base.urls.canonical import host_of
from sourcewright.net.http.answers import absence_in, refusal_in
from sourcewright.net.http.exchange import PDF, Policy
from sourcewright.net.http.target import expect_valid_url
from sourcewright.net.network import Network
from sourcewright.net.rate_ledger import RateBucket
from sourcewright.net.sources.pace import PAPERS_BUCKET


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
        https_url = with_https(url)
        host_bucket = bucket_for_host(https_url, OA_PUBLISHER_SOURCE)
        expect_valid_url(https_url, OA_PUBLISHER_SOURCE)
        client = self._network.source_client(host_bucket.name, (host_bucket, PAPERS_BUCKET))
        answer = await client.send(Request(url=https_url), self._policy())
        return read_fetched_file(answer)

    def _policy(self) -> Policy:
        return Policy(
            source=OA_PUBLISHER_SOURCE,
            allowed_hosts=self._hosts,
            passing_hosts=self._passing,
            max_bytes=PDF.max_bytes,
            magic=PDF.magic,
            magic_within=PDF.magic_within,
        )


def with_https(url: str) -> str:
    """The URL with https for http: many records predate the publishers' move to https."""
    return "https://" + url[7:] if url[:7].lower() == "http://" else url


def bucket_for_host(address: str, source: str) -> RateBucket:
    """The rate bucket of one host, for a source that contacts many hosts."""
    return RateBucket(
        name=f"{source} {host_of(address)}", starts=5, per_seconds=1.0, gap_seconds=0.2
    )


def read_fetched_file(answer: Response) -> FetchedFile:
    """The file in a response.

    Raises:
        UpstreamError: The response is not a file.
    """
    problem = absence_in(answer, OA_PUBLISHER_SOURCE) or refusal_in(answer, OA_PUBLISHER_SOURCE)
    if isinstance(problem, NotFound):
        # A file missing at one location does not mean that the paper does not exist.
        problem = BadAnswer(
            OA_PUBLISHER_SOURCE, f"HTTP {answer.status}", status=answer.status, cause="status"
        )
    if problem is not None:
        raise problem
    return FetchedFile(body=answer.body, url=answer.url, hops=answer.hops)
