"""Base of MCP tools: the `tool` decorator, argument and response models, JSON Schemas."""

import inspect
import re
from collections.abc import Callable, Collection, Coroutine, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, ClassVar, Literal, Self, get_args, get_origin

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PrivateAttr,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue

from sourcewright.base.formats.json_schemas import (
    Schema,
    listed_arguments,
    listed_schema,
    typed_schema,
)
from sourcewright.base.identifiers import (
    REFERENCE_MAX_LENGTH,
    REFERENCE_MIN_LENGTH,
    REFERENCE_PATTERN,
)
from sourcewright.tools._failures.families import ENVELOPES, Family
from sourcewright.tools._results import TextForm, ToolResult, model_json

_LONGEST_CHOICE = 50


def whole_number(value: Any) -> Any:
    """Convert a numeric string to int and an empty string to None; leave the rest to pydantic."""
    if isinstance(value, str):
        text = value.strip()
        sign = text[:1] in {"+", "-"}
        return int(text) if text[sign:].isdecimal() and len(text) < 20 else text or None
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def digits(value: Any) -> Any:
    """Write an integer as text: some clients send a year, or the number of a phase, as one."""
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else value


WholeNumber = Annotated[
    int | None, BeforeValidator(whole_number), WithJsonSchema({"type": "integer"})
]
"""Published as an integer; numeric strings and integral floats are accepted too."""


_NULL = {"type": "null"}


class _ResponseSchema(GenerateJsonSchema):
    """JSON Schema of responses: a field that is omitted if None is not nullable."""

    def model_field_schema(self, schema: Any) -> JsonSchemaValue:
        return _without_null(super().model_field_schema(schema), schema)

    def dataclass_field_schema(self, schema: Any) -> JsonSchemaValue:
        return _without_null(super().dataclass_field_schema(schema), schema)


def _without_null(field_schema: JsonSchemaValue, schema: Any) -> JsonSchemaValue:
    is_omitted = schema.get("serialization_exclude_if")
    if is_omitted is None or not is_omitted(None) or "anyOf" not in field_schema:
        return field_schema
    forms = [form for form in field_schema.pop("anyOf") if form != _NULL]
    return field_schema | (forms[0] if len(forms) == 1 else {"anyOf": forms})


def input_schema(ask: type[BaseModel]) -> Schema:
    full = _without_description(_without_keywords(ask.model_json_schema(), {"title"}))
    return listed_arguments(full)


def output_schema(*forms: type[BaseModel]) -> Schema:
    """Return a schema that accepts any of the models: those of success and that of failure.

    Some clients validate structured content also if a call failed, so the failure must be part
    of the schema.
    """
    variants = [dict(_response_schema(model)) for model in forms]
    definitions: Schema = {}
    for schema in variants:
        inner = schema.pop("$defs", {})
        definitions |= {name: _without_description(one) for name, one in inner.items()}
    combined: Schema = {"type": "object", "anyOf": variants}
    return combined | ({"$defs": definitions} if definitions else {})


@cache
def _response_schema(model: type[BaseModel]) -> Schema:
    schema = model.model_json_schema(mode="serialization", schema_generator=_ResponseSchema)
    # Defaults are of no use in a response schema.
    return _without_description(_without_keywords(schema, {"title", "default"}))


def _without_description(schema: Schema) -> Schema:
    """Drop the description of the whole, which repeats the tool or the name of the model."""
    return {key: value for key, value in schema.items() if key != "description"}


def _without_keywords(schema: Any, dropped: Collection[str]) -> Any:
    """Drop keywords recursively; pydantic's generated titles only repeat the property names."""
    if isinstance(schema, list):
        return [_without_keywords(item, dropped) for item in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: {name: _without_keywords(value, dropped) for name, value in inner.items()}
        if key in ("properties", "$defs") and isinstance(inner, dict)
        else _without_keywords(inner, dropped)
        for key, inner in schema.items()
        if key not in dropped
    }


