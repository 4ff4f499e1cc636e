"""SQLite files shared by several processes: write-ahead log, schema, recovery."""

import logging
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import LockTimeout, ResearchError, SchemaTooNew, StoreError
from sourcewright.stores.files import inode_of, make_folder, restrict_to_owner
from sourcewright.stores.inventory import StoreIdentity
from sourcewright.stores.locks import locked

T = TypeVar("T")

logger = logging.getLogger(__name__)

LOCK_SECONDS = 5.0
BUSY = (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)
BROKEN = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)

_MAX_TRIES = 3
_POLL_SECONDS = 0.02


class _Foreign(sqlite3.DatabaseError):
    """A database of another program, or of another version of ours."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SqliteFormat:
    """What a file contains, and what is done about one that is foreign or damaged."""

    application_id: int
    version: int
    schema: tuple[str, ...]
    title: str = ""
    """What it is, in messages."""
    pragmas_on_opening: tuple[str, ...] = ()
    """Executed before anything is read."""
    pragmas_if_new: tuple[str, ...] = ()
    """Executed before the first write."""
    pragmas: tuple[str, ...] = ()
    configure: Callable[[sqlite3.Connection], None] | None = None
    """Called on each new connection, for settings that depend on the file."""
    text_factory: type[str] | type[bytes] = str
    exact: bool = False
    """Whether a file with other tables than those of the schema is foreign."""
    keeps_foreign: bool = False
    """Whether a foreign file is refused and left untouched, and not recreated."""
    recreate_after: tuple[int, ...] = BROKEN
    """Result codes after which the file is quarantined and recreated."""
    use_memory_after: tuple[int, ...] = ()
    """Result codes after which this process uses a database in memory; empty for never."""
    when_locked: type[ResearchError] = LockTimeout

    def create(self, db: sqlite3.Connection) -> None:
        for statement in self.schema:
            db.execute(statement)
        db.execute(f"PRAGMA application_id = {self.application_id}")
        db.execute(f"PRAGMA user_version = {self.version}")


class SqliteFile:
    """Runs one function at a time on a file that is opened on first use, and recovered if broken.

    With a clock, other processes are excluded by a lock file while it is opened or recreated.
    """

    def __init__(
        self,
        path: Path,
        form: SqliteFormat,
        *,
        lock_seconds: float = LOCK_SECONDS,
        clock: Clock | None = None,
        unnoticed_seconds: float = 0.0,
        identity: StoreIdentity | None = None,
    ) -> None:
        """For `unnoticed_seconds` another process may recreate the file without being noticed."""
        self._identity = identity
        self.path = path
        self._form = form
        self._name = f"{form.title} {path}".strip()
        self._lock_seconds = lock_seconds
        self._clock = clock
        self._lock = threading.RLock()
        self._db: sqlite3.Connection | None = None
        self._inode: tuple[int, int] | None = None
        self._unnoticed_seconds = unnoticed_seconds
        self._trusted_until = float("-inf")
        self._in_memory = False

    def run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run the function, again if the file had to be reopened or recreated.

        Raises:
            LockTimeout: Another process locked the file for too long.
            SchemaTooNew: A newer version of this program wrote it, and it is kept.
            StoreError: It cannot be used.
        """
        with self._lock:
            for _ in range(_MAX_TRIES):
                try:
                    return work(self._connected())
                except sqlite3.Error as error:
                    failure = error
                    self._recover(error)
            raise self._unusable(failure) from failure

    def was_there(self) -> bool:
        """Whether the inventory knows the file, whether it is there or not."""
        return self._identity is not None and self._identity.is_known()

    def discard(self) -> None:
        """Quarantine the file, so that the next use recreates it."""
        with self._lock:
            self.close()
            self._inode = inode_of(self.path)
            try:
                self._quarantine()
            except OSError as error:
                self._fall_back(error)

    def close(self) -> None:
        with self._lock:
            if self._db is not None:
                with suppress(sqlite3.Error):
                    self._db.close()
            self._db = None

    def _recover(self, error: sqlite3.Error) -> None:
        self.close()
        # Python itself reports text that cannot be decoded, without a code.
        undecodable = isinstance(error, sqlite3.OperationalError)
        code = result_code(error, sqlite3.SQLITE_CORRUPT if undecodable else 0)
        if code in BUSY:
            raise self._form.when_locked(f"{self._name}: locked for too long") from error
        if code in self._form.use_memory_after:
            self._fall_back(error)
        elif code in self._form.recreate_after or isinstance(error, _Foreign):
            logger.warning("%s is quarantined and recreated: %s", self._name, error)
            try:
                self._quarantine()
            except OSError as failure:
                self._fall_back(failure)

    def _quarantine(self) -> None:
        with self._exclusive(), suppress(FileNotFoundError):
            # Another process may already have done it, and be using the new file.
            if inode_of(self.path) == self._inode:
                quarantine(self.path)

    def _fall_back(self, error: Exception) -> None:
        """Use a database in memory from now on, or fail if that is not allowed."""
        if not self._form.use_memory_after:
            raise self._unusable(error) from error
        logger.warning("%s is not usable, so it is kept in memory: %s", self._name, error)
        self._in_memory = True

    def _connected(self) -> sqlite3.Connection:
        # If another process recreated the file, ours is one that no one else uses.
        if self._db is not None and (self._in_memory or self._is_current()):
            return self._db
        self.close()
        if not self._in_memory:
            try:
                self._db = self._open()
            except OSError as error:
                self._fall_back(error)
            else:
                return self._db
        self._db = open_database(":memory:", self._prepare)
        return self._db

    def _is_current(self) -> bool:
        """Whether the file is the one that was opened, as far as it has to be known."""
        now = time.monotonic()
        if now < self._trusted_until:
            return True
        self._trusted_until = now + self._unnoticed_seconds
        return inode_of(self.path) == self._inode

    def _open(self) -> sqlite3.Connection:
        make_folder(self.path.parent)
        # Locked, so that no process quarantines the file, and deletes its log, while it is opened.
        with self._exclusive():
            if self._identity and not self.path.exists():
                self._identity.check_new()
            make_private(self.path)
            self._inode = inode_of(self.path)
            return open_database(self.path, self._prepare, lock_seconds=self._lock_seconds)

    def _prepare(self, db: sqlite3.Connection) -> None:
        form = self._form
        db.text_factory = form.text_factory
        _execute(db, form.pragmas_on_opening)
        if self._is_new(db):
            if self._identity:
                self._identity.check_new()
            _execute(db, form.pragmas_if_new)
        use_write_ahead(db, lock_seconds=self._lock_seconds)
        _execute(db, form.pragmas)
        if not table_count(db):
            self._create(db)
        if self._identity:
            self._identity.confirm(db)
        if form.configure is not None:
            form.configure(db)

    def _create(self, db: sqlite3.Connection) -> None:
        """Create the schema. Only a new file is written: opening must not wait for writers."""
        with write_transaction(db):
            # Another process may have created the schema meanwhile.
            if not table_count(db):
                self._form.create(db)

    def _is_new(self, db: sqlite3.Connection) -> bool:
        """Whether the file is empty; raises if it is neither empty nor ours."""
        form = self._form
        # In one transaction: another process may be creating the schema right now.
        with _read_transaction(db):
            tables, (owner, version) = table_definitions(db), signature(db)
        if not tables and (owner, version) == (0, 0):
            return True
        if form.keeps_foreign and owner != form.application_id:
            raise StoreError(f"{self._name}: it belongs to another program")
        if form.keeps_foreign and version > form.version:
            raise SchemaTooNew(f"{self._name}: written by a newer version")
        if (owner, version) != (form.application_id, form.version):
            raise _Foreign("it belongs to another program or another version")
        if form.exact and tables != set(form.schema):
            raise _Foreign("its tables are not those of this program")
        return False

    def _exclusive(self) -> AbstractContextManager[None]:
        if self._clock is None:
            return nullcontext()
        lock = Path(f"{self.path}.lock")
        return locked(lock, clock=self._clock, limit_seconds=self._lock_seconds)

    def _unusable(self, error: Exception) -> StoreError:
        return StoreError(f"{self._name}: not usable ({error})")


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
        except sqlite3.OperationalError as error:
            if result_code(error) not in BUSY or time.monotonic() > deadline:
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


def in_read_transaction(db: sqlite3.Connection, ask: Callable[[sqlite3.Connection], T]) -> T:
    """Run several queries in one read transaction, so that they see the same state."""
    with _read_transaction(db):
        return ask(db)


@contextmanager
def _read_transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN")
    try:
        yield
    finally:
        with suppress(sqlite3.Error):
            db.execute("COMMIT")


def query_number(db: sqlite3.Connection, question: str) -> int:
    """The single number that a query returns, such as a pragma's value."""
    [value] = db.execute(question).fetchone()
    return int(value)


def table_count(db: sqlite3.Connection) -> int:
    return query_number(db, "SELECT count(*) FROM sqlite_master")


def table_definitions(db: sqlite3.Connection) -> set[str]:
    """The statements that created the tables and indexes."""
    rows = db.execute("SELECT CAST(sql AS BLOB) FROM sqlite_master WHERE sql IS NOT NULL")
    return {sql.decode("utf-8", "replace") for [sql] in rows}


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


def _execute(db: sqlite3.Connection, statements: tuple[str, ...]) -> None:
    for statement in statements:
        db.execute(statement)
