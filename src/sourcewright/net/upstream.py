"""A source's API as a provider sees it: lookups and searches that return values or errors.

Everything that every provider would otherwise repeat lives here: the base
address, the status codes, the unreadable answer.
"""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar
from urllib.parse import urlencode

from sourcewright.domain.errors import BadAnswer, RateLimited, Refused, UpstreamError
from sourcewright.domain.files import FetchedFile
from sourcewright.domain.ports import Clock, SystemClock
from sourcewright.logic.formats.answer_limits import TooMuch
from sourcewright.net.answers import (
    absence_in,
    failure_in,
    is_html,
    no_such_thing,
    parse_json,
    refusal_in,
)
from sourcewright.net.exchange import Answer, FileForm, Policy, Request, Sends
from sourcewright.net.target import expect_address, read_target

T = TypeVar("T")
Params = Mapping[str, str] | Sequence[tuple[str, str]]
Parse = Callable[[bytes], Any]
Absent = Callable[[Answer], bool]
Preview = Callable[[Mapping[str, str]], bool]
Complaint = Callable[[Any], UpstreamError | None]

_SHORT = 128 * 1024
"""A longer answer is read beside the event loop, so that other calls go on meanwhile."""
_UNREADABLE = (
    LookupError,
    TypeError,
    ValueError,
    AttributeError,
    ArithmeticError,
    RecursionError,
    SyntaxError,
)
"""What code that reads a hostile answer may stumble over; XML parsers raise SyntaxError."""


@dataclass(frozen=True, slots=True)
class _Reading(Generic[T]):
    asked: str
    parse: Parse
    read: Callable[[Any], T]
    complaint: Complaint | None = None

    @property
    def path(self) -> str:
        """What was asked for, as errors may show it: an address may be signed."""
        return self.asked.partition("?")[0]


