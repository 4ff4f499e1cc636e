"""The one HTTP client: every byte that leaves goes through it, guarded and bounded."""

import ssl
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, aclosing, suppress
from dataclasses import replace

import anyio
import httpcore2

from sourcewright.domain.errors import BadAnswer, Cause, Denied, Unavailable, UpstreamError
from sourcewright.net.backend import Pool, PrivateAddress, Resolver, resolve_by_system
from sourcewright.net.body import Gathering, check_promise, decoder_for
from sourcewright.net.exchange import MEBIBYTE, Answer, Policy, Request
from sourcewright.net.faults import FAULTS, failure
from sourcewright.net.guard import Guard, denied_address
from sourcewright.net.large_bodies import LargeBodies
from sourcewright.net.rate import steady
from sourcewright.net.redirects import MOST_REDIRECTS, REDIRECTS, Step, first_step, next_step
from sourcewright.net.sandbox import read_sandbox, resolve_locally
from sourcewright.net.unpacking import unpacker
from sourcewright.net.wire import read_headers, request_for

_SKIMMED_BYTES = 16 * 1024
_SKIM_SECONDS = 0.5
_BODY_SHARE = 0.95
"""Of the time that is left, what a body may take that is given as far as it came."""


class Client:
    """Sends requests under a policy, over connections that all callers share.

    It reads no proxy, certificate or password from the environment, and keeps no cookie.
    """

    def __init__(
        self,
        *,
        user_agent: str,
        sandbox_url: str | None = None,
        allowed_origins: Sequence[str] = (),
        own_addresses: Mapping[str, str] | None = None,
        resolve: Resolver | None = None,
        ssl_context: ssl.SSLContext | None = None,
    ) -> None:
        self._user_agent = user_agent
        self._guard = Guard(allowed_origins, own_addresses)
        self._bodies = LargeBodies()
        self._sandbox = read_sandbox(sandbox_url) if sandbox_url is not None else None
        self._pool = Pool(
            resolve=resolve_locally if self._sandbox else (resolve or resolve_by_system),
            trusts=self._trusts,
            ssl_context=ssl_context,
        )

    def check(self, request: Request, policy: Policy) -> None:
        """Let an address pass before anybody waits for it.

        Raises:
            InvalidInput: There is no such address.
            Denied: One of our rules refuses it.
        """
        self._guard.check(first_step(request, policy).target, policy, 0)

    async def send(self, request: Request, policy: Policy) -> Answer:
        """Ask, follow redirects, and give the whole answer, whatever its status.

        A policy that is not https_only lets a redirect go to http as well, also from
        https: each address is judged by itself, and what the caller sent in confidence
        stays behind as soon as the origin changes.

        Raises:
            InvalidInput: There is no such address, or the request cannot be written.
            Denied: One of our rules refuses an address or the body.
            Unavailable: There is no whole answer.
            BadAnswer: The answer cannot be read, or leads nowhere.
        """
        heard: list[int] = []
        with anyio.move_on_after(policy.total_seconds):
            return await self._follow(request, policy, heard)
        # What answers too slowly would take as long again; who is silent may only be busy.
        raise _late(policy, cause="slow" if heard else "timeout")

    def keeping(self) -> AbstractContextManager[None]:
        """Count a large body that comes meanwhile until whoever asked for it is done."""
        return self._bodies.kept()

    async def aclose(self) -> None:
        await self._pool.aclose()

    def _trusts(self, origin: str) -> bool:
        if self._sandbox:
            return origin == self._sandbox.origin
        return self._guard.allows_origin(origin)

    async def _follow(self, request: Request, policy: Policy, heard: list[int]) -> Answer:
        """Go from address to address; `heard` tells whether the last one has begun to answer."""
        step = first_step(request, policy)
        asked: list[tuple[str, str]] = []
        strayed, home = False, step.target.origin
        for hop in range(MOST_REDIRECTS + 1):
            strayed = strayed or step.target.origin != home
            self._guard.check(step.target, policy, hop, strayed=strayed)
            asking = (step.method, step.target.url)
            if asking in asked:
                raise BadAnswer(policy.source, "redirects in a circle", cause="format")
            asked.append(asking)
            heard.clear()
            answer = await self._ask(step, policy, hop, heard)
            if answer.status not in REDIRECTS or not policy.follows:
                return replace(answer, hops=tuple(url for _, url in asked))
            step = next_step(step, answer, policy, hop=hop + 1)
        message = f"redirects more than {MOST_REDIRECTS} times"
        raise BadAnswer(policy.source, message, cause="format")

    async def _ask(self, step: Step, policy: Policy, hop: int, heard: list[int]) -> Answer:
        host = step.target.host
        request = request_for(step, policy, sandbox=self._sandbox, user_agent=self._user_agent)
        try:
            with anyio.fail_after(policy.connect_seconds + policy.read_seconds):
                response = await self._pool.handle_async_request(request)
        except TimeoutError as error:  # its headers came one by one
            message = f"{host} did not answer in time"
            raise Unavailable(policy.source, message, cause="timeout") from error
        except PrivateAddress as error:
            raise denied_address(str(error), host, policy, hop) from error
        except (*FAULTS, ValueError) as error:  # an HTTP/2 status may be no number
            raise failure(error, policy.source, host, ended=False) from error
        heard.append(response.status)
        try:
            return await _read(response, step, policy, self._bodies)
        except FAULTS as error:
            raise _broken_off(error, response, step, policy) from error
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()


