"""Cache of assembled sessions in memory, valid while the revision in the store is the same.

Every change writes a new revision, so reading the record of the revision tells whether a session
has to be read and decoded again.
"""

import uuid
from collections import OrderedDict
from dataclasses import replace

from sourcewright.domain.sessions import Session, SessionChange

_MAX_SESSIONS = 8


def new_revision() -> bytes:
    """A value that no other change of any process has."""
    return uuid.uuid4().bytes


class SessionCache:
    """The sessions that were used last, each with its revision."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, tuple[bytes, Session]] = OrderedDict()

    def get(self, group: str, revision: bytes | None) -> Session | None:
        """The session, if it is known as it is in this revision."""
        known, session = self._sessions.get(group, (None, None))
        if session is None or known != revision:
            return None
        self._sessions.move_to_end(group)
        return session

    def put(self, group: str, revision: bytes | None, session: Session) -> None:
        """Keep a session; one of an earlier version of this program has no revision."""
        self._sessions.pop(group, None)
        if revision is not None:
            self._sessions[group] = revision, session
            if len(self._sessions) > _MAX_SESSIONS:
                self._sessions.popitem(last=False)

    def advance(
        self, group: str, revisions: tuple[bytes | None, bytes], change: SessionChange
    ) -> None:
        """Apply a change that led from one revision to the other, if it only added steps."""
        before, after = revisions
        session = self.get(group, before)
        if session is None or change != SessionChange(head=change.head, steps=change.steps):
            self._sessions.pop(group, None)
            return
        steps = session.steps + change.steps
        self.put(group, after, replace(session, head=change.head, steps=steps))
