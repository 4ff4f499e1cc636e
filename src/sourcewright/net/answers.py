"""HTTP responses: maps a status, header or body to an error; JSON parsing."""

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
from sourcewright.logic.formats.answer_limits import (
    MAX_DEPTH,
    UNCHECKED_BYTES,
    check_delimiter_count,
    enforce_limits,
    truncate_text,
)
from sourcewright.net.exchange import Policy, Response
from sourcewright.net.retry import is_quota_exhausted, retry_after

_REFUSALS = frozenset({401, 403, 451})
_CHALLENGES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "cf-mitigated": frozenset({"challenge"}),
        "x-amzn-waf-action": frozenset({"challenge", "captcha"}),
        "x-vercel-mitigated": frozenset({"challenge", "deny"}),
    }
)
"""Headers by which bot protection marks a challenge, whatever the status."""
_ABSENT_STATUSES = frozenset({404, 410})
_BAD_REQUESTS = frozenset({400, 422})
_WORDS = ("detail", "message", "error")
"""Fields in which APIs say what is wrong with a request."""
_MAX_WORDS, _MAX_WORDS_BYTES = 300, 2000
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def retryable_error_in(
    answer: Response, policy: Policy, now: float
) -> Unavailable | RateLimited | None:
    """The error of a response that a retry may improve, or None."""
    status = answer.status
    busy = status in policy.busy or (status == 403 and _is_rate_limit(answer, policy))
    kind: type[Unavailable | RateLimited] = RateLimited if busy else Unavailable
    if not busy and (status in policy.refused or (status != 408 and status < 500)):
        return None
    if challenge_in(answer, policy.source) is not None:  # a retry does not pass a bot challenge
        return None
    wait = retry_after(answer, now)
    return kind(policy.source, f"HTTP {status}", status=status, cause="status", retry_after=wait)


def _is_rate_limit(answer: Response, policy: Policy) -> bool:
    """Whether a 403 is a rate limit. For pages, Retry-After may accompany a bot challenge."""
    if is_quota_exhausted(answer):
        return True
    return not policy.accepts_partial and bool(answer.headers.get("retry-after", "").strip())


def refusal_in(answer: Response, source: str) -> UpstreamError | None:
    """The error of a response that is refused or unusable, or None."""
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


def challenge_in(answer: Response, source: str) -> Refused | None:
    """The error of a response that is a bot challenge, or None."""
    for name, actions in _CHALLENGES.items():
        if answer.headers.get(name, "").strip().lower() in actions:
            return Refused(source, f"bot challenge, HTTP {answer.status}", cause="status")
    return None


def absence_in(answer: Response, source: str) -> NotFound | None:
    """`NotFound` if the response to a lookup says that the thing does not exist, or None.

    An API reports absence as data; an HTML page with the same status comes from a proxy
    or gateway, which does not know.
    """
    if answer.status not in _ABSENT_STATUSES or is_html(answer):
        return None
    return not_found(source, status=answer.status)


def not_found(source: str, thing: str = "such record", *, status: int | None = None) -> NotFound:
    """The error to raise when a parsed response says that the source has no such thing."""
    return NotFound(source, f"no {thing}", status=status, cause="status" if status else None)


def is_html(answer: Response) -> bool:
    if "html" in answer.headers.get("content-type", "").lower():
        return True
    start = answer.body[:512].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return start.startswith((b"<!doctype html", b"<html"))


def words_of_bad_request(answer: Response) -> str | None:
    """What a source says about a request that it does not understand: text, or JSON with text.

    None for other statuses and for an HTML page, which comes from a proxy.
    """
    if answer.status not in _BAD_REQUESTS or is_html(answer):
        return None
    start = answer.body[:_MAX_WORDS_BYTES].decode("utf-8", "replace").strip()
    try:
        stated = parse_json(answer.body)
    except ValueError:
        stated = start
    if isinstance(stated, Mapping):
        stated = next(
            (stated[name] for name in _WORDS if isinstance(stated.get(name), str)), start
        )
    words = " ".join(stated.split()) if isinstance(stated, str) else start
    return f"HTTP {answer.status}: {truncate_text(words, _MAX_WORDS)}" if words else None


def parse_json(body: bytes) -> Any:
    """Parse strict JSON within limits: no NaN, no infinity; lone surrogates are replaced.

    Raises:
        LimitExceeded: It is larger than any legitimate response.
        ValueError: It is not JSON.
    """
    check_delimiter_count(body)
    try:
        value = json.loads(
            body.decode("utf-8-sig"), parse_constant=_reject_constant, parse_float=_finite
        )
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    if len(body) > UNCHECKED_BYTES or body.count(b"[") + body.count(b"{") > MAX_DEPTH:
        value = enforce_limits(value)
    return _without_lone_surrogates(value) if b"\\ud" in body.lower() else value


def _without_lone_surrogates(value: Any) -> Any:
    """Replace lone surrogates, which cannot be encoded as UTF-8 in our output."""
    return json.loads(_LONE_SURROGATE.sub("\ufffd", json.dumps(value, ensure_ascii=False)))


def _reject_constant(name: str) -> Never:
    raise ValueError(f"{name} is not a number")


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("a number is too large")
    return number
