"""HTTP answers: what a status and the first bytes mean, as a value or an error."""

import json
import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Never

from sourcewright.domain.errors import (
    BadAnswer,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
    UpstreamError,
)
from sourcewright.logic.formats.answer_limits import LARGE, bounded, check_outline
from sourcewright.net.exchange import Answer, Policy
from sourcewright.net.retry import is_used_up, retry_after

_REFUSALS = frozenset({401, 403, 451})
_CHALLENGES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "cf-mitigated": frozenset({"challenge"}),
        "x-amzn-waf-action": frozenset({"challenge", "captcha"}),
        "x-vercel-mitigated": frozenset({"challenge", "deny"}),
    }
)
"""How those who guard sites say that they want a proof first, whatever the status."""
_ABSENT = frozenset({404, 410})
_HALF = re.compile("[\ud800-\udfff]")


def failure_in(answer: Answer, policy: Policy, now: float) -> Unavailable | RateLimited | None:
    """The failure that an answer stands for when a later one may be better, or None."""
    status = answer.status
    busy = status in policy.busy or (status == 403 and _asks_to_wait(answer, policy))
    kind: type[Unavailable | RateLimited] = RateLimited if busy else Unavailable
    if not busy and (status in policy.refused or (status != 408 and status < 500)):
        return None
    if challenge_in(answer, policy.source) is not None:  # no waiting opens it
        return None
    wait = retry_after(answer, now)
    return kind(policy.source, f"HTTP {status}", status=status, cause="status", retry_after=wait)


def _asks_to_wait(answer: Answer, policy: Policy) -> bool:
    """Whether a refusal only says that we asked too often; a page may want a proof meanwhile."""
    if is_used_up(answer):
        return True
    return not policy.forgiving and bool(answer.headers.get("retry-after", "").strip())


def refusal_in(answer: Answer, source: str) -> UpstreamError | None:
    """The refusal or the nonsense that an answer's status stands for, or None."""
    status = answer.status
    challenge = challenge_in(answer, source)
    if challenge is not None:
        return challenge
    if status in _REFUSALS:
        return Refused(source, f"HTTP {status}", status=status, cause="status")
    if status not in range(200, 300):
        page = " as an HTML page" if is_html(answer) else ""
        return BadAnswer(source, f"HTTP {status}{page}", status=status, cause="status")
    if not answer.body.strip():
        return BadAnswer(source, f"HTTP {status} without a body", status=status, cause="format")
    return None


def challenge_in(answer: Answer, source: str) -> Refused | None:
    """The wall in front of a source that an answer comes from, or None."""
    for name, actions in _CHALLENGES.items():
        if answer.headers.get(name, "").strip().lower() in actions:
            return Refused(source, f"bot wall, HTTP {answer.status}", cause="status")
    return None


def absence_in(answer: Answer, source: str) -> NotFound | None:
    """The absence that an answer to a lookup stands for, or None.

    An interface that answers in data says so in data; a page of HTML with the same
    status comes from something in between, which does not know.
    """
    if answer.status not in _ABSENT or is_html(answer):
        return None
    return no_such_thing(source, status=answer.status)


def no_such_thing(
    source: str, thing: str = "such thing", *, status: int | None = None
) -> NotFound:
    """What to raise when a source's answer, once read, says that it has no such thing."""
    return NotFound(source, f"has no {thing}", status=status, cause="status" if status else None)


def is_html(answer: Answer) -> bool:
    if "html" in answer.headers.get("content-type", "").lower():
        return True
    start = answer.body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html"))


def parse_json(body: bytes) -> Any:
    """JSON as the standard has it: no NaN, no infinity, no half characters; and bounded.

    Raises:
        TooMuch: It holds more than an honest answer.
        ValueError: It is not JSON.
    """
    check_outline(body)
    try:
        value = json.loads(
            body.decode("utf-8-sig"), parse_constant=_reject_constant, parse_float=_finite
        )
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    value = bounded(value) if len(body) > LARGE else value
    return _whole_characters(value) if b"\\ud" in body.lower() else value


def _whole_characters(value: Any) -> Any:
    """Replace halves of surrogate pairs, which no output of ours could be written with."""
    return json.loads(_HALF.sub("\ufffd", json.dumps(value, ensure_ascii=False)))


def _reject_constant(name: str) -> Never:
    raise ValueError(f"{name} is no number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number too large")
    return number
