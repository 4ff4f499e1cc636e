"""The exception hierarchy.

* ResearchError
  x InvalidInput     the request is invalid
  x Unsupported      the request is valid, but nothing here can answer it
  x NotConfigured    a key or a URL is missing in the settings
  x NotAvailable     no source has what was requested; it may exist elsewhere
    + UnusableCopy   a copy was found, and its file cannot be used: damaged, encrypted
  x Denied           our own rules refuse the request (carries a denial context)
  x UpstreamError    a named source did not return a usable response
    + NotFound       it answered: there is no such thing
    + Refused        it answered: access refused (401, 403, 451)
    + RateLimited    it answered: too many requests, wait
    + Unavailable    it did not answer (timeout, no connection, 5xx)
    + BadAnswer      it answered something that cannot be parsed
      - BadRequest   it did not understand the request, and said why
      - InvalidHttp  it answered in no valid HTTP
      - RedirectFailed  its redirects do not end, or lead nowhere
  x SessionNotFound  the caller has no such research session
  x ReaderUnavailable  the processes that read documents cannot be started
  x StoreError       stored data could not be read or written
    + DamagedRecord  a stored record is not readable; no setting mends it
  x LogError         the provenance or audit log could not be written
  x LockTimeout      another process held a lock for too long
  x SchemaTooNew     a file was written by a newer version
  x Unanswered       several sources failed; carries one attempt for each (in evidence.py)

Only NotFound may ever be reported as absence of something in the world.
"""

from dataclasses import dataclass
from typing import Literal

Cause = Literal[
    "timeout",
    "slow",
    "connect",
    "offline",
    "tls",
    "cut",
    "status",
    "format",
    "shape",
    "breaker",
    "pace",
]
"""Why there was no usable response. `slow`: it arrived too slowly to finish in time. `offline`:
this computer has no connection to the internet, so no other source would answer. `format`: not
the source's format, as from a proxy in between; may be temporary. `shape`: the source's format
with unexpected content; not temporary."""

DenialReason = Literal[
    "redirect_not_in_allowlist",
    "insecure_scheme",
    "host_in_block_list",
    "size_cap_exceeded",
    "schema_drift",
    "capability_not_granted",
    "rate_limit_window",
    "ssrf_private_address",
    "content_type_mismatch",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Denial:
    """Which of our own rules refused a request, and what it would have accepted."""

    reason: DenialReason
    source: str | None = None
    attempted: str | None = None
    expected: tuple[str, ...] | None = None
    hop_index: int | None = None
    cap: int | None = None
    actual: int | None = None


class ResearchError(Exception):
    """Base of every error that this package raises on purpose."""

    paper: str | None = None
    """The DOI of the paper that it is about, where the caller named it otherwise."""


class InvalidInput(ResearchError):
    """The request is invalid."""


class Unsupported(ResearchError):
    """The request is valid, but nothing here can answer it."""


class NotConfigured(ResearchError):
    """A key or a URL is missing in the settings."""

    def __init__(
        self, message: str, *, setting: str | None = None, alternatives: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.setting = setting
        self.alternatives = alternatives
        """What could be used instead."""


class NotAvailable(ResearchError):
    """No queried source has what was requested; the paper itself may exist."""


class UnusableCopy(NotAvailable):
    """The file of a copy cannot be used: it is damaged, encrypted or empty."""


class Denied(ResearchError):
    """Our own rules refuse the request."""

    def __init__(self, message: str, denial: Denial) -> None:
        super().__init__(message)
        self.denial = denial


class UpstreamError(ResearchError):
    """A named source did not return a usable response."""

    def __init__(
        self,
        source: str,
        detail: str,
        *,
        status: int | None = None,
        cause: Cause | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(f"{source}: {detail}")
        self.source = source
        self.detail = detail
        self.status = status
        self.cause = cause
        self.retry_after = retry_after


class NotFound(UpstreamError):
    """The source answered: there is no such thing."""


class Refused(UpstreamError):
    """The source answered: access refused."""

    takes_key = True
    """Whether the source takes an API key at all: otherwise none can be wrong or missing."""


class RateLimited(UpstreamError):
    """The source asked us to wait."""


class Unavailable(UpstreamError):
    """The source did not answer."""


class BadAnswer(UpstreamError):
    """The source answered something that cannot be parsed."""


class BadRequest(BadAnswer):
    """The source answered that it does not understand the request; `detail` has its own words."""


class InvalidHttp(BadAnswer):
    """The response is not valid HTTP."""


class RedirectFailed(BadAnswer):
    """The source redirects without an end, or to no URL; asked again, it would do so again."""


class Unreadable(BadAnswer):
    """The document arrived but has no readable text: encrypted, damaged, or an image."""


class SessionNotFound(ResearchError):
    """The caller has no such research session, or it has expired."""

    def __init__(self, message: str, *, recovery_hint: str | None = None) -> None:
        super().__init__(message)
        self.recovery_hint = recovery_hint
        """How to continue the research."""


class ReaderUnavailable(ResearchError):
    """The processes that read documents cannot be started, so no file can be checked."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the process that reads documents could not be started ({reason}); nothing was read or stored; check it with `sourcewright doctor`"
        )


class StoreError(ResearchError):
    """Stored data could not be read or written."""


class DamagedRecord(StoreError):
    """A stored record is not readable. Somebody has to mend or remove the file."""


class LogError(ResearchError):
    """The provenance or audit log could not be written."""


class LockTimeout(ResearchError):
    """Another process held a lock for too long."""


class SchemaTooNew(ResearchError):
    """A file was written by a newer version."""
