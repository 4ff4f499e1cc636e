"""Redirects: the next request, and which headers are dropped on the way."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from sourcewright.domain.errors import BadAnswer, InvalidInput
from sourcewright.net.exchange import Answer, Policy, Request
from sourcewright.net.guard import denied_scheme
from sourcewright.net.target import Target, UnknownScheme, read_target, resolve

MOST_REDIRECTS = 10
REDIRECTS = frozenset({301, 302, 303, 307, 308})
# The only headers that say nothing about who asks.
_HARMLESS = frozenset({"accept", "accept-language", "user-agent"})
_ABOUT_THE_BODY = frozenset({"content-type", "content-encoding", "content-language"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One address to ask, and how."""

    target: Target
    method: str
    headers: Mapping[str, str]
    body: bytes | None


def first_step(request: Request, policy: Policy) -> Step:
    """Begin with what was asked.

    Raises:
        Denied: The scheme is not one of the web.
        InvalidInput: There is no such address.
    """
    try:
        target = read_target(request.url)
    except UnknownScheme as error:
        raise denied_scheme(error, policy, 0) from error
    headers = {name.lower(): value for name, value in request.headers.items()}
    return Step(target=target, method=request.method, headers=headers, body=request.body)


def next_step(step: Step, answer: Answer, policy: Policy, *, hop: int) -> Step:
    """Go where a redirect points. The guard has yet to judge the address.

    Raises:
        Denied: The scheme is not one of the web.
        BadAnswer: It points nowhere.
    """
    try:
        target = resolve(step.target, answer.headers.get("location", ""))
    except UnknownScheme as error:
        raise denied_scheme(error, policy, hop) from error
    except InvalidInput as error:
        message = f"{step.target.host} redirects to an address that cannot be read"
        raise BadAnswer(policy.source, message, status=answer.status, cause="format") from error
    onward = replace(step, target=target)
    if target.origin != step.target.origin:
        onward = replace(onward, headers=_only(step.headers, _HARMLESS))
    if _turns_into_get(step.method, answer.status):
        kept = onward.headers.keys() - _ABOUT_THE_BODY
        onward = replace(onward, method="GET", body=None, headers=_only(onward.headers, kept))
    return onward


def _turns_into_get(method: str, status: int) -> bool:
    if status == 303:
        return method not in {"GET", "HEAD"}
    return status in {301, 302} and method == "POST"


def _only(headers: Mapping[str, str], names: AbstractSet[str]) -> dict[str, str]:
    return {name: value for name, value in headers.items() if name in names}
