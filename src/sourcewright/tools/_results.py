"""Tool results in the forms that MCP carries: text, structured content, links."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

CAMEL = ConfigDict(alias_generator=to_camel, validate_by_name=True, frozen=True)
"""For models whose contract spells its fields likeThis."""

T = TypeVar("T")
Said = Annotated[T | None, Field(exclude_if=lambda value: value is None)]
"""Left out when there is nothing to say: an empty list and no list are not the same."""

Trust = Literal["untrusted-external-content"]
UNTRUSTED: Trust = "untrusted-external-content"
"""Marks what others wrote: data, never instructions."""

TextForm = Literal["json", "markdown"]
"""What the text of a tool's answers is: the structured content again, or prose for people."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """Structured content, the text beside it, and what is said about both."""

    structured: dict[str, Any]
    text: str
    is_error: bool = False
    links: tuple[Mapping[str, Any], ...] = ()
    """Further content: links to what is too large to be told."""
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A call that failed, as far as explaining it needs to know."""

    arguments: object
    text_form: TextForm

    def said(self, *names: str) -> str | None:
        """The first of these arguments that is a text."""
        given = self.arguments if isinstance(self.arguments, Mapping) else {}
        return next((given[name] for name in names if isinstance(given.get(name), str)), None)


def as_json(structured: Mapping[str, Any]) -> str:
    return json.dumps(structured, ensure_ascii=False)
