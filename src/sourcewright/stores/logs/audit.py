"""The audit log: who called which tool, and how it went.

An answer waits until the event of its call is written, together with those of other calls
that end in the same moment: whatever ends the process, no answer was given without its
event. That the event is on the disk for good follows within moments, unless the policy has
answers wait for that too, so that only a loss of power can take events of answers that were
given. An event that cannot be written is counted, named in the server's own log, shown by
`health`, and followed in the chain by an `audit.lost` event as soon as writing works again;
until then nothing that would have to be recorded is begun.

Audit events: the contract's fields, and nothing in them that must not be kept.
"""

import asyncio
import logging
from collections.abc import Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from sourcewright.domain.errors import LogError
from sourcewright.domain.ports import Clock, SystemClock
from sourcewright.logic.text.redaction import Masker
from sourcewright.stores.logs.aside import Aside
from sourcewright.stores.logs.chain import Body, Shape, canonical, plain, printable, timestamp
from sourcewright.stores.logs.journal import Plan
from sourcewright.stores.logs.removals import REPAIRED, Removal
from sourcewright.stores.logs.verification import Report, walked
from sourcewright.stores.logs.writer import ChainedLog

_TEXTS = (
    "event_type",
    "tenant_id",
    "user_id",
    "session_id",
    "tool_name",
    "request_id",
    "pod_id",
    "source_ip",
    "error_code",
)
SHAPE = Shape(
    keys=frozenset(_TEXTS)
    | {"timestamp", "duration_ms", "success", "metadata", "prev_hash", "hash"},
    hash_key="hash",
    event_key="event_type",
    time_key="timestamp",
    details_key="metadata",
)
_LONGEST_TEXT = 4096
_BETWEEN = " \n\t,;&\"'"
_MOST_METADATA_BYTES = 32 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPolicy:
    """What events say, and how long they are kept."""

    include_request_body: bool = False
    rotate_bytes: int = 104_857_600
    retention_days: int = 180
    wait_for_disk: bool = False
    """Whether an answer waits until its event would survive a loss of power."""
    sandbox: bool = False
    always: Mapping[str, str] | None = None
    """Fields that are the same in every event of this process, such as `pod_id`."""


class Drafting:
    """Turns what a caller says into an event, with nothing in it that must not be kept."""

    def __init__(self, mask: Masker, policy: AuditPolicy) -> None:
        self._mask = mask
        self._policy = policy

    def body(self, event: Mapping[str, Any], now: float) -> Body:
        said = {"event_type": "tool_call", **(self._policy.always or {}), **event}
        body: dict[str, Any] = {
            "timestamp": timestamp(now),
            "duration_ms": _number(said.pop("duration_ms", None)),
            "success": said.pop("success", None) is True,
            **{key: self._text(said.pop(key, None)) for key in _TEXTS},
        }
        body["metadata"] = self._metadata(said)
        if self._policy.sandbox:
            body["sandbox"] = True
        return body

    def _text(self, value: object) -> str | None:
        if value is None:
            return None
        text = str(value)
        if len(text) > 4 * _LONGEST_TEXT:
            # Cut between words and before masking, so that no secret is cut out of recognition.
            text = text[: 1 + max(text.rfind(mark, 0, 4 * _LONGEST_TEXT) for mark in _BETWEEN)]
        return printable(self._mask(text))[:_LONGEST_TEXT]

    def _metadata(self, said: dict[str, Any]) -> Any:
        given = said.pop("metadata", None)
        rest = {**(given if isinstance(given, Mapping) else {}), **said}
        asked = self._asked(rest.pop("query", None))
        kept = plain({**self._mask.deep(rest), **asked})
        size = len(canonical(kept))
        return kept if size <= _MOST_METADATA_BYTES else {"left_out_bytes": size, **asked}

    def _asked(self, query: object) -> dict[str, Any]:
        if query is None:
            return {}
        if self._policy.include_request_body:
            return {"query": self._text(query)}
        return {"query_length": len(printable(str(query)).encode())}


def repaired_name(row: Body) -> str | None:
    metadata = row["metadata"] if row["event_type"] == REPAIRED else None
    name = metadata.get("file") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else None


def _number(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) and abs(value) < 2**63 else None


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditHealth:
    """How the audit log does in this process."""

    written: int
    waiting: int
    failed: int
    last_error: str | None

    @property
    def ok(self) -> bool:
        return self.last_error is None


