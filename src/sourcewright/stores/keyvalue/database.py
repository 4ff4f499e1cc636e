"""The SQLite files of key-value stores, recreated when foreign or broken.

A file that is broken, of another program or of another version is quarantined, never read.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Literal, TypeVar

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.stores.inventory import IdentitySql, StoreIdentity
from sourcewright.stores.sqlite import BROKEN, SqliteFile, SqliteFormat

T = TypeVar("T")

PAGE_BYTES = 4096

_format = partial(
    SqliteFormat,
    exact=True,
    text_factory=bytes,
    pragmas_on_opening=(
        "PRAGMA trusted_schema = OFF",
        "PRAGMA cell_size_check = ON",
        # Some builds overwrite deleted data with zeros by default, which fills the log.
        "PRAGMA secure_delete = FAST",
    ),
    pragmas_if_new=(
        # Must be set before the first write; lets freed pages be cut off the file.
        f"PRAGMA page_size = {PAGE_BYTES}",
        "PRAGMA auto_vacuum = INCREMENTAL",
    ),
    # An intact file of ours never causes these errors.
    recreate_after=(
        *BROKEN,
        sqlite3.SQLITE_ERROR,
        sqlite3.SQLITE_CONSTRAINT,
        sqlite3.SQLITE_MISMATCH,
    ),
)

VALUES = _format(
    application_id=0x53574B56,
    version=1,
    schema=(
        (
            "CREATE TABLE entries (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE,"
            " stored_at REAL NOT NULL, expires_at REAL, seal BLOB NOT NULL, value BLOB NOT NULL)"
        ),
        "CREATE INDEX by_age ON entries (stored_at)",
        "CREATE INDEX by_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL",
    ),
)
"""Single values, each with its own expiry."""

RECORDS = _format(
    application_id=0x53575247,
    version=1,
    schema=(
        (
            "CREATE TABLE groups (id INTEGER PRIMARY KEY, name BLOB NOT NULL UNIQUE,"
            " used_at REAL NOT NULL, expires_at REAL NOT NULL)"
        ),
        "CREATE INDEX by_expiry ON groups (expires_at)",
        (
            "CREATE TABLE records (owner INTEGER NOT NULL, name TEXT NOT NULL,"
            " checksum BLOB NOT NULL, value BLOB NOT NULL, PRIMARY KEY (owner, name))"
            " WITHOUT ROWID"
        ),
    ),
)
"""Records in groups, which expire as a whole."""

RECORDS_ID = IdentitySql(
    # Group 0 is nobody's, so that no other version of this program sees it.
    read="SELECT value FROM records WHERE owner = 0 AND name = 'identity'",
    write="INSERT INTO records (owner, name, checksum, value) VALUES (0, 'identity', x'', CAST(? AS BLOB))",
)
"""Where the id of a file of records is in it."""

Durability = Literal["process", "power"]
"""What a write survives when it has returned: the end of the process, or a loss of power too."""


def database_file(
    path: Path,
    form: SqliteFormat,
    *,
    clock: Clock,
    lock_seconds: float,
    durability: Durability | int = "process",
    identity: StoreIdentity | None = None,
) -> SqliteFile:
    """The file of a store; of a cache, if `durability` is a number: the pages of its log."""
    pragmas = ("PRAGMA journal_size_limit = 0", *_durability(durability))
    form = replace(form, pragmas=pragmas)
    return SqliteFile(path, form, lock_seconds=lock_seconds, clock=clock, identity=identity)


def _durability(durability: Durability | int) -> tuple[str, ...]:
    if isinstance(durability, int):
        # Damage by a power failure is detected on reading, and a cache may lose entries.
        return ("PRAGMA synchronous = OFF", f"PRAGMA wal_autocheckpoint = {durability}")
    # In write-ahead mode only FULL waits for the disk at every commit.
    return (f"PRAGMA synchronous = {'FULL' if durability == 'power' else 'NORMAL'}",)


class DatabaseThread:
    """One connection to a file, in a thread of its own; opened on first use."""

    def __init__(self, file: SqliteFile, *, name: str) -> None:
        self._file = file
        self._thread = ThreadPoolExecutor(1, thread_name_prefix=name)

    async def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """The result of `work`, which is done even if the caller is cancelled.

        Raises:
            StoreError: The file is closed, or could not be used.
        """
        try:
            future = self._thread.submit(self._file.run, work)
        except RuntimeError as error:
            raise StoreError(f"{self._file.path}: is closed") from error
        # Shielded: cancellation would drop a call that has not started yet.
        return await asyncio.shield(asyncio.wrap_future(future))

    async def aclose(self) -> None:
        def close() -> None:
            self._thread.shutdown()
            self._file.close()

        await asyncio.to_thread(close)