class Upstream:
    """A way out bound to one source."""

    def __init__(
        self,
        *,
        base_url: str,
        policy: Policy,
        client: Sends,
        headers: Mapping[str, str] | None = None,
        clock: Clock | None = None,
        heed: Callable[[RateLimited], None] | None = None,
    ) -> None:
        self.source = policy.source
        self._base_url = base_url
        self._endpoint = read_target(base_url).origin if base_url else None
        self._policy = policy
        self._client = client
        self._headers = dict(headers or {})
        self._clock = clock or SystemClock()
        self._heed = heed
        """Told of every wish that we wait which no status could tell."""

    async def lookup(
        self,
        path: str,
        params: Params | None = None,
        *,
        read: Callable[[Any], T],
        parse: Parse = parse_json,
        absent: Absent | None = None,
        complaint: Complaint | None = None,
    ) -> T:
        """Ask for one thing by its name: a 404 means that the source has no such thing.

        `absent` decides instead of the status where the source says it more exactly, and
        `complaint` says what a refusal means, as for a search.
        `read` may raise `no_such_thing` when only the parsed answer tells.

        Raises:
            UpstreamError: The source did not give a usable answer.
        """
        answer = await self.send(Request(url=self._address(path, params), headers=self._headers))
        if self._is_absent(answer, path, absent):
            raise no_such_thing(self.source, status=answer.status)
        return await self._read(answer, _Reading(path, parse, read, complaint))

    async def search(
        self,
        path: str,
        params: Params | None = None,
        *,
        read: Callable[[Any], T],
        parse: Parse = parse_json,
        post: Any = None,
        complaint: Complaint | None = None,
    ) -> T:
        """Ask for whatever fits: a 404 is an answer that we cannot read, never an empty list.

        With `post`, the question is sent as JSON, and never twice.
        `complaint` says what a refusal means where the source's own words, as JSON, are
        more exact than its status; None leaves it to the status.

        Raises:
            UpstreamError: The source did not give a usable answer.
        """
        request = Request(url=self._address(path, params), headers=self._headers)
        if post is not None:
            headers = self._headers | {"content-type": "application/json"}
            body = json.dumps(post).encode()
            request = Request(url=request.url, method="POST", headers=headers, body=body)
        answer = await self.send(request)
        return await self._read(answer, _Reading(path, parse, read, complaint))

    async def download(
        self, place: str, form: FileForm, *, preview: Preview | None = None
    ) -> FetchedFile:
        """Ask for one file, by a path or a whole address: a 404 means that the source lacks it.

        `preview` says by the headers whether the source gave a part in place of the whole.

        Raises:
            Denied: It is too large, or does not begin as such a file does.
            UpstreamError: The source did not give the file.
        """
        url = self._address(place, None)
        request = Request(url=url, headers=self._headers | {"accept": form.accept})
        # A file takes longer than a record, so the policy's own time limits do not hold.
        policy = Policy(
            source=self.source,
            allowed_hosts=self._policy.allowed_hosts,
            max_bytes=form.max_bytes,
            magic=form.magic,
        )
        answer = await self.send(request, policy)
        problem = absence_in(answer, self.source) or refusal_in(answer, self.source)
        if problem is not None:
            raise problem
        if preview is not None and preview(answer.headers):
            raise Refused(
                self.source, "gives a preview alone: the key is not entitled to the rest"
            )
        return FetchedFile(body=answer.body, url=answer.url, hops=answer.hops)

    async def destination(self, path: str) -> str:
        """Where an address of this source leads in the end, whatever is there.

        Raises:
            Denied: It leads away from the source.
            UpstreamError: The source did not answer, or asked us to wait.
        """
        request = Request(url=self._address(path, None), headers=self._headers)
        return (await self.send(request)).url

    async def send(self, request: Request, policy: Policy | None = None) -> Answer:
        """Any answer that a later try would not better: headers, body and status as they came.

        Raises:
            UpstreamError: The source did not answer, asked us to wait, or named no address.
        """
        expect_address(request.url, self.source)
        policy = replace(policy or self._policy, endpoint=self._endpoint)
        answer = await self._client.send(request, policy)
        failure = failure_in(answer, policy, self._clock.now())
        if failure is not None:
            raise failure
        return answer

    def now(self) -> float:
        """Seconds since the epoch, for answers that count from the present."""
        return self._clock.now()

    def _address(self, place: str, params: Params | None) -> str:
        """A path of this source, or a whole address where its hosts are many."""
        query = f"?{urlencode(params)}" if params else ""
        return (place if "://" in place else self._base_url + place) + query

    def _is_absent(self, answer: Answer, path: str, absent: Absent | None) -> bool:
        if absent is None:
            return absence_in(answer, self.source) is not None
        try:
            return absent(answer)
        except _UNREADABLE as error:
            raise self._unreadable(answer, f"{path} changed shape", error) from error

    async def _read(self, answer: Answer, reading: _Reading[T]) -> T:
        try:
            if len(answer.body) <= _SHORT:
                return self._understood(answer, reading)
            return await asyncio.to_thread(self._understood, answer, reading)
        except RateLimited as error:
            if self._heed is not None:
                self._heed(error)
            raise

    def _understood(self, answer: Answer, reading: _Reading[T]) -> T:
        refusal = refusal_in(answer, self.source)
        if refusal is not None:
            raise _complaint(answer, reading) or refusal
        parsed = self._parse(answer, reading)
        try:
            return reading.read(parsed)
        except _UNREADABLE as error:
            if is_html(answer):  # a page that happens to be well-formed XML is still a page
                raise self._misformed(answer, reading, error) from error
            raise self._unreadable(answer, f"{reading.path} changed shape", error) from error

    def _parse(self, answer: Answer, reading: _Reading[T]) -> Any:
        try:
            return reading.parse(answer.body)
        except TooMuch as error:
            raise self._unreadable(answer, f"{reading.path} is too much", error) from error
        except _UNREADABLE as error:
            raise self._misformed(answer, reading, error) from error

    def _misformed(self, answer: Answer, reading: _Reading[T], error: BaseException) -> BadAnswer:
        got = "an HTML page" if is_html(answer) else "something else"
        wanted = "JSON" if reading.parse is parse_json else "what it used to be"
        detail = f"{reading.path} is not {wanted} but {got} ({_start_of(error)})"
        return BadAnswer(self.source, detail, status=answer.status, cause="format")

    def _unreadable(self, answer: Answer, message: str, error: BaseException) -> BadAnswer:
        detail = f"{message} ({_start_of(error)})"
        return BadAnswer(self.source, detail, status=answer.status, cause="shape")


def _complaint(answer: Answer, reading: _Reading[T]) -> UpstreamError | None:
    if reading.complaint is None:
        return None
    try:
        return reading.complaint(parse_json(answer.body))
    except _UNREADABLE:  # not the source's own words, so that the status alone speaks
        return None


def _start_of(error: BaseException) -> str:
    """Only the start: an error's own words may quote a hostile answer at length."""
    return f"{type(error).__name__}: {str(error)[:80]!r}"