class AuditLog:
    """An Auditor on a hash-chained file that several processes may share."""

    def __init__(
        self, path: Path, *, clock: Clock, mask: Masker, policy: AuditPolicy | None = None
    ) -> None:
        self._clock = clock
        self._policy = policy or AuditPolicy()
        self._drafting = Drafting(mask, self._policy)
        self._tally = _Tally()
        self.path = path
        self.plan = Plan(
            shape=SHAPE,
            repaired=self._repaired,
            repaired_name=repaired_name,
            removed=self._removed,
            rotate_bytes=self._policy.rotate_bytes,
            synced=self._policy.wait_for_disk,
        )
        days = self._policy.retention_days
        self._log = ChainedLog(
            path, self.plan, clock=clock, retention_days=days, synced=self._tally.synced
        )

    async def check(self) -> None:
        """Tell of lost events, if there are any, to see whether events can be kept again.

        Raises:
            LogError, LockTimeout: They cannot; nothing should be begun that must be recorded.
        """
        if lost := self._tally.take_lost():
            event = {"event_type": "audit.lost", "metadata": {"count": lost}}
            await asyncio.wrap_future(self._submit(event, lost))

    async def audit(self, event: Mapping[str, Any]) -> None:
        """Keep one event. What the contract has no field for goes into `metadata`.

        A `query` is kept only where the policy says so; else its length is. Leaving early
        does not unwrite the event.

        Raises:
            LogError, LockTimeout: It could not be kept.
        """
        await asyncio.wrap_future(self._submit(event))

    def health(self) -> AuditHealth:
        return self._tally.health()

    def is_ok(self) -> bool:
        return self.health().ok

    async def aclose(self) -> None:
        """Write what is queued, then take no more."""
        await self._log.aclose()

    def _submit(self, event: Mapping[str, Any], lost: int = 0) -> "Future[None]":
        body = self._drafting.body(event, self._clock.now())
        self._tally.submitted()
        try:
            written = self._log.submit(body)
        except LogError as error:
            written = Future()
            written.set_exception(error)
        written.add_done_callback(lambda done: self._tally.settled(done.exception(), lost))
        return written

    def _repaired(self, aside: Aside) -> Body:
        told = {"file": aside.name, "sha256": aside.digest, "size_bytes": aside.size}
        rows = aside.removal.details() if aside.removal else {}
        return self._about_itself(REPAIRED, {**rows, **told})

    def _removed(self, event: str, removal: Removal) -> Body:
        return self._about_itself(event, removal.details())

    def _about_itself(self, event: str, told: dict[str, Any]) -> Body:
        body = self._drafting.body({"event_type": event, "success": True}, self._clock.now())
        # Not masked: hashes and names of our own are all that is in it.
        return {**body, "metadata": told}


class AuditOff:
    """The Auditor of an operator who switched auditing off."""

    async def check(self) -> None:
        """Nothing is kept, so nothing can be lost."""

    async def audit(self, event: Mapping[str, Any]) -> None:
        """Keep nothing."""

    def is_ok(self) -> bool:
        return True

    async def aclose(self) -> None: ...


def verify(path: Path, *, clock: Clock | None = None) -> Report:
    """Check every event of the log and of its rotated segments; no log is a clean log.

    Raises:
        LockTimeout: A writer held the log for too long.
        LogError: The log is there and cannot be read.
    """
    return walked(path, SHAPE, clock or SystemClock()).report()


class _Tally:
    """Counts events, from the caller's thread and from the writer's."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting = self._written = self._failed = self._told = 0
        self._error: str | None = None
        self._late_error: str | None = None

    def take_lost(self) -> int:
        """How many failures the chain does not know of yet; the caller tells it."""
        with self._lock:
            lost = self._failed - self._told
            self._told += lost
            return lost

    def synced(self, error: OSError | None) -> None:
        """Events that were written are on the disk now, or the disk refused."""
        told = f"events may not survive a loss of power ({error})" if error else None
        with self._lock:
            news = told is not None and self._late_error is None
            self._late_error = told
        if news:
            logger.error("audit log: %s", told)

    def submitted(self) -> None:
        with self._lock:
            self._waiting += 1

    def settled(self, error: BaseException | None, lost: int) -> None:
        """One waits no more; `lost` is what it was to tell of, 0 for an event of its own."""
        with self._lock:
            news = error is not None and str(error) != self._error
            self._waiting -= 1
            self._written += error is None
            self._failed += error is not None and not lost
            self._told -= lost if error else 0
            self._error = str(error) if error else None
        if news:
            logger.error("audit events are being lost: %s", error)

    def health(self) -> AuditHealth:
        with self._lock:
            return AuditHealth(
                written=self._written,
                waiting=self._waiting,
                failed=self._failed,
                last_error=self._error or self._late_error,
            )
