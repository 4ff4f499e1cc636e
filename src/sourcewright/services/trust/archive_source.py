"""Archives a source: a new snapshot by Save Page Now, or else the latest existing one."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal

from sourcewright.base.calls import current_call, time_limit
from sourcewright.base.clocks import Clock
from sourcewright.base.concurrency import run_both
from sourcewright.base.errors import (
    Denied,
    InvalidInput,
    NotFound,
    Refused,
    ResearchError,
    UpstreamError,
)
from sourcewright.base.links import Capture, Snapshot
from sourcewright.base.snapshots import snapshot_list_url
from sourcewright.domain.capabilities import CapturesPages, FindsSnapshots
from sourcewright.services.pages.failures import rejected_url

ArchiveStatus = Literal["archived", "existing", "pending", "unavailable"]

TOTAL_SECONDS: Final = 25.0
CAPTURE_SECONDS: Final = 19.0
"""How long to wait for a capture; the rest of the deadline is for looking up existing snapshots."""
WAITS: Final = (3.0, 7.0)
"""Pauses before the second and the third attempt."""
POLL_SECONDS: Final = 2.0
_MAX_POLLS: Final = 8
CLOCK_TOLERANCE: Final = timedelta(minutes=1)
"""How far the archive's clock and this machine's may differ."""

SnapshotOutcome = Snapshot | ResearchError | None
"""A snapshot, or why it is unknown whether there is one; None if there is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveResult:
    """The snapshot, and the requests that led to it."""

    status: ArchiveStatus
    snapshot: Snapshot | None = None
    archived_at: str | None = None
    http_status: int | None = None
    reason: str | None = None
    poll_url: str | None = None
    provenance: tuple[str, ...] = ()


@dataclass(slots=True)
class _Trail:
    """Each request to the archive and its response, in order."""

    steps: list[str] = field(default_factory=list)
    http_status: int | None = None

    def note(self, words: str) -> None:
        self.steps.append(words)


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceArchiver:
    """Requests a new snapshot within a fixed time; a slow or busy archive is not an error."""

    captures: Mapping[str, CapturesPages]
    archives: Mapping[str, FindsSnapshots]
    check_url: Callable[[str], None]
    """Raises InvalidInput or Denied for a URL that must not be sent to an archive."""
    clock: Clock
    now: Callable[[], str]
    patient: bool = True
    """Whether to pause between attempts; not in a sandbox without waiting."""

    async def archive(self, url: str) -> ArchiveResult:
        """Return the snapshot, or why there is none.

        Raises:
            NoSourceAnswered: It is not the URL of a web page on the public internet.
        """
        self._check(url)
        if not self.captures:
            reason = "no web archive is configured"
            return ArchiveResult(status="unavailable", reason=reason, provenance=(reason,))
        trail, asked_at = _Trail(), self.now()
        with time_limit(TOTAL_SECONDS, self.clock):
            earlier, captured = await run_both(self._find(url), self._capture(url, trail))
            if isinstance(captured, Snapshot):
                if _is_new(captured, earlier, asked_at):
                    return self._archived(captured, trail)
                return _existing_capture(captured, earlier, trail)
            await current_call.get().progress("looking for the latest snapshot")
            latest = await self._find(url)
        if isinstance(latest, Snapshot) and _is_new(latest, earlier, asked_at):
            trail.note("the archive lists a snapshot that was not there before")
            return self._archived(latest, trail)
        return _not_captured(url, latest, captured, trail)

    def _check(self, url: str) -> None:
        try:
            self.check_url(url)
        except (Denied, InvalidInput) as error:
            raise rejected_url(url, error) from error

    def _archived(self, snapshot: Snapshot, trail: _Trail) -> ArchiveResult:
        return ArchiveResult(
            status="archived",
            snapshot=snapshot,
            archived_at=self.now(),
            http_status=trail.http_status,
            provenance=tuple(trail.steps),
        )

    async def _capture(self, url: str, trail: _Trail) -> Snapshot | ResearchError | None:
        """The new snapshot, or the last failure; None if the capture is still in progress."""
        until = self.clock.monotonic() + CAPTURE_SECONDS
        failure: ResearchError | None = None
        with time_limit(CAPTURE_SECONDS, self.clock):
            for number, pause in enumerate((0.0, *WAITS), start=1):
                if not await self._pause(pause, until):
                    break
                await current_call.get().progress(f"asking for a snapshot, attempt {number}")
                try:
                    return await self._attempt(url, until, trail)
                except Refused as error:
                    return _noted(error, trail)
                except (UpstreamError, Denied) as error:
                    failure = _noted(error, trail)
        return failure

    async def _attempt(self, url: str, until: float, trail: _Trail) -> Snapshot | None:
        archive = next(iter(self.captures.values()))
        capture = await archive.capture(url)
        trail.http_status = capture.http_status
        for _ in range(_MAX_POLLS):
            if capture.snapshot is not None or not await self._pause(POLL_SECONDS, until):
                break
            capture = await self._poll(archive, capture, trail)
        if capture.snapshot is None:
            trail.note("Save Page Now: the capture is not complete")
            return None
        trail.note(f"Save Page Now: snapshot of {capture.snapshot.taken_at}")
        return capture.snapshot

    async def _poll(self, archive: CapturesPages, capture: Capture, trail: _Trail) -> Capture:
        """The state of a job; a failed status request does not end the job."""
        try:
            return await archive.capture_status(capture.job_id or "")
        except Refused:
            raise
        except UpstreamError as error:
            _noted(error, trail)
            return capture

    async def _pause(self, seconds: float, until: float) -> bool:
        """Wait; False if there is no time left for that."""
        if self.clock.monotonic() + seconds >= until:
            return False
        if seconds and self.patient:
            await self.clock.sleep(seconds)
        return True

    async def _find(self, url: str) -> SnapshotOutcome:
        failure: ResearchError | None = None
        for archive in self.archives.values():
            try:
                return await archive.find_snapshot(url)
            except NotFound:
                continue
            except (UpstreamError, Denied) as error:
                failure = error
        return failure


