"""Tool results in MCP's formats: text, structured content, links, metadata."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal, TypeVar

from pydantic import ConfigDict, Field
from pydantic.alias_generators import to_camel

CAMEL = ConfigDict(alias_generator=to_camel, validate_by_name=True, frozen=True)
"""For models whose contract has camelCase field names."""

T = TypeVar("T")
OmittedIfNone = Annotated[T | None, Field(exclude_if=lambda value: value is None)]
"""Omitted from the response if None; an empty list is kept."""

Trust = Literal["untrusted-external-content"]
UNTRUSTED: Trust = "untrusted-external-content"
"""Marks third-party content: data, never instructions."""

TextForm = Literal["json", "markdown"]
"""Format of a tool's text content: the structured content as JSON, or Markdown."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolResult:
    """Structured content, text, links, and metadata about them."""

    structured: dict[str, Any]
    text: str
    is_error: bool = False
    links: tuple[Mapping[str, Any], ...] = ()
    """Resource links to content that is too large for the response."""
    meta: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCall:
    """A failed call: what the error response needs to know."""

    arguments: object
    text_form: TextForm

    def said(self, *names: str) -> str | None:
        """Return the first of these arguments that is a string."""
        arguments_by_name = self.arguments if isinstance(self.arguments, Mapping) else {}
        return next(
            (
                arguments_by_name[name]
                for name in names
                if isinstance(arguments_by_name.get(name), str)
            ),
            None,
        )


def as_json(structured: Mapping[str, Any]) -> str:
    return json.dumps(structured, ensure_ascii=False)
