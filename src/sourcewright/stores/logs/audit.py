"""The audit log: who called which tool, and with what outcome.

An answer waits until the event of its call is written, together with those of calls that end
at the same time: however the process ends, no answer was sent without its event. The event is
flushed to disk shortly afterwards, or before the answer if the policy says so; otherwise only
a power failure can lose events of answers that were sent. An event that cannot be written is
counted, reported in the server's own log, shown by `health`, and followed in the chain by an
`audit.lost` event as soon as writing works again; until then no call that must be recorded is
started. Events have the fields of the contract, with secrets masked.
"""

import asyncio
import logging
import secrets
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from threading import Lock
from typing import Any

from sourcewright.base.clocks import Clock, SystemClock
from sourcewright.base.errors import LogError
from sourcewright.base.text.redaction import Masker
from sourcewright.domain.users.sessions import Owner
from sourcewright.stores.logs.aside import QuarantinedBytes
from sourcewright.stores.logs.chain import (
    ERASED,
    PERSONAL_DIGEST_KEY,
    SALT_KEY,
    Body,
    RowFormat,
    canonical_json,
    printable,
    printable_values,
    timestamp,
)
from sourcewright.stores.logs.erasure import erase_person, rows_of_person
from sourcewright.stores.logs.journal import LogSpec
from sourcewright.stores.logs.removals import REPAIRED, Removal
from sourcewright.stores.logs.verification import VerificationReport, verify_chain
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
SHAPE = RowFormat(
    keys=frozenset(_TEXTS)
    | {"timestamp", "duration_ms", "success", "metadata", "prev_hash", "hash"},
    hash_key="hash",
    event_key="event_type",
    time_key="timestamp",
    details_key="metadata",
    optional=frozenset({"sandbox", SALT_KEY, PERSONAL_DIGEST_KEY}),
    person_key="user_id",
    personal={"session_id": None, "source_ip": None, "metadata": {}},
)
_MAX_TEXT_CHARS = 4096
_SHORT_CHARS, _CACHED_TEXTS = 100, 512
_SEPARATORS = " \n\t,;&\"'"
_MAX_METADATA_BYTES = 32 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditPolicy:
    """What events contain, and how long they are kept."""

    include_request_body: bool = False
    rotate_bytes: int = 104_857_600
    retention_days: int = 180
    wait_for_disk: bool = False
    """Whether an answer waits until its event is flushed to disk."""
    sandbox: bool = False
    anonymous: str = "anonymous"
    """The user of calls without sign-in; rows about anybody else can be erased."""
    always: Mapping[str, str] | None = None
    """Fields that are the same in every event of this process, such as `pod_id`."""


class EventBuilder:
    """Builds the event from a caller's fields: secrets masked, long texts truncated."""

    def __init__(self, mask: Masker, policy: AuditPolicy) -> None:
        self._mask = mask
        self._policy = policy
        # Most texts are those of the event before: the tool, the tenant, the user, the address.
        self._short_text = lru_cache(maxsize=_CACHED_TEXTS)(self._printable)

    def body(self, event: Mapping[str, Any], now: float) -> Body:
        fields = {"event_type": "tool_call", **(self._policy.always or {}), **event}
        body: dict[str, Any] = {
            "timestamp": timestamp(now),
            "duration_ms": _integer(fields.pop("duration_ms", None)),
            "success": fields.pop("success", None) is True,
            **{key: self.text(fields.pop(key, None)) for key in _TEXTS},
        }
        body["metadata"] = self._metadata(fields)
        if self._policy.sandbox:
            body["sandbox"] = True
        if body["user_id"] not in (None, self._policy.anonymous):
            body[SALT_KEY] = secrets.token_hex(16)
        return body

    def text(self, value: object) -> str | None:
        if value is None:
            return None
        text = str(value)
        if len(text) <= _SHORT_CHARS:
            return self._short_text(text)
        if len(text) > 4 * _MAX_TEXT_CHARS:
            # Truncated between words, before masking: a secret cut in half would not be recognised.
            text = text[
                : 1
                + max(text.rfind(separator, 0, 4 * _MAX_TEXT_CHARS) for separator in _SEPARATORS)
            ]
        return self._printable(text)

    def _printable(self, text: str) -> str:
        return printable(self._mask(text))[:_MAX_TEXT_CHARS]

    def _metadata(self, fields: dict[str, Any]) -> Any:
        metadata = fields.pop("metadata", None)
        rest = {**(metadata if isinstance(metadata, Mapping) else {}), **fields}
        query_fields = self._query_fields(rest.pop("query", None))
        printable = printable_values({**self._mask.deep(rest), **query_fields})
        size = len(canonical_json(printable))
        return (
            printable if size <= _MAX_METADATA_BYTES else {"left_out_bytes": size, **query_fields}
        )

    def _query_fields(self, query: object) -> dict[str, Any]:
        if query is None:
            return {}
        if self._policy.include_request_body:
            return {"query": self.text(query)}
        return {"query_length": len(printable(str(query)).encode())}


