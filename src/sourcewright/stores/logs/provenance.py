"""The provenance log: requests to sources, their results and the licences of files.

An acknowledged row is on disk. The `canonical_digest` of a `store_write` row is the SHA-256
of the file. A `log_repaired` row records that bytes of the log were quarantined, such as a
torn last line after a crash: `canonical_digest` is then their SHA-256, `size_bytes` their
number and `store_path` the file beside the log that has them. A `log_expired` row records
that retention removed a segment. If whole rows were removed, `details` of both says which.
"""

import asyncio
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sourcewright.base.clocks import Clock, SystemClock
from sourcewright.base.errors import LogError
from sourcewright.domain.ports import ProvenanceRow
from sourcewright.stores.logs.aside import QuarantinedBytes
from sourcewright.stores.logs.chain import Body, RowFormat, printable_values, timestamp
from sourcewright.stores.logs.journal import LogSpec
from sourcewright.stores.logs.kept_files import StoredFiles
from sourcewright.stores.logs.parts import all_rows
from sourcewright.stores.logs.removals import REPAIRED, Removal
from sourcewright.stores.logs.verification import VerificationReport, verify_chain
from sourcewright.stores.logs.writer import ChainedLog

SCHEMA_VERSION = "v2"
_MASKED = ("ref", "license")
"""Texts from callers and sources, which may contain a secret."""
_ROW_FIELDS = tuple(field.name for field in fields(ProvenanceRow))
SHAPE = RowFormat(
    keys=frozenset(_ROW_FIELDS)
    | {"ts", "ts_seq", "session_id", "schema_version", "prev_hash", "this_hash"},
    hash_key="this_hash",
    event_key="event",
    time_key="ts",
    details_key="details",
    sequence_key="ts_seq",
    optional=frozenset({"sandbox", "details"}),
)


class ProvenanceLog:
    """Provenance log in a hash-chained file that several processes may share."""

    def __init__(  # noqa: PLR0913 -- each is a fact of one log, and most have a usual value
        self,
        path: Path,
        *,
        clock: Clock,
        session_id: str,
        mask: Callable[[str], str] = str,
        sandbox: bool = False,
        rotate_bytes: int = 104_857_600,
        retention_days: int = 90,
    ) -> None:
        self._clock = clock
        self._session_id = session_id
        self._mask = mask
        self._sandbox = sandbox
        self.path = path
        self.plan = LogSpec(
            shape=SHAPE,
            repaired=self._repaired,
            repaired_name=_repaired_name,
            removed=self._removed,
            rotate_bytes=rotate_bytes,
        )
        self._log = ChainedLog(path, self.plan, clock=clock, retention_days=retention_days)

    async def record(self, row: ProvenanceRow) -> None:
        """Write the row and flush it to disk; cancelling the call does not remove it.

        Raises:
            LogError: It could not be written; the caller must not continue.
            LockTimeout: Another process locked the log for too long; likewise.
        """
        await asyncio.wrap_future(self._log.submit(self._body(row)))

    def note(self, row: ProvenanceRow) -> None:
        """Queue the row without waiting; a failure to write it is not reported."""
        with suppress(LogError):
            self._log.submit(self._body(row))

    async def aclose(self) -> None:
        """Write queued rows, and accept no more."""
        await self._log.aclose()

    def _body(self, row: ProvenanceRow) -> Body:
        body = {
            "ts": timestamp(self._clock.now()),
            "session_id": self._session_id,
            "schema_version": SCHEMA_VERSION,
            **{key: printable_values(getattr(row, key)) for key in _ROW_FIELDS},
            **{
                key: printable_values(self._mask(text))
                for key in _MASKED
                if (text := getattr(row, key))
            },
        }
        return body | {"sandbox": True} if self._sandbox else body

    def _repaired(self, aside: QuarantinedBytes) -> Body:
        row = ProvenanceRow(
            event=REPAIRED,
            result="ok",
            capability="metadata",
            size_bytes=aside.size,
            store_path=aside.name,
            canonical_digest=aside.digest,
        )
        details = {"details": aside.removal.details()} if aside.removal else {}
        return {**self._body(row), **details}

    def _removed(self, event: str, removal: Removal) -> Body:
        row = ProvenanceRow(
            event=event,
            result="ok",
            capability="metadata",
            size_bytes=removal.size_bytes,
            store_path=removal.file or None,
            canonical_digest=removal.sha256,
        )
        return {**self._body(row), "details": removal.details()}


def verify(
    path: Path, *, store_root: Path | None = None, clock: Clock | None = None
) -> VerificationReport:
    """Verify every row of the log and of its rotated segments; a missing log is valid.

    With a store root, the files that `store_write` rows record are checked too.

    Raises:
        LockTimeout: A writer locked the log for too long.
        LogError: The log exists and cannot be read.
    """
    if store_root is None:
        return verify_chain(path, SHAPE, clock or SystemClock()).report()
    files = StoredFiles(store_root)
    walk = verify_chain(path, SHAPE, clock or SystemClock(), files.take)
    return walk.report(files.report())


def rows(
    path: Path,
    *,
    since: datetime | None = None,
    source: str | None = None,
    session: str | None = None,
    ref: str | None = None,
    limit: int | None = None,
) -> Iterator[dict[str, Any]]:
    """The rows that match, oldest first; with a limit, only the newest ones.

    Raises:
        LogError: A line is damaged, or the log cannot be read.
    """
    filters = {"source": source, "session_id": session, "ref": ref}
    exact = {key: value.casefold() for key, value in filters.items() if value is not None}
    matching = (
        row
        for row in all_rows(path, SHAPE, SystemClock())
        if _matches(row, exact) and (since is None or _moment(row) >= since)
    )
    return matching if limit is None else iter(deque(matching, maxlen=limit))


def _repaired_name(row: Body) -> str | None:
    return row["store_path"] if row["event"] == REPAIRED else None


def _matches(row: Mapping[str, Any], exact: Mapping[str, str]) -> bool:
    return all(str(row[key] or "").casefold() == value for key, value in exact.items())


def _moment(row: Mapping[str, Any]) -> datetime:
    """When the row was written; an invalid time counts as the earliest."""
    try:
        moment = datetime.fromisoformat(str(row["ts"]))
    except ValueError:
        return datetime.min.replace(tzinfo=UTC)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
