"""The caller of the current request: its tenant and user, as the front end has verified them.

Whoever needs to know whose data a call may use asks here, and nowhere else: no argument of a
tool names a tenant or a user.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass

from sourcewright.domain.users.sessions import Owner


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who makes a request, and from where."""

    owner: Owner
    address: str | None = None
    """The network address of the client; None on stdio and at the terminal."""
    request_id: str | None = None
    scopes: frozenset[str] | None = None
    """What its token allows; None if scopes are not enforced."""

    def may_call(self, tool: str) -> bool:
        """Whether the scopes allow a tool."""
        allowing = {"research", "tool:*", f"tool:{tool}"}
        return self.scopes is None or not allowing.isdisjoint(self.scopes)


current_caller: ContextVar[Caller | None] = ContextVar("current_caller", default=None)


@contextmanager
def calling_as(caller: Caller) -> Iterator[None]:
    """Make everything inside, and every task that it starts, act for this caller."""
    token = current_caller.set(caller)
    try:
        yield
    finally:
        current_caller.reset(token)
