"""Reads the little of Lucene's query language that asking for a name or for words needs."""

import re

Clause = tuple[str, str]
"""A field, and the text that it must hold."""

_CLAUSE = re.compile(r'([A-Za-z_.]+):"((?:[^"\\]|\\.)*)"', re.DOTALL)


Condition = tuple[str, str, str]
"""A field, how it is compared (`:`, `>=` or `<=`), and with what."""

_CONDITION = re.compile(
    r'([A-Za-z_.]+)(:|>=|<=)("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^\s()]+)', re.DOTALL
)
_RANGE = re.compile(r"\[(\S+) TO (\S+)\]")


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
        match = _CLAUSE.match(rest)
        if match is None:
            raise NotUnderstood(f"cannot parse '{rest[:80]}'")
        clauses.append((match[1], unescaped(match[2])))
        rest = rest[match.end() :]
        if not rest:
            return clauses
        if not rest.startswith(" OR "):
            raise NotUnderstood(f"cannot parse '{rest[:80]}'")
        rest = rest.removeprefix(" OR ")


def unescaped(text: str) -> str:
    return re.sub(r"\\(.)", r"\1", text, flags=re.DOTALL)


def words_and_conditions(query: str) -> tuple[str, list[Condition]]:
    """The words that are searched for, and the fields that must hold beside them."""
    conditions = [(name, how, _value(text)) for name, how, text in _CONDITION.findall(query)]
    rest = re.sub(r"\b(?:AND|OR|NOT)\b|[()]", " ", _CONDITION.sub(" ", query))
    return " ".join(rest.split()), conditions


def _value(text: str) -> str:
    return unescaped(text[1:-1]) if text.startswith('"') else text


def in_range(number: int | None, condition: str) -> bool:
    """Whether a number lies in `[a TO b]`, where a star leaves one end open."""
    match = _RANGE.fullmatch(condition)
    if match is None:
        return str(number) == condition
    low, high = (text.strip() for text in match.groups())
    at_least = 0 if low == "*" else int(low)
    at_most = 9999 if high == "*" else int(high)
    return number is not None and at_least <= number <= at_most
