"""What a tool is: one question, one answer, one function, and its promises."""

import inspect
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Self, get_args

from pydantic import BaseModel, ConfigDict, Field, PrivateAttr

from sourcewright.domain.identifiers import (
    REFERENCE_MAX_LENGTH,
    REFERENCE_MIN_LENGTH,
    REFERENCE_PATTERN,
)
from sourcewright.tools._families import MANNERS, Family
from sourcewright.tools._results import TextForm, ToolResult, as_json
from sourcewright.tools._schemas import input_schema, output_schema


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

    def listing(self) -> dict[str, Any]:
        """The tool as `tools/list` shows it."""
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
        )

    return spec