class Ask(BaseModel):
    """Arguments of a tool. Unknown fields and values of another type are rejected."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    links_session: ClassVar[bool] = True
    """Whether `session_id` is the session that records what the call finds."""
    former_names: ClassVar[Mapping[str, str]] = {}
    """The present names of arguments that an earlier edition of the contract called otherwise."""

    @classmethod
    def takes_session(cls) -> bool:
        return cls.links_session and "session_id" in cls.model_fields

    @property
    def linked_session(self) -> str | None:
        """The research session that records what the call finds; None for most calls."""
        return self.argument("session_id") if self.links_session else None

    @property
    def is_preview(self) -> bool:
        """Whether this is a dry run, which is not logged."""
        return self.argument("dry_run") is True

    def argument(self, name: str) -> Any:
        """Return the value of this argument; None for a tool that has no such argument."""
        # Not `getattr` with a default: pydantic takes long to find that there is none.
        return self.__dict__.get(name)


class ResearchArguments(Ask):
    """Arguments of a research tool; an optional one that is null or empty is not given.

    A value of a closed set is accepted in upper or lower case, and with spaces or hyphens for
    underscores.

    The contract's server takes an empty text for its default, and 0 where a number must be
    higher; some clients send every argument of a tool, those that they do not use as null.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_by_name=True)

    @model_validator(mode="before")
    @classmethod
    def normalise(cls, value: Any) -> Any:
        if not isinstance(value, Mapping):
            return value
        optional, positive = _optional_arguments(cls), _positive_arguments(cls)
        given = {
            k: v
            for k, v in value.items()
            if not (k in optional and v in (None, "")) and not (k in positive and _is_zero(v))
        }
        return {k: _choices(cls).get((k, _folded(v)), v) for k, v in given.items()}


@cache
def _choices(arguments: type[BaseModel]) -> Mapping[tuple[str, str], str]:
    """The spelling of each value of a closed set, by argument and folded value."""
    return {
        (key, _folded(choice)): choice
        for name, field in arguments.model_fields.items()
        for choice in _literals(field.annotation)
        for key in (name, field.alias)
        if key is not None
    }


def _literals(annotation: Any) -> list[str]:
    """The texts of a `Literal`, also of one that may be None."""
    if get_origin(annotation) is Literal:
        return [value for value in get_args(annotation) if isinstance(value, str)]
    return [text for part in get_args(annotation) for text in _literals(part)]


def _folded(value: object) -> str:
    # A long text, such as a bibliography, is no choice.
    is_short = isinstance(value, str) and len(value) <= _LONGEST_CHOICE
    return re.sub(r"[\s_-]+", "", str(value)).lower() if is_short else ""


@cache
def _optional_arguments(ask: type[Ask]) -> frozenset[str | None]:
    """The names and aliases of the arguments that a call may leave out."""
    return frozenset(
        key
        for name, field in ask.model_fields.items()
        if not field.is_required()
        for key in (name, field.alias)
    )


@cache
def _positive_arguments(ask: type[Ask]) -> frozenset[str]:
    """The names and aliases of optional numbers for which 0 is too low."""
    properties = ask.model_json_schema().get("properties", {})
    schemas = {name: [one, *one.get("anyOf", ())] for name, one in properties.items()}
    above_zero = {
        name for name, forms in schemas.items() if any(one.get("minimum", 0) > 0 for one in forms)
    }
    return frozenset(
        key
        for name, field in ask.model_fields.items()
        if not field.is_required() and (field.alias or name) in above_zero
        for key in (name, field.alias or name)
    )


def _is_zero(value: object) -> bool:
    return value in (0, "0") and not isinstance(value, bool)


