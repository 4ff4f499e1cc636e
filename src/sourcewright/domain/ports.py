"""Ports: protocols for what a lower layer needs from a higher one."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol, Self

from sourcewright.domain.errors import NotConfigured, ResearchError, Unavailable
from sourcewright.domain.files import Excerpt, FetchedFile
from sourcewright.domain.pages import BROWSER, Confinement, Manner, Page, Visit
from sourcewright.domain.readings import Reading


class Clock(Protocol):
    """Time, so that tests can own it."""

    def now(self) -> float:
        """Seconds since the epoch, for what is written down and shared between processes."""
        ...

    def monotonic(self) -> float:
        """Seconds that never go back, for measuring inside one process."""
        ...

    async def sleep(self, seconds: float) -> None: ...


class SystemClock:
    """The machine's own time."""

    now = staticmethod(time.time)
    monotonic = staticmethod(time.monotonic)
    sleep = staticmethod(asyncio.sleep)


@dataclass(frozen=True, slots=True, kw_only=True)
class Lane:
    """A shared pace: at most `starts` in any rolling `per_seconds`, and `at_once` in flight."""

    name: str
    starts: int
    per_seconds: float
    at_once: int | None = None
    gap_seconds: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the ledger says to one who would like to start."""

    wait: float
    """Seconds until it is worth asking again; 0.0 when the start is booked."""
    held: float = 0.0
    """Seconds for which the source itself asked everybody to stay away."""


class Ledger(Protocol):
    """Agrees on starts with every process on the machine. Each method may block for a moment.

    A ticket is any text that nobody else uses. Times are `Clock.now` seconds.

    Raises:
        StoreError: The ledger could not be read or written; nobody may start.
    """

    def ask(self, ticket: str, lanes: Sequence[Lane], now: float) -> Turn:
        """Book a start in all lanes at once, or keep the ticket's place in the queue."""
        ...

    def started(self, ticket: str, at: float) -> None:
        """Say when the booked start really happened, for windows and gaps to count from."""
        ...

    def leave(self, ticket: str) -> None:
        """Give back what the ticket still holds: its place in flight or in the queue."""
        ...

    def hold(self, lane: str, seconds: float, now: float) -> None:
        """Let nobody start in this lane for so long."""
        ...

    def close(self) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the provenance log, before it is chained."""

    event: str
    result: Literal["ok", "err", "denied"]
    capability: str
    ref: str | None = None
    source: str | None = None
    license: str | None = None
    size_bytes: int | None = None
    store_path: str | None = None
    error_code: str | None = None
    canonical_digest: str | None = None


class Recorder(Protocol):
    """The provenance log: what was asked of whom, and what came of it."""

    async def record(self, row: Row) -> None:
        """Keep the row for good before returning.

        Raises:
            LogError: It could not be kept; the caller must not go on.
        """
        ...

    def note(self, row: Row) -> None:
        """Keep the row as soon as may be: for a caller who has left and uses no answer."""
        ...


class Auditor(Protocol):
    """Who called which tool, and how it went.

    Raises:
        LogError, LockTimeout: It could not be kept.
    """

    async def check(self) -> None:
        """See whether events can be kept again, after some could not."""
        ...

    async def audit(self, event: Mapping[str, Any]) -> None:
        """Keep the event before returning; leaving early does not unwrite it."""
        ...


class ReadsPdfs(Protocol):
    """Reads the first pages of a PDF, apart from the process that answers calls."""

    async def excerpt(self, body: bytes) -> Excerpt:
        """Never raises for what the file holds: an unreadable file says why in `problem`.

        Raises ReaderUnavailable where nothing can be read at all.
        """
        ...


class FetchesFiles(Protocol):
    """Fetches a PDF from a location that a source named."""

    async def fetch_pdf(self, url: str) -> FetchedFile:
        """Raises Denied where our rules refuse, and UpstreamError where the location fails."""
        ...


class FetchesPages(Protocol):
    """Fetches a web page that a user named."""

    async def fetch_page(self, url: str) -> Page:
        """Raises Denied where our rules refuse, and UpstreamError where nobody answers.

        An answer that is no page, such as a 403, is the page's `problem`.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A value that was put, and when. Times are `Clock.now` seconds."""

    value: bytes
    stored_at: float
    expires_at: float | None
    """From then on it is gone; None for never."""

    @classmethod
    def at(cls, now: float, value: bytes, ttl_seconds: float | None) -> Self:
        """A value that is put now."""
        expires_at = None if ttl_seconds is None else now + ttl_seconds
        return cls(value=value, stored_at=now, expires_at=expires_at)

    def is_over(self, now: float) -> bool:
        return self.expires_at is not None and self.expires_at <= now


