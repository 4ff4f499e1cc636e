"""A source's API as a provider uses it: lookups and searches that return values or raise.

It does what every provider would otherwise repeat: the base URL, status codes, malformed
responses.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from sourcewright.base.clocks import Clock, SystemClock
from sourcewright.base.errors import BadAnswer, BadRequest, RateLimited, Refused, UpstreamError
from sourcewright.base.formats.answer_limits import LimitExceeded
from sourcewright.base.http_messages import Request, Response
from sourcewright.base.pages import FetchedFile
from sourcewright.net.http.answers import (
    absence_in,
    challenge_page,
    is_html,
    not_found,
    parse_json,
    refusal_in,
    retryable_error_in,
    words_of_bad_request,
)
from sourcewright.net.http.exchange import FileType, Policy, Sends
from sourcewright.net.http.target import expect_valid_url, read_target

T = TypeVar("T")
Params = Mapping[str, str] | Sequence[tuple[str, str]]
Parse = Callable[[bytes], Any]
IsAbsent = Callable[[Response], bool]
IsPreview = Callable[[Mapping[str, str]], bool]
ErrorInBody = Callable[[Any], UpstreamError | None]

_INLINE_BYTES = 128 * 1024
"""A longer response is parsed in a thread, so that the event loop stays free."""
_WORK_LIMITS: Mapping[str, Any] = {
    "cut_long": True,
    "max_bytes": 512 * 1024,
    "read_seconds": 60.0,
    "total_seconds": 60.0,
}
"""Of a request for work: the work takes long, and only the start of the response matters."""
_PARSE_ERRORS = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    SyntaxError,
)
"""What parsing a hostile response may raise; XML parsers raise SyntaxError."""


@dataclass(frozen=True, slots=True)
class _ResponseReader(Generic[T]):
    requested: str
    parse: Parse
    read: Callable[[Any], T]
    error_in: ErrorInBody | None = None

    @property
    def path(self) -> str:
        """The requested path without its query, for error messages: a URL may be signed."""
        return self.requested.partition("?")[0]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """The response to a request for some work, whatever its status."""

    url: str
    """After redirects."""
    content_location: str | None
    http_status: int
    body: bytes
    """At most the start of it."""


class Upstream:
    """A client for the API of one source."""

    def __init__(
        self,
        *,
        base_url: str,
        policy: Policy,
        client: Sends,
        headers: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        block_until_allowed: Callable[[RateLimited], None] | None = None,
    ) -> None:
        self.source = policy.source
        self._base_url = base_url
        self._endpoint = read_target(base_url).origin if base_url else None
        self._policy = policy
        self._client = client
        self._headers = dict(headers or {})
        self._clock = clock or SystemClock()
        self._on_rate_limit = block_until_allowed
        """Called with every rate limit that only the body of a response reports."""

    def with_headers(self, headers: Mapping[str, str]) -> "Upstream":
        """Return a client of the same source that sends these headers too."""
        return Upstream(
            base_url=self._base_url,
            policy=self._policy,
            client=self._client,
            headers=self._headers | dict(headers),
            clock=self._clock,
            block_until_allowed=self._on_rate_limit,
        )

    async def lookup(
        self,
        path: str,
        params: Params | None = None,
        *,
        read: Callable[[Any], T],
        parse: Parse = parse_json,
        absent: IsAbsent | None = None,
        error_in: ErrorInBody | None = None,
    ) -> T:
        """Request one thing by its identifier: a 404 means that the source does not have it.

        `absent` decides instead of the status where the source is more precise, and
        `error_in` explains a refusal, as in `search`. `read` may raise `not_found`
        where only the parsed body shows it.

        Raises:
            UpstreamError: The source did not return a usable response.
        """
        answer = await self.send(Request(url=self._url(path, params), headers=self._headers))
        if self._is_absent(answer, path, absent):
            raise not_found(self.source, status=answer.status)
        return await self._read(answer, _ResponseReader(path, parse, read, error_in))

    async def search(
        self,
        path: str,
        params: Params | None = None,
        *,
        read: Callable[[Any], T],
        parse: Parse = parse_json,
        post: Any = None,
        error_in: ErrorInBody | None = None,
    ) -> T:
        """Request whatever matches: a 404 is an unusable response, never an empty list.

        With `post`, the query is sent as JSON, and never repeated.
        `error_in` maps the JSON body of a refusal to an error where it is more precise
        than the status; None falls back to the status.

        Raises:
            UpstreamError: The source did not return a usable response.
        """
        request = Request(url=self._url(path, params), headers=self._headers)
        if post is not None:
            headers = self._headers | {"content-type": "application/json"}
            body = json.dumps(post).encode()
            request = Request(url=request.url, method="POST", headers=headers, body=body)
        answer = await self.send(request)
        return await self._read(answer, _ResponseReader(path, parse, read, error_in))

    async def download(
        self, place: str, form: FileType, *, preview: IsPreview | None = None
    ) -> FetchedFile:
        """Download a file by path or absolute URL: a 404 means that the source lacks it.

        `preview` decides from the headers whether the source sent only a part.

        Raises:
            Denied: It is too large, or lacks the magic bytes of such a file.
            UpstreamError: The source did not return the file.
        """
        url = self._url(place, None)
        request = Request(url=url, headers=self._headers | {"accept": form.accept})
        # A file takes longer than a record, so the defaults replace the policy's own time limits.
        policy = Policy(
            source=self.source,
            allowed_hosts=self._policy.allowed_hosts,
            max_bytes=form.max_bytes,
            magic=form.magic,
            magic_within=form.magic_within,
        )
        answer = await self.send(request, policy)
        problem = absence_in(answer, self.source) or refusal_in(answer, self.source)
        if problem is not None:
            raise problem
        if preview is not None and preview(answer.headers):
            raise Refused(
                self.source, "returned only a preview: the API key does not include the full text"
            )
        return FetchedFile(body=answer.body, url=answer.url, hops=answer.hops)

    async def submit(
        self, path: str, *, read: Callable[[Receipt], T], form: Mapping[str, str] | None = None
    ) -> T:
        """Request something whose result is a place: where the response came from, or is kept.

        With `form`, its fields are posted, and never repeated.

        Raises:
            UpstreamError: The source did not return a usable response.
        """
        request = Request(url=self._url(path, None), headers=self._headers)
        if form is not None:
            headers = self._headers | {"content-type": "application/x-www-form-urlencoded"}
            body = urlencode(form).encode()
            request = Request(url=request.url, method="POST", headers=headers, body=body)
        answer = await self.send(request, replace(self._policy, **_WORK_LIMITS))
        try:
            return read(_receipt(answer))
        except _PARSE_ERRORS as error:
            refusal = refusal_in(answer, self.source, self._policy)
            raise refusal or self._wrong_shape(answer, "unknown response", error) from error

    async def destination(self, path: str) -> str:
        """The final URL after redirects, whatever the status there.

        Raises:
            Denied: It redirects to a host that the source may not use.
            UpstreamError: The source did not respond, or asked us to wait.
        """
        request = Request(url=self._url(path, None), headers=self._headers)
        return (await self.send(request)).url

    async def send(self, request: Request, policy: Policy | None = None) -> Response:
        """Send a request; return any response that a retry would not improve, unparsed.

        Raises:
            UpstreamError: The source did not respond, asked us to wait, or gave a malformed URL.
        """
        expect_valid_url(request.url, self.source)
        policy = replace(policy or self._policy, endpoint=self._endpoint)
        answer = await self._client.send(request, policy)
        failure = retryable_error_in(answer, policy, self._clock.now())
        if failure is not None:
            raise failure
        return answer

    def now(self) -> float:
        """Seconds since the epoch, for responses with relative times."""
        return self._clock.now()

    def _url(self, place: str, params: Params | None) -> str:
        """The URL for a path of this source; an absolute URL is kept, for sources with many hosts."""
        query = f"?{urlencode(params)}" if params else ""
        is_path = place.startswith("/")  # it may contain a URL
        return (self._base_url + place if is_path or "://" not in place else place) + query

    def _is_absent(self, answer: Response, path: str, absent: IsAbsent | None) -> bool:
        if absent is None:
            return absence_in(answer, self.source) is not None
        try:
            return absent(answer)
        except _PARSE_ERRORS as error:
            raise self._wrong_shape(
                answer, f"{path} returned an unexpected structure", error
            ) from error

    async def _read(self, answer: Response, reader: _ResponseReader[T]) -> T:
        try:
            if len(answer.body) <= _INLINE_BYTES:
                return self._result(answer, reader)
            return await asyncio.to_thread(self._result, answer, reader)
        except RateLimited as error:
            if self._on_rate_limit is not None:
                self._on_rate_limit(error)
            raise

    def _result(self, answer: Response, reader: _ResponseReader[T]) -> T:
        refusal = refusal_in(answer, self.source, self._policy)
        if refusal is not None:
            raise _error_in_body(answer, reader) or self._bad_request(answer) or refusal
        parsed = self._parse(answer, reader)
        try:
            return reader.read(parsed)
        except _PARSE_ERRORS as error:
            if is_html(answer):  # an HTML page may happen to be well-formed XML
                raise self._wrong_format(answer, reader, error) from error
            raise self._wrong_shape(
                answer, f"{reader.path} returned an unexpected structure", error
            ) from error

    def _bad_request(self, answer: Response) -> BadRequest | None:
        words = words_of_bad_request(answer) if self._policy.explains_bad_requests else None
        if words is None:
            return None
        return BadRequest(self.source, words, status=answer.status, cause="status")

    def _parse(self, answer: Response, reader: _ResponseReader[T]) -> Any:
        try:
            return reader.parse(answer.body)
        except LimitExceeded as error:
            raise self._wrong_shape(
                answer, f"{reader.path} returned too much data", error
            ) from error
        except _PARSE_ERRORS as error:
            raise self._wrong_format(answer, reader, error) from error

    def _wrong_format(
        self, answer: Response, reader: _ResponseReader[T], error: BaseException
    ) -> UpstreamError:
        challenge = challenge_page(answer, self.source)
        if challenge is not None:
            return challenge
        actual = "an HTML page" if is_html(answer) else "invalid data"
        expected = "JSON" if reader.parse is parse_json else "the expected format"
        detail = f"{reader.path} returned {actual} instead of {expected} ({_summary(error)})"
        return BadAnswer(self.source, detail, status=answer.status, cause="format")

    def _wrong_shape(self, answer: Response, message: str, error: BaseException) -> BadAnswer:
        detail = f"{message} ({_summary(error)})"
        return BadAnswer(self.source, detail, status=answer.status, cause="shape")


def _receipt(answer: Response) -> Receipt:
    return Receipt(
        url=answer.url,
        content_location=answer.headers.get("content-location"),
        http_status=answer.status,
        body=answer.body,
    )


def _error_in_body(answer: Response, reader: _ResponseReader[T]) -> UpstreamError | None:
    if reader.error_in is None:
        return None
    try:
        return reader.error_in(parse_json(answer.body))
    except _PARSE_ERRORS:  # not the source's JSON, so only the status counts
        return None


def _summary(error: BaseException) -> str:
    """The start of an error message: it may quote a hostile response at length."""
    return f"{type(error).__name__}: {str(error)[:80]!r}"