async def _read(
    response: httpcore2.Response, step: Step, policy: Policy, bodies: LargeBodies
) -> Answer:
    headers = read_headers(response.headers, policy.source)
    if response.status < 200:
        raise BadAnswer(policy.source, f"answered HTTP {response.status}", cause="format")
    answer = Answer(status=response.status, headers=headers, body=b"", url=step.target.url)
    if response.status in REDIRECTS:
        await _skim(response)
        return answer
    if response.status >= 400:
        return replace(answer, body=await _read_apology(response, headers, policy))
    fitting = policy.for_type(headers.get("content-type", ""))
    gathering = replace(_gathering(response, headers, step, fitting), bodies=bodies)
    try:
        problem = await _gather(gathering, response, step)
    except Denied as error:
        if not policy.cut_long or error.denial.reason != "size_cap_exceeded":
            raise
        return replace(answer, body=bytes(gathering.kept), cut=True)
    cut = problem is not None
    return replace(answer, body=bytes(gathering.kept), cut=cut, problem=problem)


def _gathering(
    response: httpcore2.Response, headers: Mapping[str, str], step: Step, policy: Policy
) -> Gathering:
    answers_get = step.method != "HEAD"
    encoding = headers.get("content-encoding", "") if answers_get else ""
    if answers_get and not policy.cut_long:
        check_promise(headers.get("content-length", ""), policy, encoded=bool(encoding))
    forgiving = answers_get and policy.forgiving
    return Gathering(
        policy=policy,
        decoder=unpacker(headers, policy) if forgiving else decoder_for(encoding, policy.source),
        expects_magic=answers_get and response.status < 300,
    )


async def _gather(
    gathering: Gathering, response: httpcore2.Response, step: Step
) -> Unavailable | None:
    """Take the body in; what ended it early, where a part of it is wanted and there is one."""
    policy = gathering.policy
    try:
        with anyio.move_on_after(_body_seconds(policy)):
            async with aclosing(response.aiter_stream()) as chunks:
                await gathering.read(steady(chunks, policy))
                return None
    except (*FAULTS, Unavailable) as error:
        known = isinstance(error, Unavailable)
        problem = error if known else _broken_off(error, response, step, policy)
        if policy.forgiving and gathering.kept and isinstance(problem, Unavailable):
            return problem
        raise
    if not gathering.kept:
        raise _late(policy)
    return _late(policy)


def _body_seconds(policy: Policy) -> float | None:
    """How long a body may take; None leaves it to the limit of the whole exchange."""
    if not policy.forgiving:
        return None
    return (anyio.current_effective_deadline() - anyio.current_time()) * _BODY_SHARE


def _late(policy: Policy, cause: Cause = "timeout") -> Unavailable:
    message = f"gave no whole answer within {policy.total_seconds:g} s"
    return Unavailable(policy.source, message, cause=cause)


def _broken_off(
    error: Exception, response: httpcore2.Response, step: Step, policy: Policy
) -> UpstreamError:
    ended = response.extensions["network_stream"].ended
    return failure(error, policy.source, step.target.host, ended=ended)


async def _read_apology(
    response: httpcore2.Response, headers: Mapping[str, str], policy: Policy
) -> bytes:
    """Read the body of an error as far as it goes: its size must not hide its status."""
    policy = replace(policy, max_bytes=min(policy.max_bytes, MEBIBYTE))
    kept = bytearray()
    try:
        decoder = decoder_for(headers.get("content-encoding", ""), policy.source)
        gathering = Gathering(policy=policy, decoder=decoder, expects_magic=False, kept=kept)
        async with aclosing(response.aiter_stream()) as chunks:
            return await gathering.read(steady(chunks, policy))
    except (BadAnswer, Denied, Unavailable):
        return bytes(kept)


async def _skim(response: httpcore2.Response) -> None:
    """Read a redirect's short body, because only a finished connection can be used again."""
    seen = 0
    with anyio.move_on_after(_SKIM_SECONDS), suppress(*FAULTS):
        async with aclosing(response.aiter_stream()) as chunks:
            async for chunk in chunks:
                seen += len(chunk)
                if seen > _SKIMMED_BYTES:
                    return
