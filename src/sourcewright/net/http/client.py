"""The HTTP client: every request passes through it, checked by the guard, within limits."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, suppress
from dataclasses import replace

import anyio
import httpcore2

from sourcewright.base.calls import current_call
from sourcewright.base.errors import (
    BadAnswer,
    Cause,
    Denied,
    InvalidHttp,
    RedirectFailed,
    Unavailable,
    UpstreamError,
)
from sourcewright.base.http_messages import MOST_REDIRECTS, REDIRECTS, Request, Response
from sourcewright.net.http.backend import ConnectionPool, PrivateAddress, Route
from sourcewright.net.http.body import BodyReader, KeptBytes, check_content_length, decoder_for
from sourcewright.net.http.encodings import lenient_decoder
from sourcewright.net.http.exchange import MEBIBYTE, Policy
from sourcewright.net.http.faults import TRANSPORT_ERRORS, transport_error
from sourcewright.net.http.guard import Guard, denied_address
from sourcewright.net.http.headers import read_headers, request_for
from sourcewright.net.http.large_bodies import LargeBodies
from sourcewright.net.http.redirects import RequestStep, first_step, next_step
from sourcewright.net.http.resolver import SystemResolver
from sourcewright.net.http.sandbox import read_sandbox, resolve_locally
from sourcewright.net.http.transfer_rate import at_minimum_rate

_DRAINED_BYTES = 16 * 1024
_DRAIN_SECONDS = 0.5
_BODY_SHARE = 0.95
"""Share of the remaining time a body may take where a partial body is accepted."""


TraceRequest = Callable[[str, str, str], AbstractContextManager[Callable[[int], None]]]
"""Opens a span for a request (source, method, host), and yields a function for its status."""


class Client:
    """Sends requests under a policy, over a connection pool that all callers share.

    It reads no proxy, certificate or password from the environment, and stores no cookies. With
    a proxy, every connection but those to allowed origins is a tunnel through it, to an address
    that was resolved and checked here.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        sandbox_url: str | None = None,
        allowed_origins: Sequence[str] = (),
        own_addresses: Mapping[str, str] | None = None,
        route: Route | None = None,
    ) -> None:
        self._user_agent = user_agent
        self._trace: TraceRequest | None = None
        self._guard = Guard(allowed_origins, own_addresses)
        self._bodies = LargeBodies()
        self._sandbox = read_sandbox(sandbox_url) if sandbox_url is not None else None
        route = route or Route()
        self._resolve = route.resolve
        self._pool = ConnectionPool(
            replace(route, resolve=resolve_locally) if self._sandbox else route,
            trusts=self._trusts,
            direct=self._guard.allows_origin,
        )

    def check(self, request: Request, policy: Policy) -> None:
        """Check a URL before anyone waits for it.

        Raises:
            InvalidInput: The URL is malformed.
            Denied: A rule forbids it.
        """
        self._guard.check(first_step(request, policy).target, policy, 0)

    async def offline_reason(self) -> str | None:
        """How it shows that this computer is offline; None if it is not, or in a sandbox.

        Nobody is contacted: there is no route, or no name can be resolved.
        """
        if self._sandbox or not isinstance(self._resolve, SystemResolver):
            return None
        return await self._resolve.offline_reason()

    def trace_with(self, trace: TraceRequest) -> None:
        """Make a span of every request from now on."""
        self._trace = trace

    async def send(self, request: Request, policy: Policy) -> Response:
        """Send a request, follow redirects, and return the response whatever its status.

        Without `https_only`, a redirect may also lead to http, even from https: each URL
        is checked by itself, and the caller's private headers are dropped as soon as the
        origin changes.

        Raises:
            InvalidInput: The URL or the request is malformed.
            Denied: A rule forbids a URL or the body.
            Unavailable: There is no complete response.
            BadAnswer: The response is malformed, or its redirects lead nowhere.
        """
        if current_call.get().is_closed:
            # Clients decide by the annotation whether to ask a person first.
            raise RuntimeError("a tool that is announced as using no network sent a request")
        if self._trace is None:
            return await self._send(request, policy)
        host = first_step(request, policy).target.host
        with self._trace(policy.source, request.method, host) as ended:
            response = await self._send(request, policy)
            ended(response.status)
            return response

    async def _send(self, request: Request, policy: Policy) -> Response:
        response_started: list[int] = []
        with anyio.move_on_after(policy.total_seconds):
            return await self._follow(request, policy, response_started)
        # A slow response would be slow again, so "slow" is not retried; silence may be temporary.
        raise _timed_out(policy, cause="slow" if response_started else "timeout")

    def holding_bodies(self) -> AbstractContextManager[None]:
        """Count large bodies received inside this context as in memory until it ends."""
        return self._bodies.hold()

    async def aclose(self) -> None:
        await self._pool.aclose()

    def _trusts(self, origin: str) -> bool:
        if self._sandbox:
            return origin == self._sandbox.origin
        return self._guard.allows_origin(origin)

    async def _follow(
        self, request: Request, policy: Policy, response_started: list[int]
    ) -> Response:
        """Follow redirects; `response_started` is non-empty once the last URL began to respond."""
        step = first_step(request, policy)
        visited: list[tuple[str, str]] = []
        has_left_origin, first_origin = False, step.target.origin
        for hop in range(MOST_REDIRECTS + 1):
            has_left_origin = has_left_origin or step.target.origin != first_origin
            self._guard.check(step.target, policy, hop, strayed=has_left_origin)
            visit = (step.method, step.target.url)
            if visit in visited:
                raise RedirectFailed(policy.source, "redirect loop", cause="format")
            visited.append(visit)
            response_started.clear()
            answer = await self._send_one(step, policy, hop, response_started)
            if answer.status not in REDIRECTS or not policy.follows_redirects:
                return replace(answer, hops=tuple(url for _, url in visited))
            step = next_step(step, answer, policy, hop=hop + 1)
        message = f"more than {MOST_REDIRECTS} redirects"
        raise RedirectFailed(policy.source, message, cause="format")

    async def _send_one(
        self, step: RequestStep, policy: Policy, hop: int, response_started: list[int]
    ) -> Response:
        host = step.target.host
        request = request_for(step, policy, sandbox=self._sandbox, user_agent=self._user_agent)
        try:
            with anyio.fail_after(policy.connect_seconds + policy.read_seconds):
                response = await self._pool.handle_async_request(request)
        except TimeoutError as error:  # the headers trickled in, each within its own timeout
            message = f"{host} did not answer in time"
            raise Unavailable(policy.source, message, cause="timeout") from error
        except PrivateAddress as error:
            raise denied_address(str(error), host, policy, hop) from error
        except (*TRANSPORT_ERRORS, ValueError) as error:  # an HTTP/2 status may not be a number
            raise transport_error(error, policy.source, host, ended=False) from error
        response_started.append(response.status)
        try:
            return await _read_response(response, step, policy, self._bodies)
        except TRANSPORT_ERRORS as error:
            raise _transport_failure(error, response, step, policy) from error
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()


