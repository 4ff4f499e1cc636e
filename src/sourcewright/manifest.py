"""The facts about tools and providers that were generated ahead of time."""

import json
from collections.abc import Collection
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sourcewright.domain.descriptions import list_with_descriptions

if TYPE_CHECKING:
    # For type checking only: the capabilities take time to import.
    from sourcewright.domain.capabilities import Role

_FILE = Path(__file__).with_name("manifest.json")


@cache
def load() -> dict[str, Any]:
    """The manifest, read once."""
    manifest: dict[str, Any] = json.loads(_FILE.read_bytes())
    return manifest


def offered(toolsets: Collection[str]) -> list[dict[str, Any]]:
    """The tools of these toolsets, as `tools/list` carries them."""
    return list_with_descriptions(
        tool["listing"] for tool in load()["tools"] if tool["toolset"] in toolsets
    )


def prompts(toolsets: Collection[str]) -> list[dict[str, Any]]:
    """The prompts that these toolsets have a tool for, as `prompts/list` carries them."""
    listed = set(names(toolsets))
    return [prompt["listing"] for prompt in load()["prompts"] if listed & set(prompt["needs"])]


def names(toolsets: Collection[str]) -> list[str]:
    """The names of the tools of these toolsets."""
    return [tool["name"] for tool in load()["tools"] if tool["toolset"] in toolsets]


def providers(role: "Role") -> list[str]:
    """The names of the providers that have this role."""
    return [provider["name"] for provider in load()["providers"] if role in provider["roles"]]
