"""Error responses of research tools: one sentence and an error object."""

import math
import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple

from pydantic import BaseModel

from sourcewright.base.errors import (
    BadAnswer,
    BadRequest,
    DamagedRecord,
    Denied,
    InvalidHttp,
    InvalidInput,
    LockTimeout,
    LogError,
    NotAvailable,
    NotConfigured,
    NotFound,
    RateLimited,
    ReaderUnavailable,
    RedirectFailed,
    Refused,
    ResearchError,
    SchemaTooNew,
    SessionNotFound,
    StoreError,
    Unavailable,
    Unreadable,
    Unsupported,
    UnusableCopy,
    UpstreamError,
)
from sourcewright.base.pages import BROWSER
from sourcewright.base.pages import SOURCE as PAGE
from sourcewright.base.text.phrases import count_phrase
from sourcewright.domain.evidence import NoSourceAnswered
from sourcewright.domain.users.quotas import OWN_LIMITS
from sourcewright.tools._results import CAMEL, FailedCall, OmittedIfNone, ToolResult, as_json

Kind = Literal[
    "rate_limited",
    "auth_required",
    "blocked",
    "validation",
    "network",
    "content_empty",
    "not_found",
    "browser_unavailable",
    "config",
    "upstream_unavailable",
    "session_not_found",
    "internal",
]
Action = Literal[
    "retry_after_delay",
    "check_api_key",
    "inform_user",
    "try_different_provider",
    "broaden_query",
    "report_bug",
]


_UNAUTHORISED = 401
_MAX_NAMED = 3
"""How many other sources a sentence names; the error object has all."""


class ErrorClass(NamedTuple):
    """Classification of an error, and the suggested action."""

    kind: Kind
    retryable: bool
    action: Action
    wait: int | None = None
    """Seconds to wait if the source gives no Retry-After."""


# Looked up along the error's class hierarchy: by status, then by cause, then by the class alone.
# The test of this table covers every error class, cause and status.
ERROR_CLASSES: Mapping[tuple[type, str | int | None], ErrorClass] = MappingProxyType(
    {
        (InvalidInput, None): ErrorClass("validation", retryable=False, action="inform_user"),
        (Unsupported, None): ErrorClass("validation", retryable=False, action="inform_user"),
        (Denied, None): ErrorClass("validation", retryable=False, action="inform_user"),
        (NotConfigured, None): ErrorClass("config", retryable=False, action="check_api_key"),
        (NotAvailable, None): ErrorClass("content_empty", retryable=False, action="inform_user"),
        (UnusableCopy, None): ErrorClass("content_empty", retryable=False, action="inform_user"),
        (NotFound, None): ErrorClass("not_found", retryable=False, action="inform_user"),
        (Refused, None): ErrorClass("blocked", retryable=False, action="inform_user"),
        (Refused, _UNAUTHORISED): ErrorClass("auth_required", False, "check_api_key"),
        (RateLimited, None): ErrorClass("rate_limited", True, "retry_after_delay", 60),
        (Unavailable, None): ErrorClass("upstream_unavailable", True, "try_different_provider"),
        (Unavailable, "timeout"): ErrorClass("network", True, "retry_after_delay", 5),
        (Unavailable, "slow"): ErrorClass("network", True, "retry_after_delay", 5),
        (Unavailable, "connect"): ErrorClass("network", True, "retry_after_delay", 5),
        (Unavailable, "offline"): ErrorClass("network", True, "retry_after_delay", 5),
        (Unavailable, "tls"): ErrorClass("network", True, "retry_after_delay", 5),
        (Unavailable, "cut"): ErrorClass("network", True, "retry_after_delay", 5),
        (BadAnswer, None): ErrorClass("upstream_unavailable", True, "try_different_provider"),
        (InvalidHttp, None): ErrorClass("upstream_unavailable", True, "try_different_provider"),
        (RedirectFailed, None): ErrorClass("upstream_unavailable", True, "try_different_provider"),
        (BadRequest, None): ErrorClass("upstream_unavailable", False, "inform_user"),
        (Unreadable, None): ErrorClass("content_empty", retryable=False, action="inform_user"),
        (ReaderUnavailable, None): ErrorClass("internal", retryable=False, action="inform_user"),
        (SessionNotFound, None): ErrorClass("session_not_found", False, "inform_user"),
        (LockTimeout, None): ErrorClass("internal", True, "retry_after_delay", 5),
        # A full disk or a Redis that is away: no bug, and the message says what it is.
        (StoreError, None): ErrorClass("internal", retryable=False, action="inform_user"),
        (DamagedRecord, None): ErrorClass("internal", retryable=False, action="inform_user"),
        (LogError, None): ErrorClass("internal", retryable=False, action="inform_user"),
        (SchemaTooNew, None): ErrorClass("internal", retryable=False, action="inform_user"),
        (ResearchError, None): ErrorClass("internal", retryable=False, action="report_bug"),
    }
)