def repaired_name(row: Body) -> str | None:
    metadata = row["metadata"] if row["event_type"] == REPAIRED else None
    name = metadata.get("file") if isinstance(metadata, Mapping) else None
    return name if isinstance(name, str) else None


def _integer(value: object) -> int | None:
    return int(value) if isinstance(value, int | float) and abs(value) < 2**63 else None


logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditHealth:
    """State of the audit log in this process."""

    written: int
    waiting: int
    failed: int
    last_error: str | None
    rotations: int = 0
    """How often this process has begun a new file."""

    @property
    def ok(self) -> bool:
        return self.last_error is None


class AuditLog:
    """Audit log in a hash-chained file that several processes may share."""

    def __init__(
        self, path: Path, *, clock: Clock, mask: Masker, policy: AuditPolicy | None = None
    ) -> None:
        self._clock = clock
        self._policy = policy or AuditPolicy()
        self._events = EventBuilder(mask, self._policy)
        self._counters = _Counters()
        self.path = path
        self.plan = LogSpec(
            shape=SHAPE,
            repaired=self._repaired,
            repaired_name=repaired_name,
            removed=self._removed,
            rotate_bytes=self._policy.rotate_bytes,
            synced=self._policy.wait_for_disk,
        )
        days = self._policy.retention_days
        self._log = ChainedLog(
            path, self.plan, clock=clock, retention_days=days, synced=self._counters.record_flush
        )

    async def check(self) -> None:
        """If events were lost, record that, which tests whether events can be written again.

        Raises:
            LogError, LockTimeout: They cannot; no call that must be recorded may start.
        """
        if lost := self._counters.take_unrecorded():
            event = {"event_type": "audit.lost", "metadata": {"count": lost}}
            await asyncio.wrap_future(self._submit(event, lost))

    async def audit(self, event: Mapping[str, Any]) -> None:
        """Write one event. Fields that the contract does not have go into `metadata`.

        A `query` is recorded only if the policy says so; otherwise its length is. Cancelling
        the call does not remove the event.

        Raises:
            LogError, LockTimeout: It could not be written.
        """
        written = self._submit(event)
        if written.done():
            written.result()
        else:
            await asyncio.wrap_future(written)

    def rows_of(self, owner: Owner) -> Iterator[dict[str, Any]]:
        """The events about a user that can be erased, oldest first. Blocks.

        Raises:
            LogError, LockTimeout: The log cannot be read.
        """
        return rows_of_person(self.path, SHAPE, self._person(owner), self._clock)

    def erase(self, owner: Owner) -> tuple[str, int]:
        """Replace a user in all events by a pseudonym; return it, and how many rows changed. Blocks.

        Raises:
            LogError, LockTimeout: The log cannot be read or written.
        """
        pseudonym = f"{ERASED}{secrets.token_hex(8)}"
        person = self._person(owner)
        return pseudonym, erase_person(self.path, SHAPE, person, pseudonym, self._clock)

    def _person(self, owner: Owner) -> dict[str, str | None]:
        """The fields by which the events of a user are recognised, as they are written."""
        return {
            "tenant_id": self._events.text(owner.tenant),
            "user_id": self._events.text(owner.user),
        }

    def health(self) -> AuditHealth:
        return replace(self._counters.health(), rotations=self._log.rotations)

    def is_ok(self) -> bool:
        return self.health().ok

    async def aclose(self) -> None:
        """Write queued events, and accept no more."""
        await self._log.aclose()

    def _submit(self, event: Mapping[str, Any], lost: int = 0) -> "Future[None]":
        body = self._events.body(event, self._clock.now())
        self._counters.record_submission()
        try:
            written = self._log.submit(body)
        except LogError as error:
            written = Future()
            written.set_exception(error)
        written.add_done_callback(
            lambda done: self._counters.record_outcome(done.exception(), lost)
        )
        return written

    def _repaired(self, aside: QuarantinedBytes) -> Body:
        file_details = {"file": aside.name, "sha256": aside.digest, "size_bytes": aside.size}
        rows = aside.removal.details() if aside.removal else {}
        return self._log_event(REPAIRED, {**rows, **file_details})

    def _removed(self, event: str, removal: Removal) -> Body:
        return self._log_event(event, removal.details())

    def _log_event(self, event: str, details: dict[str, Any]) -> Body:
        body = self._events.body({"event_type": event, "success": True}, self._clock.now())
        # Not masked: it contains only hashes and file names of our own.
        return {**body, "metadata": details}


