"""Cache of assembled sessions in memory, valid while the revision in the store is the same.

Every change writes a new revision, so reading the record of the revision tells whether a session
has to be read and decoded again.
"""

import uuid
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from sourcewright.domain.users.sessions import Session, SessionChange

_MAX_BYTES = 8 * 1024 * 1024
"""Of all sessions in memory together, as they are encoded; the newest one is kept in any case."""


def new_revision() -> bytes:
    """A value that no other change of any process has."""
    return uuid.uuid4().bytes


def size_of(records: Iterable[bytes | None]) -> int:
    """The bytes of encoded records; None for one that is removed."""
    return sum(len(record) for record in records if record is not None)


class _CachedSession(NamedTuple):
    revision: bytes
    session: Session
    size: int


class SessionCache:
    """The sessions that were used last, each with its revision."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, _CachedSession] = OrderedDict()
        self._size = 0

    def get(self, group: str, revision: bytes | None) -> Session | None:
        """The session, if it is known as it is in this revision."""
        known = self._sessions.get(group)
        if known is None or known.revision != revision:
            return None
        self._sessions.move_to_end(group)
        return known.session

    def put(self, group: str, revision: bytes | None, session: Session, size: int) -> None:
        """Keep a session of so many bytes; one of an earlier version of this program has no revision."""
        self._drop(group)
        if revision is None:
            return
        self._sessions[group] = _CachedSession(revision, session, size)
        self._size += size
        while self._size > _MAX_BYTES and len(self._sessions) > 1:
            self._drop(next(iter(self._sessions)))

    def advance(
        self,
        group: str,
        revisions: tuple[bytes | None, bytes],
        change: SessionChange,
        added_size: int,
    ) -> None:
        """Apply a change that led from one revision to the other, if it only added steps."""
        before, after = revisions
        session = self.get(group, before)
        if session is None or change != SessionChange(head=change.head, steps=change.steps):
            self._drop(group)
            return
        size = self._sessions[group].size + added_size
        steps = session.steps + change.steps
        self.put(group, after, replace(session, head=change.head, steps=steps), size)

    def _drop(self, group: str) -> None:
        known = self._sessions.pop(group, None)
        self._size -= known.size if known else 0