PAGE_ERROR_CLASSES: Mapping[tuple[type, str | int | None], ErrorClass] = MappingProxyType(
    {
        (Refused, _UNAUTHORISED): ErrorClass("auth_required", False, "inform_user"),
        (Unavailable, None): ErrorClass("network", True, "retry_after_delay", 5),
        (RedirectFailed, None): ErrorClass("upstream_unavailable", False, "inform_user"),
        (InvalidHttp, None): ErrorClass("network", True, "retry_after_delay", 5),
        (BadAnswer, "shape"): ErrorClass("content_empty", retryable=True, action="report_bug"),
        (BadAnswer, None): ErrorClass("content_empty", retryable=True, action="inform_user"),
    }
)
"""Overrides for errors of a page given by the user, where no API key or other engine would help.
A page without extracted text is worth a bug report; a file of an unsupported type is not."""

NO_BROWSER = ErrorClass("browser_unavailable", retryable=False, action="report_bug")
KEYLESS_REFUSAL = ErrorClass("auth_required", retryable=False, action="inform_user")
"""A 401 of a source that takes no key, so that there is none to check."""


class ResearchProblem(BaseModel):
    """The error in machine-readable form."""

    model_config = CAMEL

    kind: Kind
    retryable: bool
    retry_after_seconds: OmittedIfNone[int] = None
    suggested_action: Action
    provider: OmittedIfNone[str] = None
    alternatives: OmittedIfNone[list[str]] = None
    recovery_hint: OmittedIfNone[str] = None
    detail: str


class ResearchFailure(BaseModel):
    """Error response of every research tool."""

    error: ResearchProblem


def research_failure(error: ResearchError, failed: FailedCall) -> ToolResult:
    """Build the error response of a research tool."""
    del failed
    problem = problem_of(error)
    structured = as_json(ResearchFailure(error=problem).model_dump(mode="json", by_alias=True))
    prose = f"{_sentence(problem)}\n\n{structured}"
    return ToolResult(structured_json=structured, prose=prose, is_error=True)


def problem_of(error: ResearchError) -> ResearchProblem:
    """Convert an error to the contract's kinds and actions."""
    decisive = error.decisive if isinstance(error, NoSourceAnswered) else error
    verdict = classify_error(decisive)
    return ResearchProblem(
        kind=verdict.kind,
        retryable=verdict.retryable,
        retry_after_seconds=_wait(decisive, verdict),
        suggested_action=verdict.action,
        provider=None
        if _is_page(decisive) or verdict is NO_BROWSER
        else getattr(decisive, "source", None),
        alternatives=_alternatives(error),
        recovery_hint=error.recovery_hint if isinstance(error, SessionNotFound) else None,
        detail=str(error),
    )


def kind_of(error: ResearchError) -> str:
    return classify_error(error.decisive if isinstance(error, NoSourceAnswered) else error).kind


def classify_error(error: ResearchError) -> ErrorClass:
    if isinstance(error, NotConfigured) and error.alternatives:
        return ErrorClass("config", retryable=False, action="try_different_provider")
    if isinstance(error, UpstreamError) and error.source == BROWSER:
        return NO_BROWSER
    if isinstance(error, Refused) and error.status == _UNAUTHORISED and not error.takes_key:
        return KEYLESS_REFUSAL
    details = (error.status, error.cause) if isinstance(error, UpstreamError) else ()
    known = [detail for detail in details if detail is not None]
    # None comes last: it stands for the class alone.
    rows = [(kind, detail) for kind in type(error).__mro__ for detail in (*known, None)]
    tables = (PAGE_ERROR_CLASSES, ERROR_CLASSES) if _is_page(error) else (ERROR_CLASSES,)
    return next(table[row] for row in rows for table in tables if row in table)


def _is_page(error: ResearchError) -> bool:
    """Whether the source of the error is a page; the host may follow in the source name."""
    return isinstance(error, UpstreamError) and error.source.partition(" ")[0] == PAGE


def _wait(error: ResearchError, verdict: ErrorClass) -> int | None:
    seconds = error.retry_after if isinstance(error, UpstreamError) else None
    return verdict.wait if seconds is None else max(1, math.ceil(seconds))


def _alternatives(error: ResearchError) -> list[str] | None:
    names = error.alternatives if isinstance(error, NotConfigured | NoSourceAnswered) else ()
    return list(names) or None


def _sentence(problem: ResearchProblem) -> str:
    if problem.kind == "rate_limited" and problem.provider not in (None, OWN_LIMITS):
        who, wait = problem.provider, count_phrase(problem.retry_after_seconds or 0, "second")
        return f"Rate limited ({who}). Wait {wait} and retry, or try a different provider."
    words = problem.detail[:1].upper() + problem.detail[1:]
    # The name of an argument must stay as it is written.
    if problem.kind == "validation" and re.match(r"[\w.]+: |[a-z]+_\w", problem.detail):
        words = f"Invalid arguments: {problem.detail}"
    if problem.kind == "auth_required" and problem.suggested_action == "check_api_key":
        return f"{words}. Check the API key of {problem.provider}; .env.example names its setting."
    sentence = words if words.endswith((".", "!", "?", ")")) else f"{words}."
    return f"{sentence} {_advice(problem)}" if problem.provider and problem.retryable else sentence


def _advice(problem: ResearchProblem) -> str:
    """What to do after the failure of a source that may answer later."""
    wait = problem.retry_after_seconds
    later = f"Wait {count_phrase(wait, 'second')} and retry" if wait else "Retry later"
    others = ", ".join((problem.alternatives or [])[:_MAX_NAMED])
    return f"{later}, or try a different provider: {others}." if others else f"{later}."
