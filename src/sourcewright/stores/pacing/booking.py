"""Transactions of the rate limit ledger: booking a start, blocking a bucket, releasing slots.

A start is never booked ahead: a waiting request stays in a queue and polls, so that a
window counts from actual starts and not from planned ones. Rows belong to a process, and
the rows of a process that no longer runs are removed.
"""

import json
import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from sqlite3 import Connection

from sourcewright.net.pace import earliest_start, gap_of, window_of
from sourcewright.net.rate_ledger import BucketUsage, RateBucket, StartReply


def process_identity(pid: int) -> str:
    """An identifier of a process that stays unique when its process id is reused."""
    return f"{_process_namespace()}|{pid}|{_start_time(pid)}"


def has_ended(owner: str) -> bool:
    """Whether the owner has certainly ended; where that is unknown, its rows expire instead."""
    namespace, _, rest = owner.partition("|")
    pid, _, start_time = rest.partition("|")
    if not pid.isdecimal():
        return False
    own_namespace = _process_namespace()
    if namespace == own_namespace:
        return not _exists(int(pid)) or str(_start_time(int(pid))) != start_time
    # The same boot with another process namespace is another container: its state is unknown.
    return _boot_id(namespace) != _boot_id(own_namespace)


def _process_namespace() -> str:
    """The scope in which process ids are comparable: this boot and this process namespace."""
    try:
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
        return f"{boot} {Path('/proc/self/ns/pid').readlink()}"
    except OSError:
        return ""


def _boot_id(namespace: str) -> str:
    return namespace.partition(" ")[0]


def _start_time(pid: int) -> str | None:
    """The start time of the process, in the kernel's clock ticks since boot."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_bytes()
    except OSError:
        return None
    # The program's name is in parentheses and may itself contain spaces and parentheses.
    return stat.rpartition(b")")[2].split()[19].decode("ascii")


def _exists(pid: int) -> bool:
    if os.name != "posix":
        return True  # on Windows, os.kill(pid, 0) would end the process
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


_POLL_SECONDS = 0.05
_MAX_SLEEP_SECONDS = 5.0
_GRACE_SECONDS = 1.0
"""How late a waiting process may poll before later ones no longer keep its slot free."""
_PENDING_SECONDS = 2.0
"""How long a booked but unconfirmed start counts as about to happen."""
_SLOT_SECONDS = 900.0
"""Longer than any request may take; frees the slot of an owner whose state is unknown."""
_ROUNDING_SECONDS = 1e-5
"""Tolerance when comparing times."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BookingRequest:
    """A request that is to start in all these buckets at once."""

    ticket: str
    owner: str
    buckets: tuple[RateBucket, ...]


@dataclass(frozen=True, slots=True)
class _BucketState:
    """The state of one bucket for one waiting request."""

    bucket: RateBucket
    starts: list[float]
    in_flight: int
    ahead: int

    def earliest(self, now: float, *, ahead: int) -> float:
        return earliest_start(self.bucket, self.starts, ahead=ahead, now=now)

    def is_full(self, *, ahead: int) -> bool:
        at_once = self.bucket.at_once
        return at_once is not None and self.in_flight + ahead >= at_once


def book_start(db: Connection, asker: BookingRequest, now: float) -> StartReply:
    seq = _enqueue(db, asker, now)
    states = _bucket_states(db, asker.buckets, seq, now)
    hold_seconds = _hold_seconds(db, asker.buckets, now)
    start_at = max(
        [now + hold_seconds, *(state.earliest(now, ahead=state.ahead) for state in states)]
    )
    is_crowded = any(state.is_full(ahead=state.ahead) for state in states)
    if start_at <= now + _ROUNDING_SECONDS and not is_crowded:
        _grant(db, asker, now)
        return StartReply(wait=0.0)
    wait = max(start_at - now, _POLL_SECONDS if is_crowded else _ROUNDING_SECONDS)
    ready = max([now + hold_seconds, *(state.earliest(now, ahead=0) for state in states)])
    full = [state.bucket.name for state in states if state.is_full(ahead=0)]
    db.execute(
        "UPDATE queue SET ready = ?, crowded = ?, due = ? WHERE seq = ?",
        (ready, json.dumps(full), now + min(wait, _MAX_SLEEP_SECONDS), seq),
    )
    return StartReply(wait=wait, hold_seconds=hold_seconds)


def confirm_start(db: Connection, ticket: str, at: float) -> None:
    db.execute(
        "UPDATE starts SET pending = 0, forget = forget - at + :at, at = :at"
        " WHERE ticket = :ticket",
        {"at": at, "ticket": ticket},
    )


def release(db: Connection, ticket: str) -> None:
    """Release everything except a start that happened."""
    db.execute("DELETE FROM queue WHERE ticket = ?", (ticket,))
    db.execute("DELETE FROM places WHERE ticket = ?", (ticket,))
    db.execute("DELETE FROM starts WHERE ticket = ? AND pending", (ticket,))


