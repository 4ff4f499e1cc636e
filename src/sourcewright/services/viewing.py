"""Read-only views on the instance, by address, for clients that read resources."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sourcewright.domain.errors import NotFound

_MOST_COMPLETIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One view."""

    uri: str
    name: str
    description: str
    look: Callable[[], Any]


class Views:
    """Every view, and the values that arguments may have."""

    def __init__(
        self, views: tuple[View, ...], values: Mapping[str, Callable[[], list[str]]]
    ) -> None:
        self._views = {view.uri: view for view in views}
        self._values = values

    def listing(self) -> list[dict[str, str]]:
        """Each view, as `resources/list` carries it."""
        return [
            {
                "uri": view.uri,
                "name": view.name,
                "description": view.description,
                "mimeType": "application/json",
            }
            for view in self._views.values()
        ]

    def read(self, uri: str) -> Any:
        """What a view shows now.

        Raises:
            NotFound: There is no such view.
        """
        view = self._views.get(uri)
        if view is None:
            raise NotFound("resources", f"no resource {uri}")
        return view.look()

    def complete(self, argument: str, beginning: str) -> list[str]:
        """The values of an argument that begin so, in order; empty for one without a list."""
        values = self._values.get(argument, list)()
        start = beginning.casefold()
        return sorted(v for v in values if v.casefold().startswith(start))[:_MOST_COMPLETIONS]
