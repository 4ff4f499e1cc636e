"""The one HTTP client: every byte that leaves goes through it, guarded and bounded."""

import ssl
from collections.abc import Mapping, Sequence
from contextlib import aclosing, suppress
from dataclasses import replace

import anyio
import httpcore2

from sourcewright.domain.errors import BadAnswer, Denied, Unavailable
from sourcewright.net.backend import Pool, PrivateAddress, Resolver, resolve_by_system
from sourcewright.net.body import Gathering, check_promise, decoder_for
from sourcewright.net.exchange import MEBIBYTE, Answer, Policy, Request
from sourcewright.net.faults import FAULTS, failure
from sourcewright.net.guard import Guard, denied_address
from sourcewright.net.redirects import MOST_REDIRECTS, REDIRECTS, Step, first_step, next_step
from sourcewright.net.sandbox import read_sandbox, resolve_locally
from sourcewright.net.wire import read_headers, request_for

_SKIMMED_BYTES = 16 * 1024
_SKIM_SECONDS = 0.5


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
        self._sandbox = read_sandbox(sandbox_url) if sandbox_url is not None else None
        self._pool = Pool(
            resolve=resolve_locally if self._sandbox else (resolve or resolve_by_system),
            trusts=self._trusts,
            ssl_context=ssl_context,
        )

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
        with anyio.move_on_after(policy.total_seconds):
            return await self._follow(request, policy)
        message = f"gave no whole answer within {policy.total_seconds:g} s"
        raise Unavailable(policy.source, message, cause="timeout")

    async def aclose(self) -> None:
        await self._pool.aclose()

    def _trusts(self, origin: str) -> bool:
        if self._sandbox:
            return origin == self._sandbox.origin
        return self._guard.allows_origin(origin)

    async def _follow(self, request: Request, policy: Policy) -> Answer:
        step = first_step(request, policy)
        asked: list[tuple[str, str]] = []
        for hop in range(MOST_REDIRECTS + 1):
            self._guard.check(step.target, policy, hop)
            asking = (step.method, step.target.url)
            if asking in asked:
                raise BadAnswer(policy.source, "redirects in a circle", cause="format")
            asked.append(asking)
            answer = await self._ask(step, policy, hop)
            if answer.status not in REDIRECTS:
                return replace(answer, hops=tuple(url for _, url in asked))
            step = next_step(step, answer, policy, hop=hop + 1)
        message = f"redirects more than {MOST_REDIRECTS} times"
        raise BadAnswer(policy.source, message, cause="format")

    async def _ask(self, step: Step, policy: Policy, hop: int) -> Answer:
        host = step.target.host
        request = request_for(step, policy, sandbox=self._sandbox, user_agent=self._user_agent)
        try:
            response = await self._pool.handle_async_request(request)
        except PrivateAddress as error:
            raise denied_address(str(error), host, policy, hop) from error
        except (*FAULTS, ValueError) as error:  # an HTTP/2 status may be no number
            raise failure(error, policy.source, host, ended=False) from error
        try:
            return await _read(response, step, policy)
        except FAULTS as error:
            ended = response.extensions["network_stream"].ended
            raise failure(error, policy.source, host, ended=ended) from error
        finally:
            with anyio.CancelScope(shield=True):
                await response.aclose()


async def _read(response: httpcore2.Response, step: Step, policy: Policy) -> Answer:
    headers = read_headers(response.headers, policy.source)
    if response.status < 200:
        raise BadAnswer(policy.source, f"answered HTTP {response.status}", cause="format")
    body, cut = b"", False
    if response.status in REDIRECTS:
        await _skim(response)
    elif response.status >= 400:
        body = await _read_apology(response, headers, policy)
    else:
        body, cut = await _read_body(response, headers, step, policy)
    url = step.target.url
    return Answer(status=response.status, headers=headers, body=body, url=url, cut=cut)


async def _read_body(
    response: httpcore2.Response, headers: Mapping[str, str], step: Step, policy: Policy
) -> tuple[bytes, bool]:
    """The body, and whether a limit ended it."""
    answers_get = step.method != "HEAD"
    encoding = headers.get("content-encoding", "") if answers_get else ""
    if answers_get and not policy.cut_long:
        check_promise(headers.get("content-length", ""), policy, encoded=bool(encoding))
    gathering = Gathering(
        policy=policy,
        decoder=decoder_for(encoding, policy.source),
        expects_magic=answers_get and response.status < 300,
    )
    try:
        async with aclosing(response.aiter_stream()) as chunks:
            return await gathering.read(chunks), False
    except Denied as error:
        if policy.cut_long and error.denial.reason == "size_cap_exceeded":
            return bytes(gathering.kept), True
        raise


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
            return await gathering.read(chunks)
    except (BadAnswer, Denied):
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
