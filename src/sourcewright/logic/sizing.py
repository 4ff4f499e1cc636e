"""How much a text is: in tokens, roughly, and in words for sizes."""

from typing import Literal

SizeCategory = Literal["small", "medium", "large", "very_large"]

_BYTES_PER_TOKEN = 4
_BELOW: tuple[tuple[int, SizeCategory], ...] = (
    (5_000, "small"),
    (20_000, "medium"),
    (50_000, "large"),
)


def estimated_tokens(size: int) -> int:
    """About how many tokens a text of so many bytes is."""
    return size // _BYTES_PER_TOKEN


def size_category(size: int) -> SizeCategory:
    """What a text of so many bytes is called."""
    return next((name for limit, name in _BELOW if size < limit), "very_large")
