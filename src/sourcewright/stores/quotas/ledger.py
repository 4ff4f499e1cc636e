"""The ledger of request limits in SQLite, shared by all processes of the machine.

Rows that say nothing any more are deleted, so that their number is bounded by the requests of
the last minute and the tenants of one day. A broken file is quarantined and recreated.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from sqlite3 import Connection

from sourcewright.base.errors import LockTimeout
from sourcewright.domain.users.quotas import DAY_SECONDS, DailyQuota, RequestRate
from sourcewright.stores.sqlite import SqliteFile, SqliteFormat, write_transaction

LIMITS = SqliteFormat(
    title="request limits",
    application_id=0x5357524C,
    version=2,
    # One table for rates and days: a request changes one page instead of two.
    schema=("CREATE TABLE limits (name TEXT PRIMARY KEY, used REAL, expires REAL) WITHOUT ROWID",),
    # A power failure may forget the requests of the last moments, which harms nobody.
    pragmas=("PRAGMA synchronous = OFF", "PRAGMA wal_autocheckpoint = 1000"),
    keeps_foreign=True,
)
_SWEEP_SECONDS = 30.0
_UNNOTICED_SECONDS = 1.0
"""A look at the file takes as long as a statement, and a lost second of counting harms nobody."""
_AT_ONCE = 4
"""Rows that are read by one statement; a request has at most so many limits."""


class SqliteQuotas:
    """Implements `QuotaLedger`."""

    def __init__(self, path: Path) -> None:
        self._at_once = SqliteFile(
            path, LIMITS, lock_seconds=0.0, unnoticed_seconds=_UNNOTICED_SECONDS
        )
        self._patient = SqliteFile(path, LIMITS)
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
        return rate.wait(await self._run(lambda db: _mark(_used(db, [rate.name]), rate, now)), now)

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
    day = int(now // DAY_SECONDS)
    today = f"{day} {quota.name}" if quota else ""
    known = _used(db, [*(rate.name for rate in rates), today])
    rows, wait = [], 0.0
    for rate in rates:
        mark = _mark(known, rate, now)
        wait = max(wait, rate.wait(mark, now))
        following = rate.next_mark(mark, now)
        rows.append((rate.name, following, following))
    if quota:
        used = int(known.get(today, 0))
        wait = max(wait, quota.wait(used, now))
        rows.append((today, used + 1, (day + 1) * DAY_SECONDS))
    if wait == 0.0:
        db.executemany("INSERT OR REPLACE INTO limits VALUES (?, ?, ?)", rows)
    return wait


def _used(db: Connection, names: Sequence[str]) -> dict[str, float]:
    """Return what is used of each limit: requests of a day, or the mark of a rate."""
    known: dict[str, float] = {}
    for start in range(0, len(names), _AT_ONCE):
        some = names[start : start + _AT_ONCE]
        # No limit has an empty name.
        padded = [*some, *[""] * (_AT_ONCE - len(some))]
        known.update(
            db.execute("SELECT name, used FROM limits WHERE name IN (?, ?, ?, ?)", padded)
        )
    return known


def _mark(known: Mapping[str, float], rate: RequestRate, now: float) -> float:
    # A mark further ahead was written under another limit, or by a clock that was ahead.
    return min(known.get(rate.name, now), now + rate.seconds)


def _sweep(db: Connection, now: float) -> None:
    db.execute("DELETE FROM limits WHERE NOT expires BETWEEN ? AND ?", (now, now + DAY_SECONDS))
