"""HTTP request and response, and the policy that limits them."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from typing import Protocol

from sourcewright.base.http_messages import Request, Response

MEBIBYTE = 1024 * 1024
MAX_BYTES = 20 * MEBIBYTE
"""Size limit of an answer, unless its source has another one."""
RATE_LIMIT_STATUSES = frozenset({429})


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Which hosts a source may use, and the limits on size, time and rate of its responses."""

    source: str
    allowed_hosts: tuple[str, ...] | None = None
    """Allowed hosts, exact or `*.suffix`; None for any host that the guard allows."""
    passing_hosts: tuple[str, ...] = ()
    """Hosts allowed as redirect hops too, such as DOI resolvers; not named in error messages."""
    https_only: bool = True
    any_port: bool = False
    max_bytes: int = MAX_BYTES
    max_markup_bytes: int | None = None
    """Size limit for HTML by its media type; None for no separate limit."""
    cut_long: bool = False
    """Whether a longer body is truncated instead of refused, where its start is enough."""
    accepts_partial: bool = False
    """Whether a partial body is accepted when time or the connection ended it, and whether it is
    decompressed by its magic bytes rather than by its Content-Encoding."""
    max_tries: int = 3
    """Tries of one request, the first included. The download tools' contract (PDT-001) allows no
    more, and no other contract needs more."""
    retries_rate_limits: bool = True
    """Whether a rate limit for which the source states no wait is tried again."""
    connect_seconds: float = 10.0
    read_seconds: float = 60.0
    total_seconds: float = 300.0
    grace_seconds: float = 10.0
    """How long a body may take before its rate is checked."""
    min_bytes_per_second: int = 4096
    """Minimum average bytes per second after the grace period."""
    magic: bytes | None = None
    """The magic bytes that a successful body must have."""
    magic_within: int = 0
    """How many bytes may stand before them."""
    busy: frozenset[int] = RATE_LIMIT_STATUSES
    """Statuses that mean a rate limit."""
    refused: frozenset[int] = frozenset()
    """Non-standard statuses that mean a permanent refusal."""
    follows_redirects: bool = True
    """Whether redirects are followed; otherwise they are returned like any response."""
    quotes_refusals: bool = False
    """Whether an error names the reason that the body of a refusal gives: it is an API's."""
    takes_key: bool = True
    """Whether the source takes an API key or a login."""
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """Masked in that reason, because some sources repeat the key that they refuse."""
    remedies: tuple[tuple[int, str], ...] = ()
    """Statuses, each with what to do about it."""
    explains_bad_requests: bool = False
    """Whether the body of a 400 explains to people what is wrong with the request."""
    endpoint: str | None = None
    """The origin of this source's API. If the operator allowed that origin, only this source may
    use it; None for whatever contacts any host, such as the page reader."""

    def for_type(self, content_type: str) -> "Policy":
        """The policy for a body of this media type."""
        limit = self.max_markup_bytes
        if limit is None or "html" not in content_type.lower():
            return self
        return replace(self, max_bytes=min(self.max_bytes, limit))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileType:
    """A file type: its Accept header, magic bytes and size limit."""

    accept: str
    magic: bytes
    max_bytes: int
    magic_within: int = 0
    """How many bytes may stand before the magic bytes."""


# Readers look for the header in the first 1,024 bytes: servers and mail programs add lines before it.
PDF = FileType(accept="application/pdf", magic=b"%PDF-", max_bytes=100_000_000, magic_within=1_024)


class Sends(Protocol):
    """Sends a request and returns the response, whatever its status."""

    async def send(self, request: Request, policy: Policy) -> Response: ...


class HttpClient(Sends, Protocol):
    """The HTTP client itself, which can also check a request without sending it."""

    def check(self, request: Request, policy: Policy) -> None:
        """Check a URL before anyone waits for it.

        Raises:
            InvalidInput: The URL is malformed.
            Denied: A rule forbids it.
        """
        ...

    def holding_bodies(self) -> AbstractContextManager[None]:
        """Count large bodies received inside this context as in memory until it ends."""
        ...
