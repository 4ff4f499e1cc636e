"""Tool results in MCP's formats: text, structured content, links, metadata."""

import json
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import Annotated, Any, Literal, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic.alias_generators import to_camel

CAMEL = ConfigDict(alias_generator=to_camel, validate_by_name=True, frozen=True)
"""For models whose contract has camelCase field names."""

T = TypeVar("T")


is_none: Callable[[object], bool] = partial(operator.is_, None)
"""Called by pydantic for each such field of a response, which a function of Python would slow."""


OmittedIfNone = Annotated[T | None, Field(exclude_if=is_none)]
"""Omitted from the response if None; an empty list is kept."""


class _OmitsNones:
    """Omits the fields of a dataclass, and of dataclasses in it, that are None by default."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> Any:
        schema = handler(source)
        _omit_nones(schema, handler)
        return schema


def _omit_nones(schema: Any, handler: GetCoreSchemaHandler) -> None:
    if isinstance(schema, list | tuple):
        inner = list(schema)
    elif not isinstance(schema, dict):
        return
    elif schema.get("type") == "definition-ref":
        inner = [handler.resolve_ref_schema(cast("Any", schema))]
    else:
        inner = list(schema.values())
        if schema.get("type") == "dataclass-field" and schema["schema"].get("default", 0) is None:
            schema["serialization_exclude_if"] = is_none
    for one in inner:
        _omit_nones(one, handler)


WithoutNones = Annotated[T, _OmitsNones()]
"""A dataclass of the domain as it is; its fields are omitted from the response if None."""

Trust = Literal["untrusted-external-content"]
UNTRUSTED: Trust = "untrusted-external-content"
"""Marks third-party content: data, never instructions."""

TextForm = Literal["json", "markdown"]
"""Format of a tool's text content: the structured content as JSON, or Markdown."""


@dataclass(frozen=True, kw_only=True)
class ToolResult:
    """Structured content, text, links, and metadata about them."""

    structured_json: str
    """The structured content as JSON, which is what the server sends."""
    prose: str | None = None
    """The text content; None if it is the structured content as JSON, and nothing else."""
    is_error: bool = False
    links: tuple[Mapping[str, Any], ...] = ()
    """Resource links to content that is too large for the response."""
    meta: dict[str, Any] = field(default_factory=dict)
    audited: dict[str, Any] = field(default_factory=dict)
    """Fields for the `metadata` of the audit event."""

    @property
    def is_json(self) -> bool:
        """Whether the text is the structured content as JSON, and nothing else."""
        return self.prose is None

    @property
    def text(self) -> str:
        return self.structured_json if self.prose is None else self.prose

    @cached_property
    def structured(self) -> dict[str, Any]:
        content: dict[str, Any] = json.loads(self.structured_json)
        return content


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedCall:
    """A failed call: what the error response needs to know."""

    arguments: object
    text_form: TextForm

    def text_argument(self, *names: str) -> str | None:
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
    return json.dumps(structured, ensure_ascii=False, separators=(",", ":"))


def model_json(model: BaseModel) -> str:
    """Return a response model, or a part of one, as JSON."""
    try:
        return model.model_dump_json(by_alias=True)
    except ValueError:
        # Lone surrogates, which pydantic does not write.
        return as_json(model.model_dump(mode="json", by_alias=True))