class KeyValue(Protocol):
    """Values by key, each for a while or for good. A key is any text, and no two keys meet.

    Raises:
        StoreError: The values could not be read or written.
        LockTimeout: Another process kept them to itself for too long.
    """

    async def get(self, key: str) -> Stored | None:
        """What is kept under the key; None when there is nothing, or it has expired."""
        ...

    async def put(self, key: str, value: bytes, *, ttl_seconds: float | None) -> None:
        """Keep the value in place of what was there; a ttl of zero keeps nothing."""
        ...

    async def update(
        self, key: str, fn: Callable[[bytes | None], bytes], *, ttl_seconds: float | None
    ) -> bytes:
        """Put what `fn` makes of the value, with no other change in between; returns it.

        `fn` may be called more than once, and elsewhere than in the event loop. Where it
        raises, nothing changes.
        """
        ...

    async def delete(self, key: str) -> None: ...

    async def aclose(self) -> None: ...


class SessionSink(Protocol):
    """Takes what was seen to a research session."""

    async def link(self, session_id: str, /, *, tool: str, urls: Sequence[str]) -> bool:
        """Whether there is such a session; what was seen is then part of it."""
        ...


class NoSessions:
    """For an instance that keeps none: every session is unknown."""

    async def link(self, _session_id: str, /, *, tool: str, urls: Sequence[str]) -> bool:
        del tool, urls
        return False


class VisitsPages(Protocol):
    """Asks for any page or document on the web."""

    def check(self, url: str) -> None:
        """Raises Denied for an address that our rules refuse, InvalidInput for none at all."""
        ...

    def keeping(self) -> AbstractContextManager[None]:
        """Count a large page that comes meanwhile until whoever asked for it is done."""
        ...

    async def visit(self, url: str, manner: Manner, *, most_bytes: int | None = None) -> Visit:
        """What is at an address, as far as so many bytes go.

        Raises:
            InvalidInput: There is no such address.
            Denied: Our rules refuse.
            NotFound: There is no such page.
            UpstreamError: It could not be had.
        """
        ...


class ReadsDocuments(Protocol):
    """Reads a document, apart from the process that answers calls."""

    async def read(self, visit: Visit) -> Reading:
        """Raises BadAnswer for what cannot be read, saying why."""
        ...


class RendersPages(Protocol):
    """Shows pages in a browser that has no way out of its own."""

    async def render(
        self, url: str, *, served: Visit | None = None, patient: bool = False
    ) -> Visit:
        """A page as it stands once its scripts have run, as UTF-8 markup.

        Args:
            url: Where the page is.
            served: What the address gave already, so that it is not asked for twice.
            patient: Whether the page is known to build itself slowly.

        Raises:
            Denied: Our rules refuse the page itself; what they refuse of its parts is left out.
            NotFound: There is no such page.
            Unavailable: From `browser`: it could not be started, or it died.
            UpstreamError: The page could not be had.
        """
        ...

    async def examine(self) -> Confinement:
        """Start the browser and say how it is held.

        Raises:
            NotConfigured: There is none; the message says what to do about it.
            Unavailable: It could not be started.
        """
        ...

    async def aclose(self) -> None: ...


class NoBrowser:
    """For a machine that has no browser, or whose operator wants none: every page says so."""

    def __init__(self, why: str, *, broken: bool = False) -> None:
        self.why = why
        self.broken = broken
        """Whether there should be one, which is a failure and no choice."""

    async def render(
        self, _url: str, /, *, served: Visit | None = None, patient: bool = False
    ) -> Visit:
        del served, patient
        raise self._missing()

    async def examine(self) -> Confinement:
        raise self._missing()

    def _missing(self) -> ResearchError:
        if self.broken:
            return Unavailable(BROWSER, self.why)
        return NotConfigured(self.why, setting="CHROME_PATH")

    async def aclose(self) -> None:
        """There is nothing to close."""
