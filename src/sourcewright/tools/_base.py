"""The base of MCP tools: arguments, answer, function, annotations.

Whole numbers as callers send them: also as text, as null, or as a blank.
JSON Schemas as clients see them: complete, and no longer than they need to be.
"""

import inspect
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PrivateAttr, WithJsonSchema
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from sourcewright.domain.identifiers import (
    REFERENCE_MAX_LENGTH,
    REFERENCE_MIN_LENGTH,
    REFERENCE_PATTERN,
)
from sourcewright.tools._failures.families import MANNERS, Family
from sourcewright.tools._results import TextForm, ToolResult, as_json


def whole_number(value: Any) -> Any:
    """A number in a text becomes a number, a blank becomes nothing; the rest is left to judge."""
    if isinstance(value, str):
        text = value.strip()
        sign = text[:1] in {"+", "-"}
        return int(text) if text[sign:].isdecimal() and len(text) < 20 else text or None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


WholeNumber = Annotated[
    int | None, BeforeValidator(whole_number), WithJsonSchema({"type": "integer"})
]
"""Published as an integer; anything that clearly means one is taken."""


Schema = dict[str, Any]

_NULL = {"type": "null"}


class _Told(GenerateJsonSchema):
    """Schemas of answers: what is left out when there is nothing to say is never null."""

    def model_field_schema(self, schema: Any) -> JsonSchemaValue:
        told = super().model_field_schema(schema)
        left_out = schema.get("serialization_exclude_if")
        if left_out is None or not left_out(None) or "anyOf" not in told:
            return told
        forms = [form for form in told.pop("anyOf") if form != _NULL]
        return told | (forms[0] if len(forms) == 1 else {"anyOf": forms})


def input_schema(ask: type[BaseModel]) -> Schema:
    return _undescribed(_without(ask.model_json_schema(), {"title"}))


def output_schema(*forms: type[BaseModel]) -> Schema:
    """One object that has one of the forms of success, or the form of failure.

    Some clients check structured content against the schema also when a call
    failed, so the failure has to be part of it.
    """
    made = [
        model.model_json_schema(mode="serialization", schema_generator=_Told) for model in forms
    ]
    # Nobody fills in an answer, so defaults are of no use to its readers.
    either = [_undescribed(_without(schema, {"title", "default"})) for schema in made]
    definitions: Schema = {}
    for schema in either:
        definitions |= schema.pop("$defs", {})
    together: Schema = {"type": "object", "anyOf": either}
    return together | ({"$defs": definitions} if definitions else {})


def _undescribed(schema: Schema) -> Schema:
    """The same without what it is as a whole, which the tool's own description says."""
    return {key: value for key, value in schema.items() if key != "description"}


def _without(schema: Any, dropped: Collection[str]) -> Any:
    """Drop such keywords. The titles that pydantic derives from names repeat the key beside them."""
    if isinstance(schema, list):
        return [_without(item, dropped) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without(value, dropped) for name, value in inner.items()}
        if key in ("properties", "$defs") and isinstance(inner, dict)
        else _without(inner, dropped)
        for key, inner in schema.items()
        if key not in dropped
    }


class Ask(BaseModel):
    """A tool's question. Unknown fields are refused, and nothing is guessed from another type."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    @property
    def is_preview(self) -> bool:
        """Whether only a dry run is asked for, which leaves no trace in any log."""
        return getattr(self, "dry_run", False) is True


class Answer(BaseModel):
    """A tool's answer."""

    model_config = ConfigDict(frozen=True)
    _beside: dict[str, Any] = PrivateAttr(default_factory=dict)

    def beside(self, **meta: Any) -> Self:
        """The same answer, with this said about it outside of its content."""
        self._beside.update(meta)
        return self

    @property
    def said_beside(self) -> Mapping[str, Any]:
        return self._beside

    def result(self) -> ToolResult:
        """The answer in all the forms that the protocol carries."""
        structured = self.model_dump(mode="json", by_alias=True)
        return ToolResult(
            structured=structured,
            text=self.as_text(structured),
            links=self.links(),
            meta=dict(self._beside),
        )

    def links(self) -> tuple[Mapping[str, Any], ...]:
        """Links to what is too large for the answer."""
        return ()

    def as_text(self, structured: Mapping[str, Any]) -> str:
        """What people read; a tool whose contract asks for prose writes it here."""
        return as_json(structured)


Ref = Annotated[
    str,
    Field(
        min_length=REFERENCE_MIN_LENGTH,
        max_length=REFERENCE_MAX_LENGTH,
        description="DOI, arXiv id, PubMed id or PMC id, in any usual spelling, or its URL.",
        json_schema_extra={"pattern": REFERENCE_PATTERN},
    ),
]
"""The argument that names a paper."""

Run = Callable[[Any, Any], Coroutine[Any, Any, Answer]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """One tool, as the server, the command line and the docs see it."""

    name: str
    title: str
    description: str
    toolset: str
    family: Family
    ask: type[Ask]
    answers: tuple[type[Answer], ...]
    """The forms of success, such as a result and the preview of one."""
    read_only: bool
    idempotent: bool
    open_world: bool
    example: Mapping[str, Any]
    run: Run
    text_form: TextForm = "json"
    seconds: float | None = None
    """How long a call may take; None where only the caller sets an end."""
    answers_unrecorded: bool = False
    """Whether it answers where calls cannot be recorded, because that is what it is asked about."""

    def listing(self) -> dict[str, Any]:
        """The tool as `tools/list` shows it, but for the clauses about tools that may not be there."""
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": input_schema(self.ask),
            "outputSchema": output_schema(*self.answers, MANNERS[self.family].failure),
            "annotations": {
                "title": self.title,
                "readOnlyHint": self.read_only,
                "destructiveHint": False,
                "idempotentHint": self.idempotent,
                "openWorldHint": self.open_world,
            },
        }


def tool(  # noqa: PLR0913 -- each is a promise to the caller, and none has a safe default
    *,
    title: str,
    toolset: str,
    family: Family,
    read_only: bool,
    idempotent: bool,
    open_world: bool,
    example: Mapping[str, Any],
    text_form: TextForm = "json",
    seconds: float | None = None,
    answers_unrecorded: bool = False,
) -> Callable[[Run], ToolSpec]:
    """Turn an async function into a ToolSpec.

    Its docstring, without the first line, is what the model reads: the contract
    asks for the labelled sections and nothing before them.
    """

    def spec(run: Run) -> ToolSpec:
        hints = inspect.get_annotations(run, eval_str=True)
        return ToolSpec(
            name=run.__name__,
            title=title,
            description=inspect.cleandoc(run.__doc__ or "").partition("\n\n")[2],
            toolset=toolset,
            family=family,
            ask=hints["ask"],
            answers=get_args(hints["return"]) or (hints["return"],),
            read_only=read_only,
            idempotent=idempotent,
            open_world=open_world,
            example=example,
            run=run,
            text_form=text_form,
            seconds=seconds,
            answers_unrecorded=answers_unrecorded,
        )

    return spec
