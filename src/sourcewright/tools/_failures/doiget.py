"""Error responses of `doiget_*` tools: `{ok: false, error: …}`."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from sourcewright.base.errors import Denial, DenialReason, ResearchError, UpstreamError
from sourcewright.base.urls.allowlists import Remedy, remediations
from sourcewright.domain.codes import (
    Code,
    Disposition,
    RepeatedFailure,
    code_of,
    denial_of,
    disposition_of,
)
from sourcewright.domain.evidence import AttemptOutcome, NoSourceAnswered, SourceAttempt
from sourcewright.tools._results import FailedCall, OmittedIfNone, ToolResult, as_json


class DenialContext(BaseModel):
    """The rule that refused, and what it accepts."""

    # Unlike `Denial`, its schema allows no other fields.
    model_config = ConfigDict(extra="forbid")

    reason: DenialReason
    source: OmittedIfNone[str] = None
    attempted: OmittedIfNone[str] = None
    expected: OmittedIfNone[list[str]] = None
    hop_index: OmittedIfNone[int] = None
    cap: OmittedIfNone[int] = None
    actual: OmittedIfNone[int] = None


class AttemptMade(BaseModel):
    """The outcome of one source."""

    source: str
    outcome: AttemptOutcome
    consulted: bool
    detail: str | None = None
    required_env: OmittedIfNone[list[str]] = None
    denial_context: OmittedIfNone[DenialContext] = None
    remediation: OmittedIfNone[list[Remedy]] = None


NotDue = OmittedIfNone[dict[str, list[str]]]
NO_NOT_DUE: Any = Field(
    None, description="Sources that did not have to be asked, by reason; not among `attempts`."
)
_NOT_DUE: frozenset[AttemptOutcome] = frozenset(
    {
        "not_consulted_not_applicable",
        "not_consulted_not_needed",
        "not_consulted_wrong_publisher",
    }
)


class DoigetProblem(BaseModel):
    """The error, and what to do about it."""

    code: Code
    message: str
    disposition: Disposition
    retry_after_ms: OmittedIfNone[int] = None
    replayed: OmittedIfNone[bool] = None
    denial_context: DenialContext | None = None
    """The only field that rows of a batch contain even if it is null."""
    remediation: OmittedIfNone[list[Remedy]] = None
    attempts: OmittedIfNone[list[AttemptMade]] = None
    not_due: NotDue = NO_NOT_DUE


class DoigetFailure(BaseModel):
    """Error response of every `doiget_*` tool."""

    ok: Literal[False] = False
    ref: str | None = None
    error: DoigetProblem


def problem_of(error: ResearchError) -> DoigetProblem:
    """Convert an error to the response format."""
    code = code_of(error)
    decisive = error.decisive if isinstance(error, NoSourceAnswered) else error
    denial = denial_of(error)
    return DoigetProblem(
        code=code,
        message=str(error),
        disposition=disposition_of(error),
        retry_after_ms=_retry_after_ms(decisive),
        replayed=True
        if isinstance(error, RepeatedFailure) and error.retry_after is None
        else None,
        denial_context=denial_context(denial) if denial else None,
        remediation=remedies_for(denial) if denial else None,
        **(due_attempts(error.attempts) if isinstance(error, NoSourceAnswered) else {}),
    )


def doiget_failure(error: ResearchError, failed: FailedCall) -> ToolResult:
    """Build the error response of a `doiget_*` tool; `isError` is never set."""
    failure = DoigetFailure(ref=failed.text_argument("ref"), error=problem_of(error))
    structured = failure.model_dump(mode="json", exclude_none=True)
    return ToolResult(structured_json=as_json(structured))


def remedies_for(denial: Denial) -> list[Remedy] | None:
    """Return the settings that would allow a refused host; None rather than an empty list."""
    return list(remediations(denial)) or None


def denial_context(denial: Denial) -> DenialContext:
    return DenialContext.model_validate(denial, from_attributes=True)


def due_attempts(attempts: Iterable[SourceAttempt]) -> dict[str, Any]:
    """Return the attempts that were due one by one, and the other sources by reason."""
    due: list[SourceAttempt] = []
    not_due: dict[str, list[str]] = {}
    for one in attempts:
        if one.outcome in _NOT_DUE:
            not_due.setdefault(one.outcome, []).append(one.source)
        else:
            due.append(one)
    return {"attempts": attempt_rows(due), "not_due": not_due or None}


def attempt_rows(attempts: Iterable[SourceAttempt]) -> list[AttemptMade]:
    return [
        AttemptMade(
            source=attempt.source,
            outcome=attempt.outcome,
            consulted=attempt.consulted,
            detail=attempt.detail,
            required_env=list(attempt.required_env) or None,
            denial_context=denial_context(denial) if denial else None,
            remediation=remedies_for(denial) if denial else None,
        )
        for attempt, denial in ((one, denial_of(one.error)) for one in attempts)
    ]


def _retry_after_ms(error: ResearchError) -> int | None:
    wait = error.retry_after if isinstance(error, UpstreamError | RepeatedFailure) else None
    return None if wait is None else round(wait * 1000)
