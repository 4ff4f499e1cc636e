"""Error codes of the `doiget_*` tools, a closed set, and the mapping of errors to codes.

What a caller should do is in the disposition, never in the name of the code.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal

from sourcewright.base.errors import (
    BadAnswer,
    DamagedRecord,
    Denial,
    DenialReason,
    Denied,
    InvalidInput,
    LockTimeout,
    LogError,
    NotAvailable,
    NotConfigured,
    NotFound,
    RateLimited,
    ReaderUnavailable,
    Refused,
    ResearchError,
    SchemaTooNew,
    StoreError,
    Unavailable,
    Unsupported,
    UnusableCopy,
    UpstreamError,
)
from sourcewright.domain.evidence import NoSourceAnswered

Code = Literal[
    "INVALID_REF",
    "NO_OA_AVAILABLE",
    "RATE_LIMITED",
    "NETWORK_ERROR",
    "NOT_FOUND",
    "AMBIGUOUS",
    "STORE_ERROR",
    "LOG_ERROR",
    "CAPABILITY_DENIED",
    "FETCH_TIMEOUT",
    "SCHEMA_TOO_NEW",
    "LOCK_TIMEOUT",
    "INTERNAL_ERROR",
    "NOT_IMPLEMENTED",
    "TEXT_UNAVAILABLE",
]
Disposition = Literal["terminal", "retry_after", "needs_config"]

DISPOSITIONS: Mapping[Code, Disposition] = MappingProxyType(
    {
        "INVALID_REF": "terminal",
        "NO_OA_AVAILABLE": "needs_config",
        "RATE_LIMITED": "retry_after",
        "NETWORK_ERROR": "retry_after",
        "NOT_FOUND": "terminal",
        "AMBIGUOUS": "terminal",
        "STORE_ERROR": "needs_config",
        "LOG_ERROR": "needs_config",
        "CAPABILITY_DENIED": "needs_config",
        "FETCH_TIMEOUT": "retry_after",
        "SCHEMA_TOO_NEW": "needs_config",
        "LOCK_TIMEOUT": "retry_after",
        "INTERNAL_ERROR": "terminal",
        "NOT_IMPLEMENTED": "terminal",
        "TEXT_UNAVAILABLE": "terminal",
    }
)
"""Every code that a `doiget_*` tool may return, and what to do about it."""

# Looked up along the error's class hierarchy, first with its cause and then without it, so that
# the most specific row wins. The test of this table covers every error class and cause.
CODES: Mapping[tuple[type, str | None], Code] = MappingProxyType(
    {
        (InvalidInput, None): "INVALID_REF",
        (Unsupported, None): "NOT_IMPLEMENTED",
        (NotConfigured, None): "CAPABILITY_DENIED",
        (NotAvailable, None): "NO_OA_AVAILABLE",
        (NotFound, None): "NOT_FOUND",
        (Refused, None): "CAPABILITY_DENIED",
        (RateLimited, None): "RATE_LIMITED",
        (Unavailable, None): "NETWORK_ERROR",
        (Unavailable, "timeout"): "FETCH_TIMEOUT",
        (Unavailable, "slow"): "FETCH_TIMEOUT",
        (BadAnswer, None): "NETWORK_ERROR",
        (BadAnswer, "shape"): "INTERNAL_ERROR",
        (StoreError, None): "STORE_ERROR",
        (LogError, None): "LOG_ERROR",
        (LockTimeout, None): "LOCK_TIMEOUT",
        (SchemaTooNew, None): "SCHEMA_TOO_NEW",
        (ReaderUnavailable, None): "INTERNAL_ERROR",
        (ResearchError, None): "INTERNAL_ERROR",
    }
)

DENIED_CODES: Mapping[DenialReason, Code] = MappingProxyType(
    {
        "redirect_not_in_allowlist": "CAPABILITY_DENIED",
        "insecure_scheme": "CAPABILITY_DENIED",
        "host_in_block_list": "CAPABILITY_DENIED",
        "ssrf_private_address": "CAPABILITY_DENIED",
        "capability_not_granted": "CAPABILITY_DENIED",
        "size_cap_exceeded": "NETWORK_ERROR",
        "content_type_mismatch": "NETWORK_ERROR",
        "rate_limit_window": "RATE_LIMITED",
        "schema_drift": "INTERNAL_ERROR",
    }
)


_DAMAGED = (DamagedRecord, UnusableCopy)


class RepeatedFailure(ResearchError):
    """The same request failed a moment ago; carries the code of that failure."""

    def __init__(
        self,
        message: str,
        *,
        code: Code,
        retry_after: float | None = None,
        denial: Denial | None = None,
        disposition: Disposition | None = None,
    ) -> None:
        super().__init__(message)
        self.code: Code = code
        self.disposition: Disposition = disposition or DISPOSITIONS[code]
        self.retry_after = retry_after
        self.denial = denial


def code_of(error: ResearchError) -> Code:
    """Return the `doiget_*` code of an error."""
    if isinstance(error, NoSourceAnswered):
        return code_of(error.decisive)
    if isinstance(error, RepeatedFailure):
        return error.code
    if isinstance(error, Denied):
        return DENIED_CODES[error.denial.reason]
    cause = error.cause if isinstance(error, UpstreamError) else None
    rows = ((kind, row_cause) for kind in type(error).__mro__ for row_cause in (cause, None))
    return next(CODES[row] for row in rows if row in CODES)


def disposition_of(error: ResearchError) -> Disposition:
    """Return what to do about an error: that of its code, but no setting mends a damaged file."""
    if isinstance(error, NoSourceAnswered):
        return disposition_of(error.decisive)
    if isinstance(error, RepeatedFailure):
        return error.disposition
    return "terminal" if isinstance(error, _DAMAGED) else DISPOSITIONS[code_of(error)]


def denial_of(error: ResearchError | None) -> Denial | None:
    """Return which of our own rules refused, now or a moment ago; None if none did."""
    if isinstance(error, NoSourceAnswered):
        return denial_of(error.decisive)
    return error.denial if isinstance(error, Denied | RepeatedFailure) else None
