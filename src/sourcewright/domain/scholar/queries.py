"""Query text and filters of a scholarly search, in forms that the syntax of an index cannot misread."""

import re
from collections.abc import Collection, Iterator

from sourcewright.base.errors import InvalidInput
from sourcewright.domain.papers.scholar import WorkQuery

# Characters that are operators, wildcards, fields or brackets in one index or another. Those of
# other scripts are never syntax.
_SYNTAX = re.compile(r"[!#$%&()*+,/:;<=>?@\[\\\]^_`{|}~]")
_DANGLING = re.compile(r"(?<!\S)[-.']+|[-.']+(?!\S)")
_OPERATOR = re.compile(r"\b(?:AND|OR|NOT|ANDNOT)\b")
_LONGEST_OFFSET = 10
_PHRASE = re.compile(r'"([^"]*)"')


def plain_words(text: str) -> str:
    """The words of a query without any syntax.

    Raises:
        InvalidInput: It has no words.
    """
    return _require_words(" ".join(_clean(text.replace('"', " "))), text)


def words_and_phrases(text: str) -> str:
    """The words of a query, and its quoted phrases as phrases; without any other syntax.

    Raises:
        InvalidInput: It has no words.
    """
    if text.count('"') % 2:
        return plain_words(text)
    parts = _PHRASE.split(text)  # text outside and inside quotes, alternately
    cleaned = (" ".join(_clean(part)) for part in parts)
    quoted = (f'"{part}"' if at % 2 else part for at, part in enumerate(cleaned) if part)
    return _require_words(" ".join(quoted), text)


def filters_ignored(query: WorkQuery, supported: Collection[str]) -> tuple[str, ...]:
    """The filters that are set but not supported by an index."""
    return tuple(name for name in query.filters() if name not in supported)


def years_of(query: WorkQuery) -> tuple[int, int] | None:
    """The first and the last year, with a wide limit for a missing one; None if both are missing."""
    if query.year_from is None and query.year_to is None:
        return None
    return query.year_from or 1000, query.year_to or 2999


def offset_of(cursor: str | None) -> int:
    """The number of entries before a page, from a cursor that is such a number.

    Raises:
        InvalidInput: It is something else.
    """
    text = cursor or "0"
    if not (text.isascii() and text.isdecimal() and len(text) < _LONGEST_OFFSET):
        raise InvalidInput(f"no page starts at the cursor {text[:40]!r}")
    return int(text)


def _clean(text: str) -> Iterator[str]:
    spaced = _SYNTAX.sub(" ", text)
    lowered = _OPERATOR.sub(lambda match: match[0].lower(), spaced)
    yield from _DANGLING.sub(" ", lowered).split()


def _require_words(cleaned: str, text: str) -> str:
    if not cleaned:
        raise InvalidInput(f"the query {text!r} has no words to search for")
    return cleaned
