"""Parses a small part of Lucene's query syntax: fields, phrases, ranges and words."""

import re

Clause = tuple[str, str]
"""A field, and the text that it must contain."""

_CLAUSE = re.compile(r'([A-Za-z_.]+):"((?:[^"\\]|\\.)*)"', re.DOTALL)


Condition = tuple[str, str, str]
"""A field, the operator (`:`, `>=` or `<=`), and the value."""

_CONDITION = re.compile(
    r'([A-Za-z_.]+)(:|>=|<=)("(?:[^"\\]|\\.)*"|\[[^\]]*\]|[^\s()]+)', re.DOTALL
)
_RANGE = re.compile(r"\[(\S+) TO (\S+)\]")


class NotUnderstood(ValueError):
    """The query uses syntax that this parser does not support."""


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
    """The search words, and the conditions on fields."""
    conditions = [(name, how, _value(text)) for name, how, text in _CONDITION.findall(query)]
    rest = re.sub(r"\b(?:AND|OR|NOT)\b|[()]", " ", _CONDITION.sub(" ", query))
    return " ".join(rest.split()), conditions


def _value(text: str) -> str:
    return unescaped(text[1:-1]) if text.startswith('"') else text


def in_range(number: int | None, condition: str) -> bool:
    """Whether a number is in `[a TO b]`; a star leaves one end open."""
    match = _RANGE.fullmatch(condition)
    if match is None:
        return str(number) == condition
    low, high = (text.strip() for text in match.groups())
    at_least = 0 if low == "*" else int(low)
    at_most = 9999 if high == "*" else int(high)
    return number is not None and at_least <= number <= at_most
