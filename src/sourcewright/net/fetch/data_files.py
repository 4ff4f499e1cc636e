"""Downloads a data file that the operator named, such as the retraction list."""

from sourcewright.base.errors import BadAnswer, NotFound
from sourcewright.base.http_messages import Request
from sourcewright.base.pages import SOURCE, FetchedFile
from sourcewright.base.urls.canonical import host_of
from sourcewright.net.fetch.files import bucket_for_host
from sourcewright.net.http.answers import is_html, refusal_in
from sourcewright.net.http.exchange import Policy
from sourcewright.net.network import Network

_SECONDS = 600.0


class DataFiles:
    """Fetches files of any host that the guard allows, over https alone."""

    def __init__(self, network: Network) -> None:
        self._network = network

    async def fetch(self, url: str, *, max_bytes: int) -> FetchedFile:
        """The file at a URL.

        Raises:
            InvalidInput: The URL is malformed.
            Denied: The URL, a redirect or the size breaks our rules.
            UpstreamError: There is no such file, or it could not be fetched.
        """
        source = host_of(url) or SOURCE
        bucket = bucket_for_host(url, SOURCE)
        policy = Policy(source=source, max_bytes=max_bytes, total_seconds=_SECONDS)
        answer = await self._network.source_client(bucket.name, (bucket,)).send(
            Request(url=url), policy
        )
        if answer.status == 404:
            raise NotFound(source, "no such file", status=404, cause="status")
        problem = refusal_in(answer, source)
        if problem is not None:
            raise problem
        if is_html(answer):
            raise BadAnswer(source, "a web page instead of a data file", cause="format")
        return FetchedFile(body=answer.body, url=answer.url, hops=answer.hops)
