"""Starts booked in a file that every process on the machine shares."""

import os
from collections.abc import Sequence
from pathlib import Path
from sqlite3 import Connection

from sourcewright.domain.ports import Lane, Turn
from sourcewright.stores.pacing import booking
from sourcewright.stores.pacing.file import LedgerFile
from sourcewright.stores.pacing.owners import identity

_LONGEST_HOLD_SECONDS = 3600.0
"""A source that asks for more is asked again after this, in case it did not mean it."""
_SWEEP_SECONDS = 1.0


class SqliteLedger:
    """Books starts, with every other process that opened the same file."""

    def __init__(self, path: Path) -> None:
        self._file = LedgerFile(path)
        self._owner = identity(os.getpid())
        self._swept = float("-inf")

    def ask(self, ticket: str, lanes: Sequence[Lane], now: float) -> Turn:
        asker = booking.Asker(ticket=ticket, owner=self._owner, lanes=tuple(lanes))

        def work(db: Connection) -> Turn:
            booking.tidy(db, now)
            if not 0 <= now - self._swept < _SWEEP_SECONDS:
                booking.sweep(db, self._owner)
                self._swept = now
            return booking.ask(db, asker, now)

        return self._file.run(work)

    def started(self, ticket: str, at: float) -> None:
        self._file.run(lambda db: booking.confirm(db, ticket, at))

    def leave(self, ticket: str) -> None:
        self._file.run(lambda db: booking.forget(db, ticket))

    def hold(self, lane: str, seconds: float, now: float) -> None:
        until = now + min(max(seconds, 0.0), _LONGEST_HOLD_SECONDS)
        self._file.run(lambda db: booking.hold(db, lane, now, until))

    def close(self) -> None:
        self._file.close()
