"""The library index: search, recent entries, reindexing."""

import secrets
import sqlite3
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import TypeVar

from sourcewright.domain.entries import Entry
from sourcewright.domain.library import Damage, Found, Listed, Reindexed
from sourcewright.domain.ports import Clock, SystemClock
from sourcewright.stores.index import results, sync
from sourcewright.stores.index import search as asking
from sourcewright.stores.index.database import IndexFile, at_once
from sourcewright.stores.index.metadata_folder import Shelf, Stamp
from sourcewright.stores.index.sync import Told
from sourcewright.stores.ulids import new_ulid

T = TypeVar("T")

_LOOKED_AT = 200
"""Files that are compared with the index at a use, in turn."""

_LOOK_SECONDS = 1.0
_DAMAGED = "FROM entries WHERE problem IS NOT NULL"
_NAMED = 20
"""How many damaged entries are named; all are counted."""
_TRIES = 3
_NEVER = float("-inf")


class LibraryIndex:
    """Answers from the index what the metadata files say now. Every method may block.

    Raises:
        LockTimeout: Another process kept the index to itself for too long.
        StoreError: The index cannot be used, and could not be begun anew either.
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
        self._file = IndexFile(path)
        self._shelf = Shelf(folder, read, self._clock)
        self._cursor = 0
        self._looked = _NEVER

    def announce(self, key: str) -> str:
        """Say that the key's file is about to be written; gives a ticket for `settle`."""
        ticket = new_ulid(self._clock.now())
        self._file.run(lambda db: sync.announce(db, self._shelf, ticket, key))
        return ticket

    def settle(self, ticket: str, keys: Sequence[str]) -> None:
        """Index the files, which have been written or will not be."""
        self._file.run(lambda db: sync.settle(db, self._shelf, ticket, keys))

    def search(self, query: str, limit: int, *, told: Told | None = None) -> Found:
        """The best papers for a query, which may be any text."""
        return self._answer(lambda db: asking.search(db, query, limit), told)

    def known_as(self, names: Collection[str], *, told: Told | None = None) -> list[str]:
        """The keys of the papers that one of these names means, as `names_in` gives them."""
        return self._answer(lambda db: results.known_as(db, names), told)

    def recent(self, limit: int, *, told: Told | None = None) -> list[Listed]:
        """The papers that were fetched last, newest first."""
        return self._answer(lambda db: results.recent(db, limit), told)

    def damage(self) -> Damage:
        """What could not be read when it was last looked at."""

        def work(db: sqlite3.Connection) -> Damage:
            [count] = db.execute(f"SELECT count(*) {_DAMAGED}").fetchone()
            rows = db.execute(f"SELECT key, problem {_DAMAGED} ORDER BY key LIMIT ?", (_NAMED,))
            return Damage(
                count=count,
                unreadable=tuple(rows.fetchall()) if count else (),
                problem=self._shelf.whole_problem(),
            )

        return self._file.run(work)

    def reindex(self, *, told: Told | None = None) -> Reindexed:
        """Begin anew, and read every file again."""
        self._file.begin_anew()

        def work(db: sqlite3.Connection) -> Reindexed:
            sync.sweep(db, self._shelf, told or _silent)
            [papers] = db.execute("SELECT count(*) FROM entries").fetchone()
            rows = db.execute("SELECT key, problem FROM entries WHERE problem IS NOT NULL")
            unreadable = tuple(rows.fetchall())
            return Reindexed(papers=papers - len(unreadable), unreadable=unreadable)

        return self._file.run(work)

    def close(self) -> None:
        self._file.close()

    def _answer(
        self, ask: Callable[[sqlite3.Connection], tuple[T, results.Stamps]], told: Told | None
    ) -> T:
        """Ask until nothing that the answer names has changed behind our back."""

        def work(db: sqlite3.Connection) -> T:
            sync.freshen(db, self._shelf, told or _silent)
            self._look_around(db)
            answer, stamps = at_once(db, ask)
            for _ in range(_TRIES):
                stale = self._shelf.changed(stamps)
                if not stale:
                    break
                sync.refresh(db, self._shelf, stale)
                answer, stamps = at_once(db, ask)
            return answer

        return self._file.run(work)

    def _look_around(self, db: sqlite3.Connection) -> None:
        """Compare some files with the index: one changed in place leaves no other trace."""
        now = self._clock.monotonic()
        if self._cursor and now - self._looked < _LOOK_SECONDS:
            return
        if self._looked == _NEVER:
            self._cursor = _somewhere(db)
        rows = db.execute(
            "SELECT id, key, mtime, size, inode FROM entries WHERE id > ? ORDER BY id LIMIT ?",
            (self._cursor, _LOOKED_AT),
        ).fetchall()
        self._looked = now
        self._cursor = rows[-1][0] if len(rows) == _LOOKED_AT else 0
        stale = self._shelf.changed({row[1]: Stamp(*row[2:]) for row in rows})
        if stale:
            sync.refresh(db, self._shelf, stale)


def _somewhere(db: sqlite3.Connection) -> int:
    """Where to begin looking, so that many short processes together look everywhere."""
    many = db.execute("SELECT id FROM entries LIMIT 1 OFFSET ?", (_LOOKED_AT,)).fetchone()
    [last] = db.execute("SELECT max(id) FROM entries").fetchone()
    return secrets.randbelow(last) if many else 0


def _silent(_done: int, _total: int) -> None:
    """Tell nobody."""