class Answer(BaseModel):
    """Response of a tool."""

    model_config = ConfigDict(frozen=True)
    _beside: dict[str, Any] = PrivateAttr(default_factory=dict)

    def with_meta(self, **meta: Any) -> Self:
        """Add fields to `_meta` of the result; return self."""
        self._beside.update(meta)
        return self

    @property
    def meta(self) -> Mapping[str, Any]:
        return self._beside

    def audited(self) -> dict[str, Any]:
        """Return what the audit event records of the response, besides what it always does."""
        return {}

    def result(self) -> ToolResult:
        """Convert the response to structured content, text, links and metadata."""
        return ToolResult(
            structured_json=self.structured_json(),
            prose=self.as_prose(),
            links=self.links(),
            meta=dict(self._beside),
            audited=self.audited(),
        )

    def links(self) -> tuple[Mapping[str, Any], ...]:
        """Return resource links to content that is too large for the response."""
        return ()

    def as_prose(self) -> str | None:
        """Return the text content, for a tool whose contract requires prose instead of JSON."""
        return None

    def structured_json(self) -> str:
        """Return the structured content as JSON."""
        return model_json(self)


_LONGEST_SESSION_ID = 200


def _session_id(text: str) -> str:
    if len(text) > _LONGEST_SESSION_ID:
        raise ValueError(f"a session id has at most {_LONGEST_SESSION_ID} characters")
    return text.strip()


SessionId = Annotated[str, AfterValidator(_session_id)]
"""The argument that names a research session. Its limit is not listed with every tool."""

Ref = Annotated[
    str,
    Field(
        min_length=REFERENCE_MIN_LENGTH,
        max_length=REFERENCE_MAX_LENGTH,
        json_schema_extra={"pattern": REFERENCE_PATTERN},
    ),
]
"""The argument that names a paper."""

Run = Callable[[Any, Any], Coroutine[Any, Any, Answer]]


SESSION_NOTE = "sessionNote"
"""The field of a response that says why it was not recorded in the given session."""
_SESSION_NOTE_SCHEMA = {
    "type": "string",
    "description": "Why this was not recorded in the session.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolSpec:
    """Specification of a tool, for the server, the command line and the docs."""

    name: str
    title: str
    description: str
    toolset: str
    family: Family
    ask: type[Ask]
    answers: tuple[type[Answer], ...]
    """Response models of success, such as a result and a preview."""
    read_only: bool
    idempotent: bool
    open_world: bool
    example: Mapping[str, Any]
    run: Run
    text_form: TextForm = "json"
    seconds: float | None = None
    """Deadline of a call; None if only the caller may cancel it."""
    answers_unrecorded: bool = False
    """Whether it works without an audit log, because it reports on such problems."""
    needs: type | None = None
    """Capability of which a usable provider is needed; without one the tool is not listed."""
    switch: str | None = None
    """The setting that must be true; otherwise the tool is not listed."""

    def listing(self, *, typed: bool = False) -> dict[str, Any]:
        """Return the tool in the format of `tools/list`; clauses in `[[…]]` are resolved later.

        `typed` gives the types of answers on all levels, which takes six times as much.
        """
        return {
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": input_schema(self.ask),
            "outputSchema": (typed_schema if typed else listed_schema)(self.answer_schema()),
            "annotations": {
                "readOnlyHint": self.read_only,
                "destructiveHint": False,
                "idempotentHint": self.idempotent,
                "openWorldHint": self.open_world,
            },
        }

    def answer_schema(self) -> Schema:
        """Return the schema of the answers in full, with descriptions."""
        schema = output_schema(*self.answers, ENVELOPES[self.family].failure)
        if self.ask.takes_session():
            # Added by the pipeline, so it is in no response model.
            for variant in schema["anyOf"][: len(self.answers)]:
                variant["properties"] = variant["properties"] | {
                    SESSION_NOTE: _SESSION_NOTE_SCHEMA
                }
        return schema


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
    needs: type | None = None,
    switch: str | None = None,
) -> Callable[[Run], ToolSpec]:
    """Turn an async function into a ToolSpec.

    Its docstring without the first line becomes the tool description: the contract requires the
    labelled sections and nothing before them.
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
            needs=needs,
            switch=switch,
        )

    return spec
