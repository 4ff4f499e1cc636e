"""Completion of arguments: the values that begin as the user has begun."""

from collections.abc import Callable, Iterable

Values = Callable[[], Iterable[str]]
"""The possible values of an argument, at the time of asking."""


def matching_values(values: Iterable[str], beginning: str) -> list[str]:
    """Return the values that start with `beginning`, in any case, sorted."""
    start = beginning.casefold()
    return sorted(value for value in values if value.casefold().startswith(start))