def _noted(error: ResearchError, trail: _Trail) -> ResearchError:
    if isinstance(error, UpstreamError) and error.status is not None:
        trail.http_status = error.status
    trail.note(str(error))
    return error


def _is_new(snapshot: Snapshot, earlier: SnapshotOutcome, asked_at: str) -> bool:
    """Whether it was made by this call: later than any from before it, by its own date too.

    The archive lists a snapshot only days after it was made, so one that it does not list may
    be old all the same.
    """
    if isinstance(earlier, Snapshot) and snapshot.taken_at <= earlier.taken_at:
        return False
    earliest = datetime.fromisoformat(asked_at) - CLOCK_TOLERANCE
    return datetime.fromisoformat(snapshot.taken_at) >= earliest


def _existing_capture(
    snapshot: Snapshot, earlier: SnapshotOutcome, trail: _Trail
) -> ArchiveResult:
    """The snapshot that Save Page Now returned, which is an old one."""
    if isinstance(earlier, ResearchError):
        trail.note(f"the snapshots from before are unknown: {earlier}")
    elif earlier is None:
        trail.note("the archive lists no snapshot from before, and returned one")
    else:
        trail.note("Save Page Now returned a snapshot that was there before")
    reason = f"the archive returned a snapshot of {snapshot.taken_at}, before this call"
    return _existing(snapshot, reason, trail)


def _existing(snapshot: Snapshot, reason: str, trail: _Trail) -> ArchiveResult:
    return ArchiveResult(
        status="existing",
        snapshot=snapshot,
        http_status=trail.http_status,
        reason=reason,
        provenance=tuple(trail.steps),
    )


def _not_captured(
    url: str, latest: SnapshotOutcome, captured: ResearchError | None, trail: _Trail
) -> ArchiveResult:
    why = str(captured) if captured else "the archive is still making the snapshot"
    if isinstance(latest, Snapshot):
        trail.note(f"the archive has a snapshot of {latest.taken_at}")
        return _existing(latest, f"no fresh snapshot: {why}", trail)
    unknown = f"; whether there is an earlier one is unknown: {latest}" if latest else ""
    refused = isinstance(captured, Refused) and captured.status is None
    trail.note(f"no snapshot was found{unknown}")
    return ArchiveResult(
        status="unavailable" if refused else "pending",
        http_status=trail.http_status,
        reason=f"no snapshot was confirmed: {why}{unknown}",
        poll_url=None if refused else snapshot_list_url(url),
        provenance=tuple(trail.steps),
    )
