"""The exception hierarchy: what can go wrong, as a tree.

* ResearchError
  x InvalidInput     the question has no meaning
  x Unsupported      the question is sensible, but nothing here can answer it
  x NotConfigured    a key or an address is missing
  x NotAvailable     a source knows nothing of it that could be had here
  x Denied           our own rules refuse it (carries a denial context)
  x UpstreamError    a named source did not give a usable answer
    + NotFound       it answered: no such thing
    + Refused        it answered: we may not have it (401, 403, 451)
    + RateLimited    it answered: wait
    + Unavailable    it did not answer (time-out, no connection, 5xx)
    + BadAnswer      it answered something we cannot read
  x ReaderUnavailable  the processes that read documents cannot be started
  x StoreError       what we keep could not be read or written
  x LogError         the provenance or audit log could not be written
  x LockTimeout      another process held a lock for too long
  x SchemaTooNew     a file was written by a newer version
  x Unanswered       several sources were asked; carries what each said (in evidence.py)

Only NotFound may ever be reported as absence.
"""

from dataclasses import dataclass
from typing import Literal

Cause = Literal[
    "timeout", "slow", "connect", "tls", "cut", "status", "format", "shape", "breaker", "pace"
]
"""Why there was no usable answer. `slow`: it came, but would not have come to its end; `format`: not what this source speaks, as from something in
between, which may pass; `shape`: its own format with other content, which will not pass by itself."""

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
    """Which of our rules refused, and what it would have accepted."""

    reason: DenialReason
    source: str | None = None
    attempted: str | None = None
    expected: tuple[str, ...] | None = None
    hop_index: int | None = None
    cap: int | None = None
    actual: int | None = None


class ResearchError(Exception):
    """Base of every error that this package raises on purpose."""


class InvalidInput(ResearchError):
    """The question has no meaning."""


class Unsupported(ResearchError):
    """The question is sensible, but nothing here can answer it."""


class NotConfigured(ResearchError):
    """A key or an address is missing."""

    def __init__(
        self, message: str, *, setting: str | None = None, alternatives: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.setting = setting
        self.alternatives = alternatives
        """What could be asked instead."""


class NotAvailable(ResearchError):
    """No source that was asked has what was wanted; the paper itself may well exist."""


class Denied(ResearchError):
    """Our own rules refuse it."""

    def __init__(self, message: str, denial: Denial) -> None:
        super().__init__(message)
        self.denial = denial


class UpstreamError(ResearchError):
    """A named source did not give a usable answer."""

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
    """The source answered: no such thing."""


class Refused(UpstreamError):
    """The source answered: we may not have it."""


class RateLimited(UpstreamError):
    """The source asked us to wait."""


class Unavailable(UpstreamError):
    """The source did not answer."""


class BadAnswer(UpstreamError):
    """The source answered something we cannot read."""


class Unreadable(BadAnswer):
    """What the source has came, and has no text for us: locked, broken, or a picture."""


class ReaderUnavailable(ResearchError):
    """The processes that read documents cannot be started, so that no file can be judged."""

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"the process that reads documents could not be started ({reason}); nothing was "
            "read or kept; `sourcewright doctor` tries it"
        )


class StoreError(ResearchError):
    """What we keep could not be read or written."""


class LogError(ResearchError):
    """The provenance or audit log could not be written."""


class LockTimeout(ResearchError):
    """Another process held a lock for too long."""


class SchemaTooNew(ResearchError):
    """A file was written by a newer version."""
