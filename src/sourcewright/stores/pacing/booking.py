"""Transactions of the pacing ledger: booking a start, holding, releasing.

A start is never booked ahead: whoever waits stands in a queue and asks again, so that a
window counts from when a start happened and not from when it was meant to happen.

Which process a line in the ledger belongs to, and whether that process still runs.
"""

import json
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from sourcewright.domain.ports import Lane, Turn
from sourcewright.logic.pace import earliest_start, gap_of, window_of


def identity(pid: int) -> str:
    """A process, told apart from every other that has had or will have its number."""
    return f"{_machine()}|{pid}|{_birth(pid)}"


def is_gone(owner: str) -> bool:
    """Whether the owner certainly runs no more; where that cannot be seen, time decides."""
    machine, _, rest = owner.partition("|")
    pid, _, birth = rest.partition("|")
    if not pid.isdecimal():
        return False
    here = _machine()
    if machine == here:
        return not _exists(int(pid)) or str(_birth(int(pid))) != birth
    # The same boot with other process numbers is a container beside us: not ours to judge.
    return _boot(machine) != _boot(here)


def _machine() -> str:
    """Where process numbers mean what they mean here: this boot, this process namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _boot(machine: str) -> str:
    return machine.partition(" ")[0]


def _birth(pid: int) -> str | None:
    """When the process began, in the kernel's own count."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The program's name stands in brackets and may itself hold spaces and brackets.
    return stat.rpartition(b")")[2].split()[19].decode("ascii")


def _exists(pid: int) -> bool:
    if os.name != "posix":
        return True  # asking by signal would end the process there
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


_POLL_SECONDS = 0.05
_LONGEST_SLEEP_SECONDS = 5.0
_GRACE_SECONDS = 1.0
"""How late a waiting process may be before those behind it stop keeping its slot free."""
_PENDING_SECONDS = 2.0
"""How long a booked start that nobody confirmed counts as about to happen."""
_PLACE_SECONDS = 900.0
"""Longer than any request may take; frees the place of an owner that we cannot see."""
_ROUNDING_SECONDS = 1e-5


@dataclass(frozen=True, slots=True, kw_only=True)
class Asker:
    """One who would like to start in all these lanes at once."""

    ticket: str
    owner: str
    lanes: tuple[Lane, ...]


@dataclass(frozen=True, slots=True)
class _View:
    """One lane as one asker finds it."""

    lane: Lane
    starts: list[float]
    in_flight: int
    ahead: int

    def earliest(self, now: float, *, ahead: int) -> float:
        return earliest_start(self.lane, self.starts, ahead=ahead, now=now)

    def is_full(self, *, ahead: int) -> bool:
        at_once = self.lane.at_once
        return at_once is not None and self.in_flight + ahead >= at_once


def ask(db: Connection, asker: Asker, now: float) -> Turn:
    seq = _take_number(db, asker, now)
    views = _views(db, asker.lanes, seq, now)
    held = _held(db, asker.lanes, now)
    allowed = max([now + held, *(view.earliest(now, ahead=view.ahead) for view in views)])
    crowded = any(view.is_full(ahead=view.ahead) for view in views)
    if allowed <= now + _ROUNDING_SECONDS and not crowded:
        _grant(db, asker, now)
        return Turn(wait=0.0)
    wait = max(allowed - now, _POLL_SECONDS if crowded else _ROUNDING_SECONDS)
    ready = max([now + held, *(view.earliest(now, ahead=0) for view in views)])
    full = [view.lane.name for view in views if view.is_full(ahead=0)]
    db.execute(
        "UPDATE queue SET ready = ?, crowded = ?, due = ? WHERE seq = ?",
        (ready, json.dumps(full), now + min(wait, _LONGEST_SLEEP_SECONDS), seq),
    )
    return Turn(wait=wait, held=held)


def confirm(db: Connection, ticket: str, at: float) -> None:
    db.execute(
        "UPDATE starts SET pending = 0, forget = forget - at + :at, at = :at"
        " WHERE ticket = :ticket",
        {"at": at, "ticket": ticket},
    )


def forget(db: Connection, ticket: str) -> None:
    """Give back everything but a start that happened."""
    db.execute("DELETE FROM queue WHERE ticket = ?", (ticket,))
    db.execute("DELETE FROM places WHERE ticket = ?", (ticket,))
    db.execute("DELETE FROM starts WHERE ticket = ? AND pending", (ticket,))


