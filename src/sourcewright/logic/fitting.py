"""Makes a query fit into what an engine takes."""

from collections.abc import Collection
from dataclasses import replace

from sourcewright.domain.queries import Query
from sourcewright.logic.asking import with_operators


def fitted(query: Query, most: int, *, without: Collection[str] = ()) -> str:
    """The text with its operators in at most so many characters; words go, operators stay."""
    whole = with_operators(query, without=without)
    over = len(whole) - most
    if over <= 0:
        return whole
    kept = query.text[: max(len(query.text) - over, 0)]
    words = kept.rsplit(maxsplit=1)[0] if " " in kept.strip() else kept
    return with_operators(replace(query, text=words.strip()), without=without)[:most]