class NoAuditLog:
    """Audit log of an operator who switched auditing off."""

    async def check(self) -> None:
        """Do nothing: no events, so none can be lost."""

    async def audit(self, event: Mapping[str, Any]) -> None:
        """Do nothing."""

    def is_ok(self) -> bool:
        return True

    async def aclose(self) -> None: ...


def verify(path: Path, *, clock: Clock | None = None) -> VerificationReport:
    """Verify every event of the log and of its rotated segments; a missing log is valid.

    Raises:
        LockTimeout: A writer locked the log for too long.
        LogError: The log exists and cannot be read.
    """
    return verify_chain(path, SHAPE, clock or SystemClock()).report()


class _Counters:
    """Thread-safe counters of events, used by callers and by the writer."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._waiting = self._written = self._failed = self._reported = 0
        self._error: str | None = None
        self._sync_error: str | None = None

    def take_unrecorded(self) -> int:
        """The number of failures not yet recorded in the chain; the caller records them."""
        with self._lock:
            lost = self._failed - self._reported
            self._reported += lost
            return lost

    def record_flush(self, error: OSError | None) -> None:
        """Record whether flushing written events to disk succeeded."""
        message = f"events may not survive a power failure ({error})" if error else None
        with self._lock:
            is_new = message is not None and self._sync_error is None
            self._sync_error = message
        if is_new:
            logger.error("audit log: %s", message)

    def record_submission(self) -> None:
        with self._lock:
            self._waiting += 1

    def record_outcome(self, error: BaseException | None, lost: int) -> None:
        """Record the outcome of an event; `lost` is the count in an `audit.lost` event, else 0."""
        with self._lock:
            is_new = error is not None and str(error) != self._error
            self._waiting -= 1
            self._written += error is None
            self._failed += error is not None and not lost
            self._reported -= lost if error else 0
            self._error = str(error) if error else None
        if is_new:
            logger.error("audit events are being lost: %s", error)

    def health(self) -> AuditHealth:
        with self._lock:
            return AuditHealth(
                written=self._written,
                waiting=self._waiting,
                failed=self._failed,
                last_error=self._error or self._sync_error,
            )
