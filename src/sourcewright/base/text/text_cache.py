"""Cache for functions of one short text, such as an attribute of HTML that recurs on a page."""

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Final, TypeVar

T = TypeVar("T")

_MAX_TEXTS: Final = 4096
_MAX_CHARACTERS: Final = 500


def cached_if_short(function: Callable[[str], T]) -> Callable[[str], T]:
    """Cache the results for short texts.

    Long ones are computed anew, because a hostile page may have millions of characters of them.
    """
    cached = lru_cache(maxsize=_MAX_TEXTS)(function)

    @wraps(function)
    def compute(text: str) -> T:
        return cached(text) if len(text) <= _MAX_CHARACTERS else function(text)

    return compute
