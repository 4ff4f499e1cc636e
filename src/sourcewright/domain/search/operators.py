"""Search operators: a query's filters in an engine's syntax, and those it does not support.

Also quotes phrases for Lucene-style queries, and shortens queries to an engine's limit.
"""

from collections.abc import Collection, Iterator
from dataclasses import replace

from sourcewright.base.errors import BadAnswer
from sourcewright.base.text.words import PHRASES_AND_WORDS
from sourcewright.domain.web.queries import Query

OPERATORS = frozenset({"sites", "exact_terms", "exclude_terms"})
"""Filters that an engine with Google's operators supports inside the query text."""


def with_operators(query: Query, *, without: Collection[str] = ()) -> str:
    """The query text with its filters as operators, except those in `without`."""
    parts = [query.text]
    exact = _without_quotes(query.exact_terms or "")
    if exact and "exact_terms" not in without:
        parts.append(f'"{exact}"')
    if query.exclude_terms and "exclude_terms" not in without:
        parts += [f"-{term}" for term in _excluded_terms(query.exclude_terms)]
    if query.sites and "sites" not in without:
        sites = " OR ".join(f"site:{site}" for site in query.sites)
        parts.append(f"({sites})" if len(query.sites) > 1 else sites)
    return " ".join(parts)


def filters_beyond(query: Query, supported: Collection[str]) -> tuple[str, ...]:
    """The filters that are set but not supported by an engine."""
    return tuple(name for name in query.filters() if name not in supported)


def variant_filter(query: Query, *languages: str) -> frozenset[str]:
    """The filter by written form, for an engine that knows those of some languages."""
    return frozenset({"language_variant"} if query.language in languages else ())


def non_empty_params(**params: str | None) -> dict[str, str]:
    """The request parameters that have a value."""
    return {name: value for name, value in params.items() if value}


def _excluded_terms(text: str) -> Iterator[str]:
    """The words to exclude one by one, and quoted phrases as a whole."""
    for quoted_phrase, word in PHRASES_AND_WORDS.findall(text):
        if words := quoted_phrase.split():
            yield f'"{" ".join(words)}"'
        elif bare := word.lstrip("-+"):
            yield bare


def require_length(text: str, most: int, *, source: str) -> str:
    """The text unchanged, for an engine where a shortened query would mislead.

    Raises:
        BadAnswer: It is longer than the engine accepts.
    """
    if len(text) > most:
        detail = f"accepts at most {most} characters, but the query has {len(text)}"
        raise BadAnswer(source, detail, cause="shape")
    return text


def _without_quotes(text: str) -> str:
    """The text without quotation marks, which would end the quoted phrase."""
    return " ".join(text.replace('"', " ").split())


def quoted_phrase(text: str, *, also: str = "") -> str:
    """The text as a quoted phrase; inside one, only quotes and backslashes are special.

    `also` are further characters that a source wants escaped everywhere.
    """
    special = '"\\' + also
    return '"' + "".join(f"\\{char}" if char in special else char for char in text) + '"'


def leaves_too_few_words(query: Query, most: int) -> bool:
    """Whether shortening would leave the words less than a third of the permitted length."""
    excess = len(with_operators(query)) - most
    return excess > 0 and len(query.text) - excess < most // 3


def fit_query(
    query: Query, most: int, *, without: Collection[str] = (), most_words: int | None = None
) -> str:
    """The query shortened to `most` characters; words are dropped, operators are kept."""
    full = with_operators(query, without=without)
    words = query.text.split()
    if most_words is not None and (too_many := len(full.split()) - most_words) > 0:
        query = replace(query, text=" ".join(words[: max(len(words) - too_many, 0)]))
        full = with_operators(query, without=without)
    excess = len(full) - most
    if excess <= 0:
        return full
    room = max(len(query.text) - excess, 0)
    shortened, removed = query.text[:room], query.text[room:]
    if " " in shortened.strip() and not removed[:1].isspace():  # the last word is cut in two
        shortened = shortened.rsplit(maxsplit=1)[0]
    return with_operators(replace(query, text=shortened.strip()), without=without)[:most]
