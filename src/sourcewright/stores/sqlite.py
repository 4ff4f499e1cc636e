"""SQLite files shared by several processes: connecting, transactions, recovery."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sourcewright.stores.files import restrict_to_owner

LOCK_SECONDS = 5.0
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_POLL_SECONDS = 0.02


def open_database(
    place: Path | str,
    prepare: Callable[[sqlite3.Connection], None],
    *,
    lock_seconds: float = LOCK_SECONDS,
) -> sqlite3.Connection:
    """Open a connection in autocommit mode; it is closed again if `prepare` fails.

    Only the owner may access the file and its write-ahead log, whatever the umask.
    """
    if isinstance(place, Path):
        make_private(place)
    db = sqlite3.connect(
        place, timeout=lock_seconds, isolation_level=None, check_same_thread=False
    )
    with ExitStack() as on_failure:
        on_failure.callback(db.close)
        prepare(db)
        on_failure.pop_all()
    return db


def make_private(path: Path) -> None:
    """Create the file, or remove others' permissions from an existing one without opening it.

    Closing a file would release every lock that this process has on it.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        return
    # SQLite copies the database's permissions to these files only when it creates them.
    for suffix in ("", "-wal", "-shm"):
        restrict_to_owner(Path(f"{path}{suffix}"))


def use_write_ahead(db: sqlite3.Connection, *, lock_seconds: float = LOCK_SECONDS) -> None:
    # Changing the journal mode ignores the busy timeout, so retry here.
    deadline = time.monotonic() + lock_seconds
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(_POLL_SECONDS)
        else:
            return


@contextmanager
def write_transaction(db: sqlite3.Connection) -> Iterator[None]:
    """A write transaction that excludes all other writers from its start."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


def query_number(db: sqlite3.Connection, question: str) -> int:
    """The single number that a query returns, such as a pragma's value."""
    [value] = db.execute(question).fetchone()
    return int(value)


def table_count(db: sqlite3.Connection) -> int:
    return query_number(db, "SELECT count(*) FROM sqlite_master")


def signature(db: sqlite3.Connection) -> tuple[int, int]:
    """The application id and the schema version of the file."""
    return query_number(db, "PRAGMA application_id"), query_number(db, "PRAGMA user_version")


def result_code(error: sqlite3.Error, unknown: int = 0) -> int:
    """SQLite's primary result code of an error; `unknown` where it has none."""
    return int(getattr(error, "sqlite_errorcode", unknown)) & 0xFF


def quarantine(path: Path) -> None:
    """Quarantine the file by renaming it to `.broken`, replacing an earlier one.

    Raises:
        FileNotFoundError: There is none, or another process was faster.
        OSError: It cannot be renamed.
    """
    path.replace(f"{path}.broken")
    for suffix in ("-wal", "-shm"):
        Path(f"{path}{suffix}").unlink(missing_ok=True)


def inode_of(path: Path) -> tuple[int, int] | None:
    """Device and inode of the file at the path, to notice that it was recreated."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
