"""Roles of providers: each capability declares the tools that use it."""

from collections.abc import Callable
from typing import Literal, TypeVar, get_args

Role = Literal[
    "papers", "mirror", "search", "answers", "scholar", "records", "reading", "relay", "archive"
]
"""Who uses a provider: the paper tools, the download tools alone (a mirror), the web search tools, the
tools that return a written answer or extracted fields, the tools for scholarly works, the tools for
primary records of one field (filings, cases, trials), the page reader (for one site, or as a relay
for any page), or the link check (an archive)."""

_C = TypeVar("_C", bound=type)

_ROLES: dict[type, Role] = {}


def used_for(role: Role) -> Callable[[_C], _C]:
    """Declare the role to which a capability belongs."""

    def declare(capability: _C) -> _C:
        _ROLES[capability] = role
        return capability

    return declare


def roles_of(kind: type) -> tuple[Role, ...]:
    """The roles of a class, which are those of the capabilities that it has."""
    roles = {role for capability, role in _ROLES.items() if issubclass(kind, capability)}
    return tuple(role for role in get_args(Role) if role in roles)
