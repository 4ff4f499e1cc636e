"""SQLite files shared by several processes: connecting, transactions, recovery."""

import os
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from sourcewright.stores.files import keep_private

LOCK_SECONDS = 5.0
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_PAUSE_SECONDS = 0.02


def opened(
    place: Path | str,
    prepare: Callable[[sqlite3.Connection], None],
    *,
    lock_seconds: float = LOCK_SECONDS,
) -> sqlite3.Connection:
    """A connection that begins no transaction by itself, closed again where preparing it fails.

    The file is its owner's alone, whatever the process's mask says, and so is its log.
    """
    if isinstance(place, Path):
        make_private(place)
    db = sqlite3.connect(
        place, timeout=lock_seconds, isolation_level=None, check_same_thread=False
    )
    with ExitStack() as unless_ready:
        unless_ready.callback(db.close)
        prepare(db)
        unless_ready.pop_all()
    return db


def make_private(path: Path) -> None:
    """Make the file, or keep others from reading one that is there; it is never opened for that.

    Closing a file releases every lock that this process has on it.
    """
    with suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
        return
    # SQLite gives its own files the permissions of the database, but only when it makes them.
    for tail in ("", "-wal", "-shm"):
        keep_private(Path(f"{path}{tail}"))


def use_write_ahead(db: sqlite3.Connection, *, lock_seconds: float = LOCK_SECONDS) -> None:
    # Changing the mode does not wait for a lock as everything else does.
    patience = time.monotonic() + lock_seconds
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError:
            if time.monotonic() > patience:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return


@contextmanager
def writing(db: sqlite3.Connection) -> Iterator[None]:
    """One change that happens whole or not at all, with every other writer kept out."""
    with db:
        db.execute("BEGIN IMMEDIATE")
        yield


def number(db: sqlite3.Connection, question: str) -> int:
    """The one number that a question has for an answer, such as a pragma."""
    [answer] = db.execute(question).fetchone()
    return int(answer)


def tables(db: sqlite3.Connection) -> int:
    return number(db, "SELECT count(*) FROM sqlite_master")


def signature(db: sqlite3.Connection) -> tuple[int, int]:
    """Whose file it is, and of which version."""
    return number(db, "PRAGMA application_id"), number(db, "PRAGMA user_version")


def code_of(error: sqlite3.Error, unknown: int = 0) -> int:
    """The error's kind, one of SQLite's primary result codes; `unknown` where it has none."""
    return int(getattr(error, "sqlite_errorcode", unknown)) & 0xFF


def set_aside(path: Path) -> None:
    """Keep the file under another name, in place of one that was kept so before.

    Raises:
        FileNotFoundError: There is none, or another process was quicker.
        OSError: It has to stay.
    """
    path.replace(f"{path}.broken")
    for tail in ("-wal", "-shm"):
        Path(f"{path}{tail}").unlink(missing_ok=True)


def inode_of(path: Path) -> tuple[int, int] | None:
    """Which file the path means now, to notice that it was begun anew."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
