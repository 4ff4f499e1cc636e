"""MCP resources: read-only views of the instance."""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sourcewright.domain.errors import NotFound
from sourcewright.services.artifacts import PREFIX, Artifacts

JSON = "application/json"
_ARTIFACT = f"{PREFIX}{{id}}"
_MOST_COMPLETIONS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One view."""

    uri: str
    name: str
    description: str
    look: Callable[[], Any]
    values: Mapping[str, Callable[[], list[str]]] = field(default_factory=dict)
    """What the arguments of tools that the view is about may be, by argument."""


class Views:
    """Every view and artifact, and the values that arguments may have."""

    def __init__(self, views: tuple[View, ...], artifacts: Artifacts) -> None:
        self._views = {view.uri: view for view in views}
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
                "uriTemplate": _ARTIFACT,
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

    def complete(self, uri: str, argument: str, beginning: str) -> list[str]:
        """The values that begin so, in order, of an argument that a resource or template has.

        Empty for an argument that it does not have, and for the ids of artifacts: whoever was
        given one knows it, and nobody else shall learn of it.

        Raises:
            NotFound: There is no such resource or template.
        """
        values = self._arguments_of(uri).get(argument, list)()
        start = beginning.casefold()
        return sorted(v for v in values if v.casefold().startswith(start))[:_MOST_COMPLETIONS]

    def _arguments_of(self, uri: str) -> Mapping[str, Callable[[], list[str]]]:
        if uri == _ARTIFACT or uri.startswith(PREFIX):
            return {}
        if uri not in self._views:
            raise NotFound("resources", f"no resource {uri}")
        return self._views[uri].values
