"""MCP resources: read-only views of the instance."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from sourcewright.base.errors import NotFound
from sourcewright.services.artifacts import PREFIX, Artifacts
from sourcewright.services.instance.completion import Values, matching_values
from sourcewright.services.instance.paper_resources import PAPER_TEMPLATES, PaperResources
from sourcewright.services.library.contents import PREFIX as PAPER_PREFIX

JSON_MEDIA_TYPE = "application/json"
_ARTIFACT = f"{PREFIX}{{id}}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resource:
    """One MCP resource, computed at each read."""

    uri: str
    name: str
    description: str
    read: Callable[[], Awaitable[Any]]
    values: Mapping[str, Values] = field(default_factory=dict)
    """Completions of tool arguments, by argument."""


class Resources:
    """All resources, papers and artifacts, and the completions of arguments."""

    def __init__(
        self, views: tuple[Resource, ...], artifacts: Artifacts, papers: PaperResources
    ) -> None:
        self._views = {view.uri: view for view in views}
        self._artifacts = artifacts
        self._papers = papers

    def listing(self) -> list[dict[str, str]]:
        """Return the resources in the format of `resources/list`."""
        return [
            {
                "uri": view.uri,
                "name": view.name,
                "description": view.description,
                "mimeType": JSON_MEDIA_TYPE,
            }
            for view in self._views.values()
        ]

    def templates(self) -> list[dict[str, str]]:
        """Return the templates in the format of `resources/templates/list`."""
        return [
            {
                "uriTemplate": _ARTIFACT,
                "name": "Research Artifact",
                "description": "A result that was too large for a response, kept for 30 minutes.",
            },
            *PAPER_TEMPLATES,
        ]

    async def read(self, uri: str) -> tuple[str, str | bytes]:
        """Return the media type of a resource and its text, or its bytes if it is not text.

        Raises:
            NotFound: There is no such resource.
            StoreError, LockTimeout: The artifact could not be read.
        """
        if uri.startswith(PREFIX):
            kind, body = await self._artifacts.read(uri)
            return kind, _text_or_bytes(body)
        if uri.startswith(PAPER_PREFIX):
            return await self._papers.read(uri)
        return JSON_MEDIA_TYPE, json.dumps(await self.value(uri), ensure_ascii=False)

    async def value(self, uri: str) -> Any:
        """Return a resource that is no artifact, as a JSON value.

        Raises:
            NotFound: There is no such resource.
        """
        view = self._views.get(uri)
        if view is None:
            raise NotFound("resources", f"no resource {uri}")
        return await view.read()

    def complete(self, uri: str, argument: str, beginning: str) -> list[str]:
        """Return the values of an argument that start with `beginning`, sorted.

        Empty for an unknown argument, and for the ids of artifacts: only the client that received
        an id may know it.

        Raises:
            NotFound: There is no such resource or template.
        """
        values = self._completers(uri).get(argument, list[str])
        return matching_values(values(), beginning)

    def _completers(self, uri: str) -> Mapping[str, Values]:
        if uri == _ARTIFACT or uri.startswith((PREFIX, PAPER_PREFIX)):
            return {}
        if uri not in self._views:
            raise NotFound("resources", f"no resource {uri}")
        return self._views[uri].values


def _text_or_bytes(body: bytes) -> str | bytes:
    try:
        return body.decode()
    except UnicodeDecodeError:
        return body
