"""Makes a query fit into what an engine takes."""

from collections.abc import Collection
from dataclasses import replace

from sourcewright.domain.queries import Query
from sourcewright.logic.asking import with_operators


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
