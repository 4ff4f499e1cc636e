"""Search operators: a query's filters in an engine's syntax, and those it does not support.

Puts a name into a query of Lucene's kind so that nothing in it can change the query.
Makes a query fit into what an engine takes.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from sourcewright.domain.errors import BadAnswer
from sourcewright.domain.queries import Query
from sourcewright.logic.text.words import PARTS

OPERATORS = frozenset({"sites", "exact_terms", "exclude_terms"})
"""Filters that an engine with Google's operators honours inside the text of a query."""


def with_operators(query: Query, *, without: Collection[str] = ()) -> str:
    """The text of a query with its filters as operators, but for those that go another way."""
    parts = [query.text]
    exact = _unquoted(query.exact_terms or "")
    if exact and "exact_terms" not in without:
        parts.append(f'"{exact}"')
    if query.exclude_terms and "exclude_terms" not in without:
        parts += [f"-{term}" for term in _excluded(query.exclude_terms)]
    if query.sites and "sites" not in without:
        sites = " OR ".join(f"site:{site}" for site in query.sites)
        parts.append(f"({sites})" if len(query.sites) > 1 else sites)
    return " ".join(parts)


def ignored_by(query: Query, honoured: Collection[str]) -> tuple[str, ...]:
    """The filters that are set and not among those that an engine honours."""
    return tuple(name for name in query.filters() if name not in honoured)


def given(**params: str | None) -> dict[str, str]:
    """Those parameters of a request that have a value."""
    return {name: value for name, value in params.items() if value}


def _excluded(text: str) -> Iterator[str]:
    """Words one by one, and phrases in quotation marks as such."""
    for phrase, word in PARTS.findall(text):
        if words := phrase.split():
            yield f'"{" ".join(words)}"'
        elif bare := word.lstrip("-+"):
            yield bare


def within(text: str, most: int, *, source: str) -> str:
    """The text as it is, for an engine whose answer to a shorter one would mislead.

    Raises:
        BadAnswer: It is longer than the engine takes.
    """
    if len(text) > most:
        detail = f"takes {most} characters at most, and the query has {len(text)}"
        raise BadAnswer(source, detail, cause="shape")
    return text


def _unquoted(text: str) -> str:
    """A caller's quotation marks would end ours."""
    return " ".join(text.replace('"', " ").split())


def phrase(text: str, *, also: str = "") -> str:
    """The text as a quoted phrase; within one, only quotes and backslashes have a meaning.

    `also` names further characters that a source wants escaped wherever they stand.
    """
    special = '"\\' + also
    return '"' + "".join(f"\\{char}" if char in special else char for char in text) + '"'


def crowds_out(query: Query, most: int) -> bool:
    """Whether the operators leave words that must be cut less than a third of the room."""
    over = len(with_operators(query)) - most
    return over > 0 and len(query.text) - over < most // 3


def fitted(query: Query, most: int, *, without: Collection[str] = ()) -> str:
    """The text with its operators in at most so many characters; words go, operators stay."""
    whole = with_operators(query, without=without)
    over = len(whole) - most
    if over <= 0:
        return whole
    room = max(len(query.text) - over, 0)
    kept, rest = query.text[:room], query.text[room:]
    if " " in kept.strip() and not rest[:1].isspace():  # the last word is cut in two
        kept = kept.rsplit(maxsplit=1)[0]
    return with_operators(replace(query, text=kept.strip()), without=without)[:most]
