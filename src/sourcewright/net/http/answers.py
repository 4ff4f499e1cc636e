"""HTTP responses: maps a status, header or body to an error; JSON parsing."""

import json
import math
import re
from collections.abc import Mapping
from http import HTTPStatus
from types import MappingProxyType
from typing import Any, Never

from sourcewright.base.challenges import is_challenge_response
from sourcewright.base.errors import (
    BadAnswer,
    NotFound,
    RateLimited,
    Refused,
    Unavailable,
    UpstreamError,
)
from sourcewright.base.formats.answer_limits import (
    MAX_DEPTH,
    UNCHECKED_BYTES,
    check_delimiter_count,
    enforce_limits,
    truncate_text,
)
from sourcewright.base.http_messages import Response
from sourcewright.base.text.plain import plain_text
from sourcewright.base.text.redaction import Masker
from sourcewright.net.http.exchange import Policy
from sourcewright.net.http.retry_after import is_quota_exhausted, retry_after

_REFUSALS = frozenset({401, 403, 451})
_CHALLENGES: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "cf-mitigated": frozenset({"challenge"}),
        "x-amzn-waf-action": frozenset({"challenge", "captcha"}),
        "x-vercel-mitigated": frozenset({"challenge", "deny"}),
    }
)
"""Headers by which bot protection marks a challenge, whatever the status."""
_CHALLENGE_STATUSES = frozenset({403, 429, 500, 503})
"""Statuses with which bot protection sends a challenge that no header marks."""
_ABSENT_STATUSES = frozenset({404, 410})
_BAD_REQUESTS = frozenset({400, 422})
_WORDS = (
    "detail",
    "message",
    "error",
    "msg",
    "error_description",
    "errors",
    "description",
    "meta",
)
"""Fields in which APIs say what is wrong with a request, also inside one another."""
_WORDS_DEPTH = 3
_MAX_PARAMETERS = 3
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
    detail = _status_and_reason(answer, policy)
    return kind(policy.source, detail, status=status, cause="status", retry_after=wait)


def _is_rate_limit(answer: Response, policy: Policy) -> bool:
    """Whether a 403 is a rate limit. For pages, Retry-After may accompany a bot challenge."""
    if is_quota_exhausted(answer):
        return True
    return not policy.accepts_partial and bool(answer.headers.get("retry-after", "").strip())


def refusal_in(
    answer: Response, source: str, policy: Policy | None = None
) -> UpstreamError | None:
    """The error of a response that is refused or unusable, or None.

    The policy of an API says that its reason is quoted; a page's is for people at a browser.
    """
    status = answer.status
    challenge = challenge_in(answer, source)
    if challenge is not None:
        return challenge
    detail = _status_and_reason(answer, policy)
    if status in _REFUSALS:
        refused = Refused(source, detail, status=status, cause="status")
        refused.takes_key = policy is None or policy.takes_key
        return refused
    if status not in range(200, 300):
        page = " as an HTML page" if is_html(answer) else ""
        return BadAnswer(source, f"{detail}{page}", status=status, cause="status")
    if not answer.body.strip():
        return BadAnswer(source, f"HTTP {status} without a body", status=status, cause="format")
    return None


def challenge_in(answer: Response, source: str) -> Refused | None:
    """The error of a response that is a bot challenge, or None."""
    for name, actions in _CHALLENGES.items():
        if answer.headers.get(name, "").strip().lower() in actions:
            return Refused(source, f"bot challenge, HTTP {answer.status}", cause="status")
    return challenge_page(answer, source) if answer.status in _CHALLENGE_STATUSES else None


def challenge_page(answer: Response, source: str) -> Refused | None:
    """The error of a page that is a bot challenge, or None.

    Only where no page is expected, as with a failure or instead of data: a page that is read may
    contain the same markup.
    """
    if is_html(answer) and is_challenge_response(answer.body):
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
    start = answer.body[:_MAX_WORDS_BYTES].decode("utf-8", "replace")
    words = " ".join((_stated_words(answer) or start).split())
    return f"HTTP {answer.status}: {truncate_text(words, _MAX_WORDS)}" if words else None


def _status_and_reason(answer: Response, policy: Policy | None) -> str:
    """The status, why the source refuses, and what to do about it, if that is known."""
    reason = _status_and_words(answer, policy)
    remedy = dict(policy.remedies).get(answer.status) if policy is not None else None
    return f"{reason}: {remedy}" if remedy else reason


def _status_and_words(answer: Response, policy: Policy | None) -> str:
    """The status, and why the source refuses, in its own words: bounded, plain, without keys."""
    status = f"HTTP {answer.status}"
    quotes = policy is not None and policy.quotes_refusals
    if policy is None or not quotes or answer.status not in range(400, 500) or is_html(answer):
        return status
    reason = plain_text((_stated_words(answer) or "")[:_MAX_WORDS_BYTES])
    words = Masker(policy.secrets)(reason)
    if _is_status_phrase(words):
        return status
    if len(words) > _MAX_WORDS:
        # A word that is cut could be a key that would no longer be recognised.
        words = f"{words[:_MAX_WORDS].rpartition(' ')[0]} \u2026"
    return f'{status} ("{words.replace(chr(34), chr(39))}")' if words else status


def _is_status_phrase(words: str) -> bool:
    """Whether a text only repeats the status, as `401 Unauthorized` or `Not found.` do."""
    phrase = words.strip(" .0123456789").casefold()
    return any(phrase == one.phrase.casefold() for one in HTTPStatus)


def _stated_words(answer: Response) -> str | None:
    """The message of an error response: a text, or a field of JSON."""
    try:
        value = parse_json(answer.body)
    except ValueError:
        is_text = answer.headers.get("content-type", "").startswith("text/plain")
        return answer.body[:_MAX_WORDS_BYTES].decode("utf-8", "replace") if is_text else None
    words, parameters = _text_in(value, _WORDS_DEPTH), _rejected_parameters(value, _WORDS_DEPTH)
    if not parameters:
        return words
    # The message is that of one parameter, or says only that some were rejected.
    is_general = words is not None and not any(one.endswith(words) for one in parameters)
    return f"{words}: {'; '.join(parameters)}" if is_general else "; ".join(parameters)


def _rejected_parameters(value: Any, depth: int) -> list[str]:
    """The parameters that a validator names, as FastAPI's: objects with `loc` and `msg`."""
    if isinstance(value, Mapping):
        inner = (
            (_rejected_parameters(value.get(name), depth - 1) for name in _WORDS) if depth else ()
        )
        return next(filter(None, inner), [])
    if not isinstance(value, list):
        return []
    return [
        f"{'.'.join(map(str, one['loc']))}: {one['msg']}"
        for one in value[:_MAX_PARAMETERS]
        if isinstance(one, Mapping)
        and isinstance(one.get("loc"), list)
        and isinstance(one.get("msg"), str)
    ]


def _text_in(value: Any, depth: int) -> str | None:
    if isinstance(value, str):
        return value.strip() or None
    if not depth or not isinstance(value, list | Mapping):
        return None
    inner = value[:1] if isinstance(value, list) else map(value.get, _WORDS)
    return next(filter(None, (_text_in(one, depth - 1) for one in inner)), None)


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
