"""Reads the little of Lucene's query language that asking for a name needs."""

import re

Clause = tuple[str, str]
"""A field, and the text that it must hold."""

_CLAUSE = re.compile(r'([A-Za-z_.]+):"((?:[^"\\]|\\.)*)"', re.DOTALL)


class NotUnderstood(ValueError):
    """The query is not of the kind that this world answers."""


def any_of(query: str) -> list[Clause]:
    """The clauses of `field:"phrase" OR field:"phrase"`.

    Raises:
        NotUnderstood: It is something else.
    """
    clauses: list[Clause] = []
    rest = query
    while True:
        found = _CLAUSE.match(rest)
        if found is None:
            raise NotUnderstood(f"cannot parse '{rest[:80]}'")
        clauses.append((found[1], unescaped(found[2])))
        rest = rest[found.end() :]
        if not rest:
            return clauses
        if not rest.startswith(" OR "):
            raise NotUnderstood(f"cannot parse '{rest[:80]}'")
        rest = rest.removeprefix(" OR ")


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)
