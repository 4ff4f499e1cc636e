"""The one HTTP client."""

from urllib.parse import urlsplit

import httpx2

from sourcewright.domain.errors import Unavailable
from sourcewright.net.exchange import Answer, Policy, Request


class Client:
    """Sends one request under a policy. Placeholder without guard, limits or redirects."""

    def __init__(self, *, sandbox_url: str | None = None) -> None:
        self._sandbox_url = sandbox_url
        self._http = httpx2.AsyncClient(trust_env=False)

    async def send(self, request: Request, policy: Policy) -> Answer:
        parts = urlsplit(request.url)
        url = request.url
        headers = dict(request.headers)
        if self._sandbox_url:
            url = self._sandbox_url + parts.path + (f"?{parts.query}" if parts.query else "")
            headers |= {"host": parts.netloc, "x-forwarded-proto": parts.scheme}
        try:
            got = await self._http.request(request.method, url, headers=headers)
        except httpx2.TransportError as error:
            raise Unavailable(policy.source, str(error), cause="connect") from error
        return Answer(status=got.status_code, headers=got.headers, body=got.content, url=request.url)

    async def aclose(self) -> None:
        await self._http.aclose()