def block_bucket(db: Connection, bucket: str, now: float, until: float) -> None:
    db.execute(
        "INSERT INTO holds VALUES (?, ?, ?) ON CONFLICT (lane) DO UPDATE"
        " SET since = excluded.since, until = max(until, excluded.until)",
        (bucket, now, until),
    )


def bucket_usage(db: Connection, bucket: RateBucket, now: float) -> BucketUsage:
    """Return how much of a bucket is in use; the ledger knows an unused bucket as empty."""
    return BucketUsage(
        starts=sum(at > now - bucket.per_seconds for at in _starts(db, bucket.name, now)),
        in_flight=_in_flight(db, bucket.name),
        hold_seconds=_hold_seconds(db, (bucket,), now),
    )


def expire_rows(db: Connection, now: float) -> None:
    """Delete expired rows, and correct times that a changed clock left in the future."""
    times = {"now": now, "soon": now + _GRACE_SECONDS, "old": now - _SLOT_SECONDS}
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


def release_ended_processes(db: Connection, own: str) -> None:
    """Release the slots and queue entries of processes that have ended."""
    owners = db.execute("SELECT owner FROM places UNION SELECT owner FROM queue").fetchall()
    for [owner] in owners:
        if owner != own and has_ended(owner):
            db.execute("DELETE FROM places WHERE owner = ?", (owner,))
            db.execute("DELETE FROM queue WHERE owner = ?", (owner,))


def _enqueue(db: Connection, asker: BookingRequest, now: float) -> int:
    names = json.dumps([bucket.name for bucket in asker.buckets])
    db.execute(
        "INSERT OR IGNORE INTO queue (ticket, owner, lanes, ready, crowded, due)"
        " VALUES (?, ?, ?, ?, '[]', ?)",
        (asker.ticket, asker.owner, names, now, now),
    )
    [seq] = db.execute("SELECT seq FROM queue WHERE ticket = ?", (asker.ticket,)).fetchone()
    return int(seq)


def _grant(db: Connection, asker: BookingRequest, now: float) -> None:
    db.execute("DELETE FROM queue WHERE ticket = ?", (asker.ticket,))
    for bucket in asker.buckets:
        forget_at = now + max(window_of(bucket), gap_of(bucket))
        start = (asker.ticket, bucket.name, now, forget_at)
        db.execute("INSERT OR REPLACE INTO starts VALUES (?, ?, ?, ?, 1)", start)
        if bucket.at_once is not None:
            slot = (asker.ticket, bucket.name, asker.owner, now)
            db.execute("INSERT OR REPLACE INTO places VALUES (?, ?, ?, ?)", slot)


def _bucket_states(
    db: Connection, buckets: tuple[RateBucket, ...], seq: int, now: float
) -> list[_BucketState]:
    ahead = _ahead(db, {bucket.name for bucket in buckets}, seq, now)
    return [
        _BucketState(
            bucket, _starts(db, bucket.name, now), _in_flight(db, bucket.name), ahead[bucket.name]
        )
        for bucket in buckets
    ]


def _ahead(db: Connection, names: set[str], seq: int, now: float) -> Counter[str]:
    """The number of earlier queue entries per bucket that could start now.

    An entry that is blocked by another bucket does not count: a slow source must not
    slow down the others that share a bucket with it.
    """
    rows = db.execute(
        "SELECT lanes, crowded FROM queue WHERE seq < ? AND ready <= ? AND due >= ?",
        (seq, now + _ROUNDING_SECONDS, now - _GRACE_SECONDS),
    )
    ready = (
        json.loads(buckets) for buckets, crowded in rows if names.issuperset(json.loads(crowded))
    )
    return Counter(name for buckets in ready for name in buckets)


def _starts(db: Connection, bucket: str, now: float) -> list[float]:
    rows = db.execute(
        "SELECT CASE WHEN pending AND at > ? THEN max(at, ?) ELSE at END AS time FROM starts"
        " WHERE lane = ? ORDER BY time",
        (now - _PENDING_SECONDS, now, bucket),
    )
    return [float(at) for [at] in rows]


def _in_flight(db: Connection, bucket: str) -> int:
    [count] = db.execute("SELECT count(*) FROM places WHERE lane = ?", (bucket,)).fetchone()
    return int(count)


def _hold_seconds(db: Connection, buckets: tuple[RateBucket, ...], now: float) -> float:
    """Seconds until the last of the buckets is no longer blocked at its source's request."""
    until = dict(db.execute("SELECT lane, until FROM holds").fetchall())
    return max(
        (max(0.0, float(until.get(bucket.name, now)) - now) for bucket in buckets), default=0.0
    )
