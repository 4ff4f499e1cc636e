"""The ledger of request limits in SQLite, shared by all processes of the machine.

Rows that say nothing any more are deleted, so that their number is bounded by the requests of
the last minute and the tenants of one day. A broken file is quarantined and recreated.
"""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from sqlite3 import Connection

from sourcewright.domain.errors import LockTimeout
from sourcewright.domain.users.quotas import DAY_SECONDS, DailyQuota, RequestRate
from sourcewright.stores.sqlite import SqliteFile, SqliteFormat, write_transaction

_FORMAT = SqliteFormat(
    title="request limits",
    application_id=0x5357524C,
    version=1,
    schema=(
        "CREATE TABLE marks (name TEXT PRIMARY KEY, mark REAL NOT NULL) WITHOUT ROWID",
        "CREATE TABLE days (name TEXT PRIMARY KEY, day INTEGER, used INTEGER) WITHOUT ROWID",
    ),
    # A power failure may forget the requests of the last moments, which harms nobody.
    pragmas=("PRAGMA synchronous = OFF", "PRAGMA wal_autocheckpoint = 1000"),
    keeps_foreign=True,
)
_SWEEP_SECONDS = 30.0
_UNNOTICED_SECONDS = 1.0
"""A look at the file takes as long as a statement, and a lost second of counting harms nobody."""
_AT_ONCE = 3
"""Marks that are read by one statement; a request has at most so many rates."""


class SqliteQuotas:
    """Implements `QuotaLedger`."""

    def __init__(self, path: Path) -> None:
        self._at_once = SqliteFile(
            path, _FORMAT, lock_seconds=0.0, unnoticed_seconds=_UNNOTICED_SECONDS
        )
        self._patient = SqliteFile(path, _FORMAT)
        self._last_sweep = float("-inf")

    async def take(
        self, rates: Sequence[RequestRate], quota: DailyQuota | None, now: float
    ) -> float:
        def work(db: Connection) -> float:
            with write_transaction(db):
                if not 0 <= now - self._last_sweep < _SWEEP_SECONDS:
                    _sweep(db, now)
                    self._last_sweep = now
                return _take(db, rates, quota, now)

        return await self._run(work)

    async def wait(self, rate: RequestRate, now: float) -> float:
        return rate.wait(await self._run(lambda db: _marks(db, [rate], now)[rate]), now)

    async def _run(self, work: Callable[[Connection], float]) -> float:
        try:
            # It writes a few bytes and waits for no disk; a thread would take several times as
            # long, and every request passes here.
            return self._at_once.run(work)
        except LockTimeout:
            return await asyncio.to_thread(self._patient.run, work)

    async def aclose(self) -> None:
        self._at_once.close()
        self._patient.close()


def _take(
    db: Connection, rates: Sequence[RequestRate], quota: DailyQuota | None, now: float
) -> float:
    marks = _marks(db, rates, now)
    used = _used(db, quota, now) if quota else 0
    waits = [rate.wait(mark, now) for rate, mark in marks.items()]
    wait = max([*waits, quota.wait(used, now) if quota else 0.0])
    if wait > 0:
        return wait
    rows = [(rate.name, rate.next_mark(mark, now)) for rate, mark in marks.items()]
    db.executemany("INSERT OR REPLACE INTO marks (name, mark) VALUES (?, ?)", rows)
    if quota:
        row = (quota.name, int(now // DAY_SECONDS), used + 1)
        db.execute("INSERT OR REPLACE INTO days (name, day, used) VALUES (?, ?, ?)", row)
    return 0.0


def _marks(db: Connection, rates: Sequence[RequestRate], now: float) -> dict[RequestRate, float]:
    known: dict[str, float] = {}
    for start in range(0, len(rates), _AT_ONCE):
        names = [rate.name for rate in rates[start : start + _AT_ONCE]]
        # No rate has an empty name.
        names += [""] * (_AT_ONCE - len(names))
        known.update(db.execute("SELECT name, mark FROM marks WHERE name IN (?, ?, ?)", names))
    # A mark further ahead was written under another limit, or by a clock that was ahead.
    return {rate: min(known.get(rate.name, now), now + rate.seconds) for rate in rates}


def _used(db: Connection, quota: DailyQuota, now: float) -> int:
    query = "SELECT used FROM days WHERE name = ? AND day = ?"
    row = db.execute(query, (quota.name, int(now // DAY_SECONDS))).fetchone()
    return int(row[0]) if row else 0


def _sweep(db: Connection, now: float) -> None:
    db.execute("DELETE FROM marks WHERE mark <= ?", (now,))
    db.execute("DELETE FROM days WHERE day <> ?", (int(now // DAY_SECONDS),))
