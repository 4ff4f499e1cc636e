"""Completion of arguments: the values that start with what the user has typed."""

from collections.abc import Callable, Iterable

Values = Callable[[], Iterable[str]]
"""Returns the current values of an argument."""


def matching_values(values: Iterable[str], beginning: str) -> list[str]:
    """Return the values that start with `beginning`, in any case, sorted."""
    start = beginning.casefold()
    return sorted(value for value in values if value.casefold().startswith(start))
