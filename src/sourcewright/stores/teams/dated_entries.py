"""Entries that expire one by one after a retention time: memories, contributions.

The entries of one day are a group of records, which the store deletes when the last of them has
expired, also if nobody uses it again. There is no index: the groups follow from the days.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from sourcewright.base.clocks import Clock
from sourcewright.base.errors import StoreError
from sourcewright.domain.ports import NO_GUARDS, GroupGuard, GroupRecords, RecordStore
from sourcewright.stores.teams.records import StoredJson, group_name

T = TypeVar("T")

_DAY_SECONDS = 86_400
MAX_RETENTION_DAYS = 3660
"""The longest retention that the settings allow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DatedEntries(Generic[T]):
    """Lists of entries, each list under a key."""

    records: RecordStore
    subject: str
    form: StoredJson[T]
    clock: Clock
    scope: str
    keep_seconds: float
    most: int
    """The maximum number of entries in one list."""

    async def add(
        self,
        key: Sequence[str],
        entry_id: str,
        entry: T,
        *,
        guards: Mapping[str, GroupGuard] = NO_GUARDS,
    ) -> bool:
        """Add an entry; False if the list is full. It is on the disk when this returns.

        The guards are those of `RecordStore.update`.
        """
        now = self.clock.now()
        day = _day(now)
        if await self._count(key, now) >= self.most:
            return False
        name = f"{int(now * 1_000_000):017d}-{entry_id}"
        value = self.form.encode(entry)

        def write(records: GroupRecords) -> dict[str, bytes | None]:
            if name in records.get([name]):
                raise StoreError(f"there is an entry {entry_id} already")
            return {name: value}

        await self.records.update(
            self._group(key, day),
            write,
            ttl_seconds=self._seconds_left(day, now),
            guards=guards,
        )
        return True

    async def entries(self, key: Sequence[str], *, whole: bool = False) -> list[T]:
        """Return the entries that have not expired, newest first.

        If `whole`, also those that were written while the clock was ahead, which takes longer.
        """
        now = self.clock.now()
        oldest = f"{max(0, int((now - self.keep_seconds) * 1_000_000)):017d}"
        live_entries: list[T] = []
        for day in await self._days(key, now, whole=whole):
            # The time to live stays what it was, but a changed key is applied.
            records = await self.records.read(
                self._group(key, day), ttl_seconds=self._seconds_left(day, now)
            )
            live = sorted((name for name in records if name > oldest), reverse=True)
            live_entries += [self.form.decode(records[name]) for name in live]
        return live_entries

    async def remove(self, key: Sequence[str], ids: Collection[str]) -> int:
        """Remove entries by their ids; return how many there were."""
        now, removed = self.clock.now(), 0
        for day in await self._days(key, now, whole=True):
            group = self._group(key, day)
            names = [n for n in await self.records.names(group) if n.partition("-")[2] in ids]
            if names:
                await self._remove_names(group, names, self._seconds_left(day, now))
            removed += len(names)
        return removed

    async def erase(self, key: Sequence[str]) -> int:
        """Remove every entry, also without the encryption key; return how many there were."""
        today = _day(self.clock.now())
        days = range(today - MAX_RETENTION_DAYS, today + MAX_RETENTION_DAYS)
        groups = [self._group(key, day) for day in days]
        present = list(await self.records.times(groups))
        count = sum([len(await self.records.names(group)) for group in present])
        await self.records.delete(present)
        return count

    async def _remove_names(self, group: str, names: Sequence[str], ttl_seconds: float) -> None:
        await self.records.update(group, lambda _: dict.fromkeys(names), ttl_seconds=ttl_seconds)

    async def _count(self, key: Sequence[str], now: float) -> int:
        groups = [self._group(key, day) for day in await self._days(key, now)]
        return sum([len(await self.records.names(group)) for group in groups])

    async def _days(self, key: Sequence[str], now: float, *, whole: bool = False) -> list[int]:
        """Return the days that have entries within the retention time, the latest first."""
        first = _day(now - self.keep_seconds)
        # A clock that was set back must not hide what was written before.
        end = _day(now) + (MAX_RETENTION_DAYS if whole else 2)
        groups = {self._group(key, day): day for day in range(first, end)}
        return sorted(
            (groups[one] for one in await self.records.times(list(groups))), reverse=True
        )

    def _seconds_left(self, day: int, now: float) -> float:
        """Return how long the group of a day lives from now on: until its last entry expires."""
        return max(1.0, (day + 1) * _DAY_SECONDS + self.keep_seconds - now)

    def _group(self, key: Sequence[str], day: int) -> str:
        return group_name(self.subject, self.scope, *key, day)


def _day(seconds: float) -> int:
    return int(seconds // _DAY_SECONDS)
