"""HTTP request and answer, and the rules between them."""

from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

from sourcewright.domain.errors import Unavailable

MEBIBYTE = 1024 * 1024
BUSY = frozenset({429})
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked."""

    url: str
    method: str = "GET"
    headers: Mapping[str, str] = field(default_factory=lambda: _NOTHING)
    body: bytes | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back: after redirects, decompressed, whole."""

    status: int
    headers: Mapping[str, str]
    """Names in lower case."""
    body: bytes
    url: str
    hops: tuple[str, ...] = ()
    """Every address that was asked, in order, the last one being `url`."""
    cut: bool = False
    """Whether a limit ended the body before it did."""
    problem: Unavailable | None = None
    """What ended a body, other than its size, that is given as far as it came."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What one source may do to us."""

    source: str
    allowed_hosts: tuple[str, ...] | None = None
    """Hosts that may answer, exact or `*.suffix`; None leaves it to the guard alone."""
    passing_hosts: tuple[str, ...] = ()
    """Hosts that may also stand on the way, such as DOI resolvers, and are never suggested."""
    https_only: bool = True
    any_port: bool = False
    max_bytes: int = 20 * MEBIBYTE
    max_markup_bytes: int | None = None
    """The same for what says that it is a web page; None for no other limit."""
    cut_long: bool = False
    """Whether a longer body is cut there and not refused, where its start says enough."""
    forgiving: bool = False
    """Whether a body is given as far as it came before time or a lost connection ended it, and
    is expanded by what it is rather than by its label."""
    connect_seconds: float = 10.0
    read_seconds: float = 60.0
    total_seconds: float = 300.0
    grace_seconds: float = 10.0
    """How long a body may take whatever its rate."""
    least_rate: int = 4096
    """Bytes per second, on the average, from then on."""
    magic: bytes | None = None
    """The first bytes that a successful body must have."""
    busy: frozenset[int] = BUSY
    """Statuses by which the source asks us to wait."""
    refused: frozenset[int] = frozenset()
    """Statuses beyond the standard's by which it says no, for good."""
    follows: bool = True
    """Whether redirects are followed; where not, a redirect is an answer like any other."""
    endpoint: str | None = None
    """The origin at which this source itself is asked. Where the operator opened that origin, it
    is open to this source alone; None for what asks anywhere, such as the reader of pages."""

    def for_type(self, content_type: str) -> "Policy":
        """The policy for a body of this type."""
        most = self.max_markup_bytes
        if most is None or "html" not in content_type.lower():
            return self
        return replace(self, max_bytes=min(self.max_bytes, most))


@dataclass(frozen=True, slots=True, kw_only=True)
class FileForm:
    """A kind of file: how it is asked for, how it begins, and how large it may be."""

    accept: str
    magic: bytes
    max_bytes: int


PDF = FileForm(accept="application/pdf", magic=b"%PDF-", max_bytes=100_000_000)


class Sends(Protocol):
    """Asks one question of the world and brings back the answer, whatever its status."""

    async def send(self, request: Request, policy: Policy) -> Answer: ...


class Outlet(Sends, Protocol):
    """The way out itself, which can also say beforehand that it will not ask."""

    def check(self, request: Request, policy: Policy) -> None:
        """Let an address pass before anybody waits for it.

        Raises:
            InvalidInput: There is no such address.
            Denied: One of our rules refuses it.
        """
        ...

    def keeping(self) -> AbstractContextManager[None]:
        """Count a large body that comes meanwhile until whoever asked for it is done."""
        ...
