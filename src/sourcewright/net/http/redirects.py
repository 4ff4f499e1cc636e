"""Redirects: the next request, and which headers are dropped."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from sourcewright.base.errors import InvalidInput, RedirectFailed
from sourcewright.base.http_messages import Request, Response
from sourcewright.net.http.exchange import Policy
from sourcewright.net.http.guard import denied_scheme
from sourcewright.net.http.target import Target, UnknownScheme, read_target, resolve

# The only headers that reveal nothing about the caller, so another origin may get them.
_FORWARDED = frozenset({"accept", "accept-language", "user-agent"})
_BODY_HEADERS = frozenset({"content-type", "content-encoding", "content-language"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestStep:
    """One request in a chain of redirects."""

    target: Target
    method: str
    headers: Mapping[str, str]
    body: bytes | None


def first_step(request: Request, policy: Policy) -> RequestStep:
    """The first request of the chain.

    Raises:
        Denied: The scheme is neither http nor https.
        InvalidInput: The URL is malformed.
    """
    try:
        target = read_target(request.url)
    except UnknownScheme as error:
        raise denied_scheme(error, policy, 0) from error
    headers = {name.lower(): value for name, value in request.headers.items()}
    return RequestStep(target=target, method=request.method, headers=headers, body=request.body)


def next_step(step: RequestStep, answer: Response, policy: Policy, *, hop: int) -> RequestStep:
    """The request to which a redirect leads. The guard has yet to check its URL.

    Raises:
        Denied: The scheme is neither http nor https.
        RedirectFailed: The Location header is missing or malformed.
    """
    try:
        target = resolve(step.target, answer.headers.get("location", ""))
    except UnknownScheme as error:
        raise denied_scheme(error, policy, hop) from error
    except InvalidInput as error:
        message = f"{step.target.host} redirects to an invalid URL"
        raise RedirectFailed(
            policy.source, message, status=answer.status, cause="format"
        ) from error
    following = replace(step, target=target)
    if target.origin != step.target.origin:
        following = replace(following, headers=_only(step.headers, _FORWARDED))
    if _turns_into_get(step.method, answer.status):
        headers = following.headers.keys() - _BODY_HEADERS
        following = replace(
            following, method="GET", body=None, headers=_only(following.headers, headers)
        )
    return following


def _turns_into_get(method: str, status: int) -> bool:
    if status == 303:
        return method not in {"GET", "HEAD"}
    return status in {301, 302} and method == "POST"


def _only(headers: Mapping[str, str], names: AbstractSet[str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name in names}
