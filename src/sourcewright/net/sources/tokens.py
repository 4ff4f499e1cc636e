"""Access tokens (OAuth client credentials): fetched with a login, kept until they expire."""

import asyncio
import base64
from dataclasses import dataclass, field, replace
from typing import Any

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import BadAnswer, Refused
from sourcewright.base.http_messages import Request, Response
from sourcewright.net.http.answers import parse_json, refusal_in, retryable_error_in
from sourcewright.net.http.exchange import Policy, Sends

_MARGIN_SECONDS = 60.0
"""A token is not used shortly before it expires, since a request takes time."""
_LONGEST_SECONDS = 86_400.0
_REJECTIONS = frozenset({400, 401, 403})
_REJECTED = (b"invalid_access_token", b"access token", b"access_token")


@dataclass(frozen=True, slots=True)
class Login:
    """What is exchanged for a token. Never printed."""

    url: str
    user: str
    secret: str = field(repr=False)


class TokenClient:
    """Sends requests with a token; one that the source no longer accepts is replaced once."""

    def __init__(self, client: Sends, login: Login, clock: Clock) -> None:
        self._client = client
        self._login = login
        self._clock = clock
        self._lock = asyncio.Lock()
        self._token = ""
        self._until = 0.0

    async def send(self, request: Request, policy: Policy) -> Response:
        token = await self._current(policy)
        answer = await self._client.send(_with_token(request, token), policy)
        if answer.status in _REJECTIONS and _is_rejection(answer.body):
            self._forget(token)
            token = await self._current(policy)
            answer = await self._client.send(_with_token(request, token), policy)
        return answer

    def _forget(self, token: str) -> None:
        if self._token == token:
            self._until = 0.0

    async def _current(self, policy: Policy) -> str:
        async with self._lock:
            if self._clock.now() >= self._until:
                answer = await self._client.send(self._request(), policy)
                self._token, seconds = self._read(answer, policy)
                self._until = self._clock.now() + min(seconds, _LONGEST_SECONDS) - _MARGIN_SECONDS
            return self._token

    def _request(self) -> Request:
        pair = base64.b64encode(f"{self._login.user}:{self._login.secret}".encode()).decode()
        headers = {
            "authorization": f"Basic {pair}",
            "content-type": "application/x-www-form-urlencoded",
            "accept": "application/json",
        }
        body = b"grant_type=client_credentials"
        return Request(url=self._login.url, method="POST", headers=headers, body=body)

    def _read(self, answer: Response, policy: Policy) -> tuple[str, float]:
        failure = retryable_error_in(answer, policy, self._clock.now())
        if failure is not None:
            raise failure
        refusal = refusal_in(answer, policy.source)
        if isinstance(refusal, Refused):
            raise Refused(policy.source, "the login was refused", status=answer.status)
        if refusal is not None:
            raise refusal
        try:
            body: Any = parse_json(answer.body)
            token, seconds = body["access_token"], float(body["expires_in"])
        except (LookupError, TypeError, ValueError) as error:
            detail = "the login returned no token"
            raise BadAnswer(policy.source, detail, status=answer.status, cause="shape") from error
        if not isinstance(token, str) or not token.isascii() or not token.isprintable():
            raise BadAnswer(policy.source, "the login returned no token", cause="shape")
        return token, seconds


def _with_token(request: Request, token: str) -> Request:
    return replace(request, headers={**request.headers, "authorization": f"Bearer {token}"})


def _is_rejection(body: bytes) -> bool:
    start = body[:2000].lower()
    return any(words in start for words in _REJECTED)
