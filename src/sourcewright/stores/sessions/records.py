"""How a research session is divided into records: one per step, source, gap and outcome.

Every change rewrites the head, which has a constant size, and adds records of its own, so that
the 200th step costs what the first one did.
"""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeVar

from sourcewright.base.errors import StoreError
from sourcewright.base.formats.codec import JsonCodec, Undecodable
from sourcewright.domain.ports import GroupRecords
from sourcewright.domain.users.sessions import (
    Branch,
    Gap,
    Head,
    Limits,
    Outcome,
    Owner,
    Session,
    SessionChange,
    SessionSource,
    Step,
    StoredSource,
    Subject,
)

T = TypeVar("T")

HEAD, SUBJECT, REVISION = "head", "about", "revision"
_STEP, _BRANCH, _GAP, _SOURCE, _KEY, _OUTCOME = "step", "branch", "gap", "source", "key", "outcome"
_PLACE = "place"

_MAX_CACHED_BYTES = 4096
_KINDS: tuple[type, ...] = (Subject, Branch, Gap, Head, Outcome, SessionSource, Step)
_CODECS: Mapping[type, JsonCodec[Any]] = {
    kind: JsonCodec(kind, takes_older=True) for kind in _KINDS
}


class StoredParts:
    """Reads parts of a session inside an update."""

    def __init__(self, records: GroupRecords, limits: Limits) -> None:
        self._records = records
        parts = records.get([HEAD, SUBJECT])
        if HEAD not in parts or SUBJECT not in parts:
            raise limits.not_found()
        self.head = decode(Head, parts[HEAD])
        self.subject = decode(Subject, parts[SUBJECT])

    def branch(self, branch_id: str, /) -> Branch | None:
        return self._one(Branch, _hashed(_BRANCH, branch_id))

    def gap(self, number: int, /) -> Gap | None:
        return self._one(Gap, _numbered(_GAP, number))

    def step(self, branch_id: str | None, number: int, /) -> Step | None:
        place = _place(branch_id, number)
        step = self.step_at(int(self._records.get([place]).get(place, str(number))))
        is_it = step is not None and (step.branch, step.number) == (branch_id, number)
        return step if is_it else None

    def step_at(self, position: int, /) -> Step | None:
        return self._one(Step, _numbered(_STEP, position))

    def steps(self) -> list[Step]:
        names = [_numbered(_STEP, position) for position in range(1, self.head.step_count + 1)]
        values = self._records.get(names)
        return [decode(Step, values[name]) for name in names if name in values]

    def sources(self, keys: Sequence[str], /) -> dict[str, StoredSource]:
        names = {_hashed(_KEY, key): key for key in keys}
        positions = {
            names[name]: int(value) for name, value in self._records.get(list(names)).items()
        }
        values = self._records.get([_numbered(_SOURCE, one) for one in set(positions.values())])
        stored = {
            position: StoredSource(position=position, source=decode(SessionSource, value))
            for position in set(positions.values())
            if (value := values.get(_numbered(_SOURCE, position))) is not None
        }
        return {key: stored[at] for key, at in positions.items() if at in stored}

    def _one(self, kind: type[T], name: str) -> T | None:
        value = self._records.get([name]).get(name)
        return None if value is None else decode(kind, value)


def records_of(change: SessionChange) -> dict[str, bytes | None]:
    """The records that a change writes, by name; None for those that it removes."""
    removed = {_numbered(_SOURCE, position): None for position in change.removed_sources}
    return dict(_written(change)) | removed


def _written(change: SessionChange) -> Iterator[tuple[str, bytes | None]]:
    yield HEAD, encode(change.head)
    if change.subject is not None:
        yield SUBJECT, encode(change.subject)
    for step in change.steps:
        yield from _of_step(step)
    for branch in change.branches:
        yield _hashed(_BRANCH, branch.id), encode(branch)
    for gap in change.gaps:
        yield _numbered(_GAP, gap.number), encode(gap)
    for stored in change.sources:
        yield _numbered(_SOURCE, stored.position), encode(stored.source)
    for key, position in change.source_keys.items():
        yield _hashed(_KEY, key), str(position).encode()
    for slot, outcome in change.outcomes.items():
        yield _numbered(_OUTCOME, slot), encode(outcome)


def _of_step(step: Step) -> Iterator[tuple[str, bytes]]:
    yield _numbered(_STEP, step.position), encode(step)
    if step.number != step.position:
        yield _place(step.branch, step.number), str(step.position).encode()


def session_of(owner: Owner, records: Mapping[str, bytes]) -> Session:
    """Assemble a session from all of its records."""
    head = decode(Head, records[HEAD])

    def all_of(kind: type[T], prefix: str) -> tuple[T, ...]:
        # Names are sorted, and numbers in them have leading zeros.
        names = sorted(name for name in records if name.startswith(f"{prefix}/"))
        return tuple(decode(kind, records[name]) for name in names)

    outcomes = all_of(Outcome, _OUTCOME)
    # The slots are a ring: the oldest outcome is in the slot that is overwritten next.
    oldest = head.outcome_count % len(outcomes) if outcomes else 0
    return Session(
        owner=owner,
        head=head,
        subject=decode(Subject, records[SUBJECT]),
        steps=all_of(Step, _STEP),
        branches=tuple(sorted(all_of(Branch, _BRANCH), key=lambda one: one.first_step)),
        gaps=all_of(Gap, _GAP),
        sources=all_of(SessionSource, _SOURCE),
        outcomes=outcomes[oldest:] + outcomes[:oldest],
    )


def encode(value: Any) -> bytes:
    return _CODECS[type(value)].encode(value)


def decode(kind: type[T], value: bytes) -> T:
    decoded: T = (_decoded_once if len(value) <= _MAX_CACHED_BYTES else _decoded)(kind, value)
    return decoded


def _decoded(kind: type, value: bytes) -> Any:
    try:
        return _CODECS[kind].decode(value)
    except Undecodable as error:
        raise StoreError("the session was written by another version of this program") from error


# Most records never change, and every answer about a session needs all of its steps.
_decoded_once = lru_cache(maxsize=4096)(_decoded)


def _place(branch_id: str | None, number: int) -> str:
    """The name of the record with the position of a step, if that is not its number."""
    return _hashed(_PLACE, f"{number} {'' if branch_id is None else branch_id}")


def _numbered(kind: str, number: int) -> str:
    return f"{kind}/{number:06d}"


def _hashed(kind: str, text: str) -> str:
    """A name of constant length for any text."""
    return f"{kind}/{hashlib.sha256(text.encode('utf-8', 'surrogatepass')).hexdigest()}"
