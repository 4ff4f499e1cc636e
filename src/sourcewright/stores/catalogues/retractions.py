"""Retraction list on disk: one SQLite file, replaced as a whole by each update."""

import asyncio
import json
import os
import secrets
import sqlite3
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from sourcewright.base.errors import StoreError
from sourcewright.domain.papers.retractions import ListedUpdate, ListStatus
from sourcewright.stores.files import make_folder, sync_folder
from sourcewright.stores.sqlite import signature

MAX_CSV_BYTES: Final = 256 * 1024 * 1024
_MAX_LINE_BYTES: Final = 1024 * 1024
RETRACTIONS: Final = (0x52_57_4C_31, 1)
"""The application id and the version of the file."""
_SCHEMA: Final = (
    """CREATE TABLE updates (
        record_id TEXT, kind TEXT NOT NULL, date TEXT, doi TEXT, pmid TEXT,
        notice_doi TEXT, notice_pmid TEXT, reasons TEXT)""",
    "CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT NOT NULL)",
)
_COLUMNS: Final = (
    "record_id",
    "kind",
    "date",
    "doi",
    "pmid",
    "notice_doi",
    "notice_pmid",
    "reasons",
)
_INDEXES: Final = (
    "CREATE INDEX by_doi ON updates (doi)",
    "CREATE INDEX by_pmid ON updates (pmid)",
    "CREATE INDEX by_notice_doi ON updates (notice_doi)",
    "CREATE INDEX by_notice_pmid ON updates (notice_pmid)",
)
_BY_DOI: Final = (
    "SELECT * FROM updates WHERE doi IN (SELECT value FROM json_each(?))",
    "SELECT * FROM updates WHERE notice_doi IN (SELECT value FROM json_each(?))",
)
_BY_PMID: Final = (
    "SELECT * FROM updates WHERE pmid IN (SELECT value FROM json_each(?))",
    "SELECT * FROM updates WHERE notice_pmid IN (SELECT value FROM json_each(?))",
)


class RetractionFile:
    """The stored list. It is opened for each question, so that an update is seen at once."""

    def __init__(self, path: Path, *, otherwise: Path | None = None) -> None:
        self.path = path
        self._otherwise = otherwise
        """A list that is used instead while it is newer, such as the user's own in a sandbox."""

    async def status(self) -> ListStatus | None:
        return await asyncio.to_thread(self._ask, _status)

    async def find(
        self, dois: Collection[str], pmids: Collection[str]
    ) -> tuple[ListedUpdate, ...] | None:
        questions = [*((one, dois) for one in _BY_DOI), *((one, pmids) for one in _BY_PMID)]

        def look_up(db: sqlite3.Connection) -> tuple[ListedUpdate, ...]:
            rows = (
                row
                for question, values in questions
                for row in db.execute(question, (json.dumps(sorted(values)),))
            )
            return tuple(dict.fromkeys(map(_update, rows)))

        return await asyncio.to_thread(self._ask, look_up)

    def replace(self, updates: Iterable[ListedUpdate], *, origin: str, now: str) -> ListStatus:
        """Write a new list, and put it in place of the old one once it is complete.

        Raises:
            StoreError: It cannot be written; the old list is unchanged.
        """
        new = self.path.with_name(f".{self.path.name}.{secrets.token_hex(4)}")
        try:
            make_folder(self.path.parent)
            os.close(os.open(new, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
            status = _write(new, updates, origin=origin, now=now)
            new.replace(self.path)
            sync_folder(self.path.parent)
        except (OSError, sqlite3.Error) as error:
            raise StoreError(
                f"the retraction list {self.path} cannot be written: {error}"
            ) from error
        finally:
            with suppress(OSError):
                new.unlink(missing_ok=True)
        return status

    def _ask(self, question: Any) -> Any:
        path = self._newest()
        if path is None:
            return None
        try:
            with closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as db:
                if signature(db) != RETRACTIONS:
                    raise StoreError(f"{path} is not a retraction list of this version; update it")
                return question(db)
        except sqlite3.Error as error:
            raise StoreError(f"the retraction list {path} cannot be read: {error}") from error

    def _newest(self) -> Path | None:
        dated = []
        for path in (self.path, self._otherwise):
            with suppress(OSError):
                if path is not None:
                    dated.append((path.stat().st_mtime_ns, path))
        return max(dated)[1] if dated else None


@contextmanager
def csv_lines(path: Path) -> Iterator[Iterator[str]]:
    """The lines of a CSV file.

    Raises:
        StoreError: It cannot be read, or is too large.
    """
    try:
        with path.open("rb") as stream:
            if not path.is_file() or os.fstat(stream.fileno()).st_size > MAX_CSV_BYTES:
                raise StoreError(f"{path} is not a regular file of at most {MAX_CSV_BYTES} bytes")
            yield decoded_lines(iter(lambda: stream.readline(_MAX_LINE_BYTES), b""))
    except OSError as error:
        raise StoreError(f"{path}: {error.strerror or 'cannot be read'}") from error


def decoded_lines(lines: Iterable[bytes]) -> Iterator[str]:
    """The lines as text; a line that is not UTF-8 is in the encoding of old spreadsheets."""
    for line in lines:
        try:
            yield line.decode()
        except UnicodeDecodeError:
            yield line.decode("cp1252", errors="replace")


def _write(path: Path, updates: Iterable[ListedUpdate], *, origin: str, now: str) -> ListStatus:
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        # A file that is not complete is never put in place, so that no journal is needed.
        for pragma in ("journal_mode = OFF", "synchronous = OFF"):
            db.execute(f"PRAGMA {pragma}")
        db.execute("BEGIN")
        for statement in _SCHEMA:
            db.execute(statement)
        db.executemany(
            "INSERT INTO updates VALUES (?, ?, ?, ?, ?, ?, ?, ?)", map(_values, updates)
        )
        for statement in _INDEXES:
            db.execute(statement)
        # Counted once: a count of all rows would take longer than any lookup.
        rows, works, newest = db.execute(
            "SELECT count(*), count(DISTINCT coalesce(doi, pmid)), max(date) FROM updates"
        ).fetchone()
        facts = {"rows": rows, "works": works, "newest": newest or ""}
        facts |= {"origin": origin, "updated_at": now}
        db.executemany("INSERT INTO about VALUES (?, ?)", facts.items())
        application_id, version = RETRACTIONS
        db.execute(f"PRAGMA application_id = {application_id}")
        db.execute(f"PRAGMA user_version = {version}")
        db.execute("COMMIT")
        status = _status(db)
    with path.open("rb") as written:
        os.fsync(written.fileno())
    return status


def _status(db: sqlite3.Connection) -> ListStatus:
    facts = dict(db.execute("SELECT name, value FROM about"))
    return ListStatus(
        rows=int(facts["rows"]),
        works=int(facts["works"]),
        updated_at=facts["updated_at"],
        newest=facts["newest"] or None,
        origin=facts["origin"],
    )


def _values(update: ListedUpdate) -> tuple[str | None, ...]:
    fields = {name: getattr(update, name) for name in _COLUMNS}
    return tuple({**fields, "reasons": json.dumps(update.reasons)}.values())


def _update(row: Sequence[str | None]) -> ListedUpdate:
    fields: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
    return ListedUpdate(**{**fields, "reasons": tuple(json.loads(fields["reasons"]))})
