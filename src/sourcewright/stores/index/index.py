"""The library index: search, recent entries, reindexing, damage report."""

import secrets
import sqlite3
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from sourcewright.base.clocks import Clock, SystemClock
from sourcewright.domain.papers.library import (
    LabelCount,
    Labels,
    LibraryResults,
    PaperPage,
    ReindexResult,
    UnreadableEntries,
)
from sourcewright.references.entries import Entry
from sourcewright.stores.files import FileStamp
from sourcewright.stores.index import results, sync
from sourcewright.stores.index import search as asking
from sourcewright.stores.index.database import index_file
from sourcewright.stores.index.metadata_folder import MetadataFolder
from sourcewright.stores.index.sync import ProgressCallback
from sourcewright.stores.sqlite import in_read_transaction
from sourcewright.stores.ulids import new_ulid

T = TypeVar("T")

_CHECKED_AT_ONCE = 200
"""How many files are compared with the index at a time, in rotation."""

_CHECK_SECONDS = 1.0
_DAMAGED = "FROM entries WHERE problem IS NOT NULL"
_MAX_LISTED = 20
"""How many damaged entries are listed; all are counted."""
_MAX_TRIES = 3
_NEVER = float("-inf")


class LibraryIndex:
    """Queries the index after bringing it up to date with the metadata files. Methods block.

    Raises:
        LockTimeout: Another process locked the index for too long.
        StoreError: The index cannot be used, and could not be recreated either.
    """

    def __init__(
        self,
        path: Path,
        folder: Path,
        *,
        read: Callable[[str], Entry | None],
        clock: Clock | None = None,
    ) -> None:
        self._clock = clock or SystemClock()
        self._file = index_file(path)
        self._shelf = MetadataFolder(folder, read, self._clock)
        self._cursor = 0
        self._last_check = _NEVER

    def announce(self, key: str) -> str:
        """Announce that the key's file is about to be written; return a ticket for `index_announced`."""
        ticket = new_ulid(self._clock.now())
        self._file.run(lambda db: sync.announce(db, self._shelf, ticket, key))
        return ticket

    def index_announced(self, ticket: str, keys: Sequence[str]) -> None:
        """Index the announced files after the write has ended, successfully or not."""
        self._file.run(lambda db: sync.index_announced(db, self._shelf, ticket, keys))

    def search(
        self,
        query: str,
        limit: int,
        *,
        offset: int = 0,
        report: ProgressCallback | None = None,
    ) -> LibraryResults:
        """The best matches for a query, which may be any text."""

        def work(db: sqlite3.Connection) -> tuple[LibraryResults, results.Stamps]:
            answer, stamps = asking.search(db, query, offset + limit)
            page = answer.hits[offset:]
            return replace(answer, hits=page), {h.paper.key: stamps[h.paper.key] for h in page}

        return self._answer(work, report)

    def find_by_identifiers(
        self, names: Collection[str], *, report: ProgressCallback | None = None
    ) -> list[str]:
        """The keys of the papers that have one of these identifiers, as `names_in` returns them."""
        return self._answer(lambda db: results.keys_with_names(db, names), report)

    def find_shared_identifiers(
        self, *, report: ProgressCallback | None = None
    ) -> list[tuple[str, ...]]:
        """Groups of papers that have an identifier in common; one paper may be in several."""
        return self._answer(lambda db: (results.keys_sharing_names(db), {}), report)

    def recent(
        self,
        limit: int,
        *,
        offset: int = 0,
        labels: Labels = Labels(),  # noqa: B008 -- it cannot be changed
        report: ProgressCallback | None = None,
    ) -> PaperPage:
        """The most recently fetched papers with these labels, newest first."""
        return self._answer(lambda db: results.recent(db, limit, offset, labels), report)

    def labels(self, *, report: ProgressCallback | None = None) -> list[LabelCount]:
        """Every tag, and then every collection, with the number of papers that have it."""
        return self._answer(lambda db: (results.label_counts(db), {}), report)

    def damage(self) -> UnreadableEntries:
        """The files that could not be read when they were last checked."""

        def work(db: sqlite3.Connection) -> UnreadableEntries:
            [count] = db.execute(f"SELECT count(*) {_DAMAGED}").fetchone()
            rows = db.execute(
                f"SELECT key, problem {_DAMAGED} ORDER BY key LIMIT ?", (_MAX_LISTED,)
            )
            return UnreadableEntries(
                count=count,
                unreadable=tuple(rows.fetchall()) if count else (),
                problem=self._shelf.whole_problem(),
            )

        return self._file.run(work)

    def reindex(self, *, report: ProgressCallback | None = None) -> ReindexResult:
        """Recreate the index and read every file again."""
        self._file.discard()

        def work(db: sqlite3.Connection) -> ReindexResult:
            sync.scan_all(db, self._shelf, report or _no_progress)
            [papers] = db.execute("SELECT count(*) FROM entries").fetchone()
            rows = db.execute("SELECT key, problem FROM entries WHERE problem IS NOT NULL")
            unreadable = tuple(rows.fetchall())
            return ReindexResult(papers=papers - len(unreadable), unreadable=unreadable)

        return self._file.run(work)

    def close(self) -> None:
        self._file.close()

    def _answer(
        self,
        query: Callable[[sqlite3.Connection], tuple[T, results.Stamps]],
        report: ProgressCallback | None,
    ) -> T:
        """Query, and repeat while files of the result have changed since they were indexed."""

        def work(db: sqlite3.Connection) -> T:
            sync.update_index(db, self._shelf, report or _no_progress)
            self._check_some_files(db)
            answer, stamps = in_read_transaction(db, query)
            for _ in range(_MAX_TRIES):
                stale = self._shelf.changed(stamps)
                if not stale:
                    break
                sync.refresh(db, self._shelf, stale)
                answer, stamps = in_read_transaction(db, query)
            return answer

        return self._file.run(work)

    def _check_some_files(self, db: sqlite3.Connection) -> None:
        """Compare some files with the index: a file changed in place is detected only so."""
        now = self._clock.monotonic()
        if self._cursor and now - self._last_check < _CHECK_SECONDS:
            return
        if self._last_check == _NEVER:
            self._cursor = _random_start(db)
        rows = db.execute(
            "SELECT id, key, mtime, size, inode FROM entries WHERE id > ? ORDER BY id LIMIT ?",
            (self._cursor, _CHECKED_AT_ONCE),
        ).fetchall()
        self._last_check = now
        self._cursor = rows[-1][0] if len(rows) == _CHECKED_AT_ONCE else 0
        stale = self._shelf.changed({row[1]: FileStamp(*row[2:]) for row in rows})
        if stale:
            sync.refresh(db, self._shelf, stale)


def _random_start(db: sqlite3.Connection) -> int:
    """A random first id, so that many short-lived processes together check all files."""
    is_large = db.execute(
        "SELECT id FROM entries LIMIT 1 OFFSET ?", (_CHECKED_AT_ONCE,)
    ).fetchone()
    [last] = db.execute("SELECT max(id) FROM entries").fetchone()
    return secrets.randbelow(last) if is_large else 0


def _no_progress(_done: int, _total: int) -> None:
    """Report no progress."""
