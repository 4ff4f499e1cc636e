"""The facts about tools and providers that were generated ahead of time."""

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sourcewright.domain.tool_descriptions import list_with_descriptions

if TYPE_CHECKING:
    # For type checking only: the capabilities take time to import.
    from sourcewright.domain.capabilities import Role

_FILE = Path(__file__).with_name("manifest.json")
_TYPED_FILE = Path(__file__).with_name("typed_schemas.json")
"""Apart, because few clients ask for it."""


@cache
def load() -> dict[str, Any]:
    """The manifest, read once."""
    manifest: dict[str, Any] = json.loads(_FILE.read_bytes())
    return manifest


def offered(
    toolsets: Collection[str], unusable: Collection[str] = (), *, typed: bool = False
) -> list[dict[str, Any]]:
    """The tools of these toolsets, as `tools/list` carries them; `typed` with types on all levels.

    A tool that needs one of several providers, or a setting, is left out if all of what it needs
    is `unusable`.
    """
    listings = [tool["listing"] for tool in _listed(toolsets, unusable)]
    if typed:
        schemas: dict[str, Any] = json.loads(_TYPED_FILE.read_bytes())
        listings = [{**one, "outputSchema": schemas[one["name"]]} for one in listings]
    return list_with_descriptions(listings)


def prompts(toolsets: Collection[str], unusable: Collection[str] = ()) -> list[dict[str, Any]]:
    """The prompts that these tools have a use for, as `prompts/list` carries them."""
    listed = set(names(toolsets, unusable))
    return [prompt["listing"] for prompt in load()["prompts"] if listed & set(prompt["needs"])]


def names(toolsets: Collection[str], unusable: Collection[str] = ()) -> list[str]:
    """The names of the tools of these toolsets."""
    return [tool["name"] for tool in _listed(toolsets, unusable)]


def unlisted(toolsets: Collection[str], unusable: Collection[str]) -> dict[str, list[str]]:
    """The tools of these toolsets that are left out, each with the providers or the setting that it needs."""
    listed = names(toolsets, unusable)
    return {
        tool["name"]: tool["needs"]
        for tool in load()["tools"]
        if tool["toolset"] in toolsets and tool["name"] not in listed
    }


def _listed(toolsets: Collection[str], unusable: Collection[str]) -> list[dict[str, Any]]:
    return [
        tool
        for tool in load()["tools"]
        if tool["toolset"] in toolsets
        and ("needs" not in tool or any(name not in unusable for name in tool["needs"]))
    ]


def providers(role: "Role") -> list[str]:
    """The names of the providers that have this role."""
    return [provider["name"] for provider in load()["providers"] if role in provider["roles"]]
