"""One source's API, seen through the shared client.

Everything that every provider would otherwise repeat lives here: the base
address, the status codes, the unreadable answer.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar
from urllib.parse import urlencode

from sourcewright.domain.errors import BadAnswer, NotFound, RateLimited, Refused, Unavailable
from sourcewright.net.client import Client
from sourcewright.net.exchange import Answer, Policy, Request

T = TypeVar("T")
Parse = Callable[[bytes], Any]


def parse_json(body: bytes) -> Any:
    return json.loads(body)


class Upstream:
    """A client bound to one source."""

    def __init__(self, *, base_url: str, policy: Policy, client: Client) -> None:
        self.source = policy.source
        self._base_url = base_url
        self._policy = policy
        self._client = client

    async def lookup(
        self,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        read: Callable[[Any], T],
        parse: Parse = parse_json,
    ) -> T:
        """Ask for one thing by its name: a 404 means that the source has no such thing.

        Raises:
            UpstreamError: The source did not give a usable answer.
        """
        return await self._ask(path, params or {}, read=read, parse=parse, absence=True)

    async def search(
        self,
        path: str,
        params: Mapping[str, str] | None = None,
        *,
        read: Callable[[Any], T],
        parse: Parse = parse_json,
    ) -> T:
        """Ask for whatever fits: a 404 is an answer that we cannot read, never an empty list.

        Raises:
            UpstreamError: The source did not give a usable answer.
        """
        return await self._ask(path, params or {}, read=read, parse=parse, absence=False)

    async def _ask(self, path: str, params: Mapping[str, str], *, read: Callable[[Any], T], parse: Parse, absence: bool) -> T:
        query = f"?{urlencode(params)}" if params else ""
        answer = await self._client.send(Request(url=self._base_url + path + query), self._policy)
        self._raise_for_status(answer, absence=absence)
        try:
            return read(parse(answer.body))
        except (KeyError, TypeError, ValueError, IndexError, AttributeError) as error:
            raise BadAnswer(self.source, f"{path} changed shape ({error!r})", status=answer.status, cause="shape") from error

    def _raise_for_status(self, answer: Answer, *, absence: bool) -> None:
        status = answer.status
        if status < 400:
            return
        if status in (404, 410):
            kind: type = NotFound if absence else BadAnswer
        elif status in (401, 403, 451):
            kind = Refused
        elif status == 429:
            kind = RateLimited
        else:
            kind = Unavailable if status >= 500 else BadAnswer
        raise kind(self.source, f"HTTP {status}", status=status, cause="status")