async def _read_response(
    response: httpcore2.Response, step: RequestStep, policy: Policy, bodies: LargeBodies
) -> Response:
    headers = read_headers(response.headers, policy.source)
    if response.status < 200:
        raise InvalidHttp(policy.source, f"answered HTTP {response.status}", cause="format")
    answer = Response(status=response.status, headers=headers, body=b"", url=step.target.url)
    if response.status in REDIRECTS:
        await _drain(response)
        return answer
    if response.status >= 400:
        return replace(answer, body=await _read_error_body(response, headers, policy))
    typed_policy = policy.for_type(headers.get("content-type", ""))
    gathering = replace(_new_gathering(response, headers, step, typed_policy), bodies=bodies)
    try:
        problem = await _gather(gathering, response, step)
    except Denied as error:
        if not policy.cut_long or error.denial.reason != "size_cap_exceeded":
            raise
        return replace(answer, body=bytes(gathering.buffer), cut=True)
    cut = problem is not None
    return replace(answer, body=bytes(gathering.buffer), cut=cut, problem=problem)


def _new_gathering(
    response: httpcore2.Response, headers: Mapping[str, str], step: RequestStep, policy: Policy
) -> BodyReader:
    answers_get = step.method != "HEAD"
    encoding = headers.get("content-encoding", "") if answers_get else ""
    if answers_get and not policy.cut_long:
        check_content_length(headers.get("content-length", ""), policy, encoded=bool(encoding))
    accepts_partial = answers_get and policy.accepts_partial
    return BodyReader(
        policy=policy,
        decoder=lenient_decoder(headers, policy)
        if accepts_partial
        else decoder_for(encoding, policy.source),
        expects_magic=answers_get and response.status < 300,
    )


async def _gather(
    gathering: BodyReader, response: httpcore2.Response, step: RequestStep
) -> Unavailable | None:
    """Read the body; return what ended it early where a partial body is accepted."""
    policy = gathering.policy
    try:
        with anyio.move_on_after(_body_seconds(policy)):
            async with aclosing(response.aiter_stream()) as chunks:
                await gathering.read(at_minimum_rate(chunks, policy))
                return None
    except (*TRANSPORT_ERRORS, Unavailable) as error:
        is_ours = isinstance(error, Unavailable)
        problem = error if is_ours else _transport_failure(error, response, step, policy)
        if policy.accepts_partial and gathering.buffer and isinstance(problem, Unavailable):
            return problem
        raise
    if not gathering.buffer:
        raise _timed_out(policy)
    return _timed_out(policy)


def _body_seconds(policy: Policy) -> float | None:
    """Time limit for the body alone; None where only the limit of the whole exchange applies."""
    if not policy.accepts_partial:
        return None
    return (anyio.current_effective_deadline() - anyio.current_time()) * _BODY_SHARE


def _timed_out(policy: Policy, cause: Cause = "timeout") -> Unavailable:
    message = f"the response was not complete within {policy.total_seconds:g} s"
    return Unavailable(policy.source, message, cause=cause)


def _transport_failure(
    error: Exception, response: httpcore2.Response, step: RequestStep, policy: Policy
) -> UpstreamError:
    ended = response.extensions["network_stream"].ended
    return transport_error(error, policy.source, step.target.host, ended=ended)


async def _read_error_body(
    response: httpcore2.Response, headers: Mapping[str, str], policy: Policy
) -> bytes:
    """Read the body of an error response, truncated: its size must not hide the status."""
    policy = replace(policy, max_bytes=min(policy.max_bytes, MEBIBYTE))
    head = KeptBytes()
    try:
        decoder = decoder_for(headers.get("content-encoding", ""), policy.source)
        gathering = BodyReader(policy=policy, decoder=decoder, expects_magic=False, buffer=head)
        async with aclosing(response.aiter_stream()) as chunks:
            return await gathering.read(at_minimum_rate(chunks, policy))
    except (BadAnswer, Denied, Unavailable):
        return bytes(head)


async def _drain(response: httpcore2.Response) -> None:
    """Read a redirect's short body: only a finished connection can be reused."""
    drained_bytes = 0
    with anyio.move_on_after(_DRAIN_SECONDS), suppress(*TRANSPORT_ERRORS):
        async with aclosing(response.aiter_stream()) as chunks:
            async for chunk in chunks:
                drained_bytes += len(chunk)
                if drained_bytes > _DRAINED_BYTES:
                    return