def hold(db: Connection, lane: str, now: float, until: float) -> None:
    db.execute(
        "INSERT INTO holds VALUES (?, ?, ?) ON CONFLICT (lane) DO UPDATE"
        " SET since = excluded.since, until = max(until, excluded.until)",
        (lane, now, until),
    )


def tidy(db: Connection, now: float) -> None:
    """Forget what is over, and pull back what a changed clock left in the future."""
    times = {"now": now, "soon": now + _GRACE_SECONDS, "old": now - _PLACE_SECONDS}
    for statement in (
        "UPDATE starts SET forget = forget - at + :now, at = :now WHERE at > :soon",
        "UPDATE places SET since = :now WHERE since > :soon",
        "UPDATE holds SET until = until - since + :now, since = :now WHERE since > :soon",
        "DELETE FROM starts WHERE forget < :now",
        "DELETE FROM places WHERE since < :old",
        "DELETE FROM queue WHERE due < :old",
        "DELETE FROM holds WHERE until <= :now",
    ):
        db.execute(statement, times)


def sweep(db: Connection, own: str) -> None:
    """Free what processes left behind that are no more."""
    owners = db.execute("SELECT owner FROM places UNION SELECT owner FROM queue").fetchall()
    for [owner] in owners:
        if owner != own and is_gone(owner):
            db.execute("DELETE FROM places WHERE owner = ?", (owner,))
            db.execute("DELETE FROM queue WHERE owner = ?", (owner,))


def _take_number(db: Connection, asker: Asker, now: float) -> int:
    names = json.dumps([lane.name for lane in asker.lanes])
    db.execute(
        "INSERT OR IGNORE INTO queue (ticket, owner, lanes, ready, crowded, due)"
        " VALUES (?, ?, ?, ?, '[]', ?)",
        (asker.ticket, asker.owner, names, now, now),
    )
    [seq] = db.execute("SELECT seq FROM queue WHERE ticket = ?", (asker.ticket,)).fetchone()
    return int(seq)


def _grant(db: Connection, asker: Asker, now: float) -> None:
    db.execute("DELETE FROM queue WHERE ticket = ?", (asker.ticket,))
    for lane in asker.lanes:
        over = now + max(window_of(lane), gap_of(lane))
        start = (asker.ticket, lane.name, now, over)
        db.execute("INSERT OR REPLACE INTO starts VALUES (?, ?, ?, ?, 1)", start)
        if lane.at_once is not None:
            place = (asker.ticket, lane.name, asker.owner, now)
            db.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)", place)


def _views(db: Connection, lanes: tuple[Lane, ...], seq: int, now: float) -> list[_View]:
    ahead = _ahead(db, {lane.name for lane in lanes}, seq, now)
    return [
        _View(lane, _starts(db, lane.name, now), _in_flight(db, lane.name), ahead[lane.name])
        for lane in lanes
    ]


def _ahead(db: Connection, names: set[str], seq: int, now: float) -> Counter[str]:
    """How many in each lane stood here before and could start now.

    One that waits for a lane of its own keeps nothing free: a slow source
    must not slow the others that share a lane with it.
    """
    rows = db.execute(
        "SELECT lanes, crowded FROM queue WHERE seq < ? AND ready <= ? AND due >= ?",
        (seq, now + _ROUNDING_SECONDS, now - _GRACE_SECONDS),
    )
    ready = (json.loads(lanes) for lanes, crowded in rows if names.issuperset(json.loads(crowded)))
    return Counter(name for lanes in ready for name in lanes)


def _starts(db: Connection, lane: str, now: float) -> list[float]:
    rows = db.execute(
        "SELECT CASE WHEN pending AND at > ? THEN max(at, ?) ELSE at END AS time FROM starts"
        " WHERE lane = ? ORDER BY time",
        (now - _PENDING_SECONDS, now, lane),
    )
    return [float(at) for [at] in rows]


def _in_flight(db: Connection, lane: str) -> int:
    [count] = db.execute("SELECT count(*) FROM places WHERE lane = ?", (lane,)).fetchone()
    return int(count)


def _held(db: Connection, lanes: tuple[Lane, ...], now: float) -> float:
    """For how long the strictest of the lanes is closed on its source's word."""
    until = dict(db.execute("SELECT lane, until FROM holds").fetchall())
    return max((max(0.0, float(until.get(lane.name, now)) - now) for lane in lanes), default=0.0)
