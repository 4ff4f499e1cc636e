"""Error responses of `doiget_*` tools: `{ok: false, error: …}`."""

from typing import Literal

from pydantic import BaseModel, ConfigDict

from sourcewright.domain.codes import (
    DISPOSITIONS,
    Code,
    Disposition,
    Repeated,
    code_of,
    denial_of,
)
from sourcewright.domain.errors import Denial, DenialReason, ResearchError, UpstreamError
from sourcewright.domain.evidence import Attempt, Result, Unanswered
from sourcewright.logic.urls.allowlists import remediations
from sourcewright.tools._results import Failed, Said, ToolResult, as_json


class DenialContext(BaseModel):
    """Which rule refused, and what it would have accepted."""

    model_config = ConfigDict(extra="forbid")

    reason: DenialReason
    source: Said[str] = None
    attempted: Said[str] = None
    expected: Said[list[str]] = None
    hop_index: Said[int] = None
    cap: Said[int] = None
    actual: Said[int] = None


class Remedy(BaseModel):
    """One change of the settings that would help."""

    kind: Literal["additional_host", "trust_flag"]
    value: str
    note: str


class AttemptMade(BaseModel):
    """One source's part in the answer."""

    source: str
    outcome: Result
    consulted: bool
    detail: str | None = None
    required_env: Said[list[str]] = None
    denial_context: Said[DenialContext] = None
    remediation: Said[list[Remedy]] = None


class DoigetProblem(BaseModel):
    """What went wrong, and what to do about it."""

    code: Code
    message: str
    disposition: Disposition
    retry_after_ms: Said[int] = None
    replayed: Said[bool] = None
    denial_context: DenialContext | None = None
    """The only field that rows of a batch contain even if it is null."""
    remediation: Said[list[Remedy]] = None
    attempts: Said[list[AttemptMade]] = None


class DoigetFailure(BaseModel):
    """The failure form of every `doiget_*` answer."""

    ok: Literal[False] = False
    ref: str | None = None
    error: DoigetProblem


def problem_of(error: ResearchError) -> DoigetProblem:
    """Convert an error to the response format."""
    code = code_of(error)
    decisive = error.decisive if isinstance(error, Unanswered) else error
    denial = denial_of(error)
    return DoigetProblem(
        code=code,
        message=str(error),
        disposition=DISPOSITIONS[code],
        retry_after_ms=_retry_after_ms(decisive),
        replayed=True if isinstance(error, Repeated) and error.retry_after is None else None,
        denial_context=denial_context(denial) if denial else None,
        remediation=remedies_for(denial) if denial else None,
        attempts=attempts_made(error.attempts) if isinstance(error, Unanswered) else None,
    )


def doiget_failure(error: ResearchError, failed: Failed) -> ToolResult:
    """Build the error response of a `doiget_*` tool; `isError` is never set."""
    failure = DoigetFailure(ref=failed.said("ref"), error=problem_of(error))
    structured = failure.model_dump(mode="json", exclude_none=True)
    return ToolResult(structured=structured, text=as_json(structured))


def remedies_for(denial: Denial) -> list[Remedy] | None:
    """Return the settings that would allow a refused host; None rather than an empty list."""
    remedies = [Remedy(kind=r.kind, value=r.value, note=r.note) for r in remediations(denial)]
    return remedies or None


def denial_context(denial: Denial) -> DenialContext:
    expected = None if denial.expected is None else list(denial.expected)
    return DenialContext(
        reason=denial.reason,
        source=denial.source,
        attempted=denial.attempted,
        expected=expected,
        hop_index=denial.hop_index,
        cap=denial.cap,
        actual=denial.actual,
    )


def attempts_made(attempts: tuple[Attempt, ...]) -> list[AttemptMade]:
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
    wait = error.retry_after if isinstance(error, UpstreamError | Repeated) else None
    return None if wait is None else round(wait * 1000)
