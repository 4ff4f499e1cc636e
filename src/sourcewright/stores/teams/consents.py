"""The store of consent: every decision of a user, in order."""

from collections.abc import Sequence
from dataclasses import dataclass

from sourcewright.domain.ports import GroupGuard, GroupRecords, RecordStore
from sourcewright.domain.users.sessions import Owner
from sourcewright.domain.users.teams import Decision, Purpose, Refusal
from sourcewright.stores.teams.records import (
    LASTING_SECONDS,
    NotPermitted,
    StoredJson,
    erase_group,
    group_name,
)

_DECISION = StoredJson(Decision)
_MAX_DECISIONS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentRecords:
    """Decisions by user; the latest one on a purpose counts."""

    records: RecordStore
    scope: str

    async def history(self, owner: Owner) -> tuple[Decision, ...]:
        """Return all decisions of a user, oldest first."""
        records = await self.records.read(self._group(owner), ttl_seconds=LASTING_SECONDS)
        return tuple(_DECISION.decode(records[name]) for name in sorted(records))

    async def record(self, owner: Owner, decision: Decision, *, first_only: bool = False) -> bool:
        """Record a decision; False if it repeats the current one, which then stays.

        With `first_only`, it is recorded only if there is none on its purpose yet.
        """
        recorded = False

        def add(records: GroupRecords) -> dict[str, bytes | None]:
            nonlocal recorded
            names = sorted(records.names())
            earlier = _decisions(records, names)
            current = latest(earlier, decision.purpose)
            recorded = current is None or not (first_only or decision.repeats(current))
            if not recorded:
                return {}
            number = int(names[-1]) + 1 if names else 1
            dropped = names[: max(0, len(names) + 1 - _MAX_DECISIONS)]
            return {f"{number:09d}": _DECISION.encode(decision), **dict.fromkeys(dropped)}

        await self.records.update(self._group(owner), add, ttl_seconds=LASTING_SECONDS)
        return recorded

    def guard(self, owner: Owner, purpose: Purpose, refusal: Refusal) -> dict[str, GroupGuard]:
        """Return the guard of an update that needs consent to a purpose when it is written."""

        def check(records: GroupRecords) -> None:
            decision = latest(_decisions(records, sorted(records.names())), purpose)
            if decision is None or not decision.granted:
                raise NotPermitted(refusal)

        return {self._group(owner): check}

    async def erase(self, owner: Owner) -> int:
        """Erase all decisions of a user; return how many there were."""
        return await erase_group(self.records, self._group(owner))

    def _group(self, owner: Owner) -> str:
        return group_name("consent", self.scope, owner.tenant, owner.user)


def _decisions(records: GroupRecords, names: Sequence[str]) -> list[Decision]:
    values = records.get(names)
    return [_DECISION.decode(values[name]) for name in names]


def latest(history: "tuple[Decision, ...] | list[Decision]", purpose: Purpose) -> Decision | None:
    """Return the current decision on a purpose; None if there was none."""
    return next((one for one in reversed(history) if one.purpose == purpose), None)
