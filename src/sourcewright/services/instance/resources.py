"""Read-only views on the instance, by address, for clients that read resources."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from sourcewright.domain.errors import NotFound
from sourcewright.services.artifacts import PREFIX, Artifacts

JSON = "application/json"
_MOST_COMPLETIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One view."""

    uri: str
    name: str
    description: str
    look: Callable[[], Any]


class Views:
    """Every view and artifact, and the values that arguments may have."""

    def __init__(
        self,
        views: tuple[View, ...],
        values: Mapping[str, Callable[[], list[str]]],
        artifacts: Artifacts,
    ) -> None:
        self._views = {view.uri: view for view in views}
        self._values = values
        self._artifacts = artifacts

    def listing(self) -> list[dict[str, str]]:
        """Each view, as `resources/list` carries it."""
        return [
            {
                "uri": view.uri,
                "name": view.name,
                "description": view.description,
                "mimeType": JSON,
            }
            for view in self._views.values()
        ]

    def templates(self) -> list[dict[str, str]]:
        """What can be read by a name that a result gives, as `resources/templates/list` has it."""
        return [
            {
                "uriTemplate": f"{PREFIX}{{id}}",
                "name": "Research Artifact",
                "description": "A result that was too large for an answer, kept for 30 minutes.",
            }
        ]

    async def read(self, uri: str) -> tuple[str, str]:
        """The type and the text of what is at an address.

        Raises:
            NotFound: There is nothing.
            StoreError, LockTimeout: What is kept could not be read.
        """
        if uri.startswith(PREFIX):
            kind, body = await self._artifacts.read(uri)
            return kind, body.decode(errors="replace")
        view = self._views.get(uri)
        if view is None:
            raise NotFound("resources", f"no resource {uri}")
        return JSON, json.dumps(view.look(), ensure_ascii=False)

    def complete(self, argument: str, beginning: str) -> list[str]:
        """The values of an argument that begin so, in order; empty for one without a list."""
        values = self._values.get(argument, list)()
        start = beginning.casefold()
        return sorted(v for v in values if v.casefold().startswith(start))[:_MOST_COMPLETIONS]
