"""The tool pipeline: validates arguments, runs the tool, audits, converts errors.

There are no permissions beyond the set of enabled tools. Rate limits and the sharing of
responses belong to the network layer below.
"""

import logging
import uuid
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from sourcewright.base.calls import NO_CALL, CallContext, Findings, Progress, current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import (
    Denial,
    Denied,
    InvalidInput,
    LockTimeout,
    LogError,
    ResearchError,
    Unavailable,
)
from sourcewright.base.event_loop import lack_of
from sourcewright.base.text.redaction import Masker
from sourcewright.domain.calls import FinishedCall
from sourcewright.domain.ports import AuditRecorder
from sourcewright.domain.users.tenants import Caller
from sourcewright.services.research import Research
from sourcewright.tools._arguments import (
    ARGUMENT_ENCODER,
    garbled_argument,
    validate_arguments,
    validation_message,
)
from sourcewright.tools._base import SESSION_NOTE, Ask, ToolSpec
from sourcewright.tools._failures.families import ENVELOPES
from sourcewright.tools._results import FailedCall, ToolResult, as_json

logger = logging.getLogger(__name__)

CANCELLED = "CANCELLED"
"""Error code in the audit log for a call that was cancelled."""

_SOURCE = "sourcewright"
_MAX_MESSAGE = 500
_ERROR_FIELDS = frozenset(
    {"attempts", "checked", "detail", "error", "errors", "hints", "not_asked", "scrapeFailures"}
)
"""Fields of a response, at any depth, that contain error messages of sources."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Calls tools by name; returns every error as a result, and never raises one."""

    specs: Mapping[str, ToolSpec]
    research: Callable[[], Research]
    """The services of the tenant that calls."""
    auditor: AuditRecorder
    caller: Callable[[], Caller]
    clock: Clock
    note: Callable[[str, float, Mapping[str, Any] | None], None]
    """Counts a call: its tool, its seconds, and its failure."""
    admit: Callable[[], Awaitable[None]]
    """Counts a call towards the limit of the caller; raises RateLimited for one too many."""
    count_call: Callable[[str], Awaitable[None]]
    """Counts a call in the analytics of the caller, where they consented."""
    mask: Masker
    meta: Mapping[str, Any]
    """Metadata added to every result, such as the sandbox flag."""

    async def call(
        self, name: str, arguments: object, *, progress: Progress | None = None
    ) -> ToolResult:
        """Call one tool. The name must be one of `specs`.

        Every call writes an audit event before the result is returned, except a dry run, which
        changes no file at all. If the event cannot be written, an error is returned instead of
        the result, unless the tool's purpose is to report such problems.
        """
        spec = self.specs[name]
        ask = self._permitted(spec, arguments)
        started = self.clock.monotonic()
        context = CallContext(
            deadline=None if spec.seconds is None else started + spec.seconds,
            findings=Findings() if _linked_session(ask) else None,
            progress=progress or NO_CALL.progress,
            is_closed=not spec.open_world,
            pages={},
        )
        token = current_call.set(context)
        outcome = _CallOutcome(code=CANCELLED)
        is_recorded = isinstance(ask, ResearchError) or not ask.is_preview
        audit_error: ResearchError | None = None
        try:
            if is_recorded and not spec.answers_unrecorded:
                ask = await self._admitted(await self._check_audit(ask))
            result, problem = await self._run_linked(spec, ask, arguments)
            result = self._masked(result, failed=problem is not None)
            code = ENVELOPES[spec.family].code(problem) if problem else None
            outcome = _CallOutcome(
                code=code,
                message=str(problem or "")[:_MAX_MESSAGE],
                routing=result.meta.get("routing"),
                audited=result.audited,
            )
        finally:
            current_call.reset(token)
            elapsed = self.clock.monotonic() - started
            self.note(name, elapsed, self._error(outcome))
            if is_recorded:
                event = _event(spec, arguments, outcome, elapsed)
                audit_error = await self._write_audit(
                    {**event, **_session_of(ask), **_caller_fields(self.caller())}
                )
        if audit_error and not spec.answers_unrecorded:
            failed = FailedCall(arguments=arguments, text_form=spec.text_form)
            result = ENVELOPES[spec.family].explain(audit_error, failed)
        if is_recorded:
            await self.count_call(name)
        return replace(result, meta={**result.meta, **self.meta}) if self.meta else result

    def _permitted(self, spec: ToolSpec, arguments: object) -> Ask | ResearchError:
        """Return the validated arguments, or the error for those that are not or may not be used."""
        if self.caller().may_call(spec.name):
            return _validate(spec.ask, arguments)
        return Denied(
            f"your token has no scope for {spec.name}; it needs tool:{spec.name} or tool:*",
            Denial(reason="capability_not_granted", source=_SOURCE),
        )

    async def _run_linked(
        self, spec: ToolSpec, ask: Ask | ResearchError, arguments: object
    ) -> tuple[ToolResult, ResearchError | None]:
        """Run the tool, and record what it found in the research session that the call names."""
        result, problem = await self._run(spec, ask, arguments)
        session, findings = _linked_session(ask), current_call.get().findings
        if session is None or findings is None:
            return result, problem
        call = FinishedCall(
            tool=spec.name,
            findings=findings,
            structured=result.structured,
            error=problem,
            url=None if isinstance(ask, ResearchError) else ask.argument("url"),
        )
        return await self._linked(result, session, call), problem

    async def _linked(self, result: ToolResult, session: str, call: FinishedCall) -> ToolResult:
        """Record the call in its session; the result says if that was not possible."""
        note = await self.research().sessions.recorder.link(session, call)
        meta = {**result.meta, "session": {"id": session, "linked": note is None}}
        if note is None or result.is_error:
            return replace(result, meta=meta)
        structured = as_json({**result.structured, SESSION_NOTE: note})
        return replace(result, structured_json=structured, meta=meta)

    async def _check_audit(self, ask: Ask | ResearchError) -> Ask | ResearchError:
        """Return the arguments, or an error if the audit log is not writable: then nothing starts."""
        try:
            await self.auditor.check()
        except (LogError, LockTimeout) as error:
            return _audit_failure(error)
        return ask

    async def _admitted(self, ask: Ask | ResearchError) -> Ask | ResearchError:
        """Return the arguments, or why this caller may not call now; bad input counts nothing."""
        if isinstance(ask, ResearchError):
            return ask
        try:
            await self.admit()
        except ResearchError as error:
            return error
        return ask

    async def _write_audit(self, event: Mapping[str, Any]) -> ResearchError | None:
        """Write the audit event; return the error if that failed."""
        try:
            await self.auditor.audit(event)
        except (LogError, LockTimeout) as error:
            return _audit_failure(error)
        return None

    def interrupted(self, name: str, arguments: object) -> ToolResult:
        """Return the error for a call that was cancelled because the server shuts down."""
        spec = self.specs[name]
        problem = Unavailable(_SOURCE, "the call was stopped before it finished", cause="cut")
        failed = FailedCall(arguments=arguments, text_form=spec.text_form)
        result = self._masked(ENVELOPES[spec.family].explain(problem, failed), failed=True)
        return replace(result, meta={**result.meta, **self.meta})

    async def _run(
        self, spec: ToolSpec, ask: Ask | ResearchError, arguments: object
    ) -> tuple[ToolResult, ResearchError | None]:
        """Run the tool; return the result, and the error if it failed."""
        problem: ResearchError
        try:
            answer = await spec.run(_raise_error(ask), self.research())
            return answer.result(), None
        except ResearchError as error:
            problem = error
        except Exception as error:
            # The outermost boundary: a bug in a tool must not end the session.
            lack = lack_of(error)
            if lack is None:
                logger.exception("defect in %s", spec.name)
            problem = ResearchError(
                lack or f"{spec.name} failed because of a bug in the server; see the server's log"
            )
        failed = FailedCall(arguments=arguments, text_form=spec.text_form)
        return ENVELOPES[spec.family].explain(problem, failed), problem

    def _masked(self, result: ToolResult, *, failed: bool) -> ToolResult:
        """Mask our secrets in the result.

        Outside of error messages only secrets that cannot be ordinary words are masked, because
        quoted text may contain such a word by chance.
        """
        mask = self.mask.mask_secrets_in
        meta = mask(result.meta)
        if result.is_json and not failed and not self.mask.is_known_in(result.text):
            return result if meta == result.meta else replace(result, meta=meta)
        if failed:
            structured, text = mask(result.structured), self.mask.mask_secrets(result.text)
        else:
            structured = self.mask.keys_in(_mask_errors(result.structured, mask))
            same = structured == result.structured
            text = self.mask.keys(result.text) if same else self.mask.mask_secrets(result.text)
        masked = as_json(structured)
        return replace(
            result,
            structured_json=masked,
            prose=None if text == masked else text,
            meta=meta,
        )

    def _error(self, outcome: "_CallOutcome") -> dict[str, Any] | None:
        if outcome.code is None:
            return None
        at = datetime.fromtimestamp(self.clock.now(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return {"at": at, "code": outcome.code, "message": self.mask(outcome.message)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _CallOutcome:
    """Outcome of a call, as recorded."""

    code: str | None = None
    message: str = ""
    routing: Mapping[str, Any] | None = None
    audited: Mapping[str, Any] = field(default_factory=dict)


def _mask_errors(value: Any, mask: Callable[[Any], Any]) -> Any:
    """Mask the fields that contain error messages, at any depth."""
    # A dumped model has no other containers, and asking for `Mapping` would be ten times slower.
    if isinstance(value, dict):
        return {
            name: mask(one)
            if name in _ERROR_FIELDS
            else _mask_errors(one, mask)
            if isinstance(one, dict | list)
            else one
            for name, one in value.items()
        }
    if isinstance(value, list):
        return [_mask_errors(one, mask) if isinstance(one, dict | list) else one for one in value]
    return value


def _validate(ask: type[Ask], arguments: object) -> Ask | InvalidInput:
    """Validate the arguments; return the error, because the audit needs to know of a dry run first."""
    garbled = garbled_argument(arguments)
    if garbled is not None:
        return InvalidInput(f"{garbled}: must be valid Unicode text, without lone surrogates")
    try:
        return validate_arguments(ask, {} if arguments is None else arguments)
    except ValidationError as error:
        return InvalidInput(validation_message(ask, error))


def _raise_error(ask: Ask | ResearchError) -> Ask:
    if isinstance(ask, ResearchError):
        raise ask
    return ask


def _audit_failure(error: LogError | LockTimeout) -> LogError:
    return LogError(f"no result, because the call could not be recorded: {error}")


def _linked_session(ask: Ask | ResearchError) -> str | None:
    return None if isinstance(ask, ResearchError) else ask.linked_session


def _session_of(ask: Ask | ResearchError) -> dict[str, str]:
    """Return the research session that the call names, for the audit event."""
    session = None if isinstance(ask, ResearchError) else ask.argument("session_id")
    return {"session_id": session} if isinstance(session, str) else {}


def _caller_fields(caller: Caller) -> dict[str, str]:
    """Return who called, and the id of the request, for the audit event."""
    fields = {
        "tenant_id": caller.owner.tenant,
        "user_id": caller.owner.user,
        "request_id": caller.request_id or str(uuid.uuid4()),
    }
    return {**fields, "source_ip": caller.address} if caller.address else fields


def _event(
    spec: ToolSpec, arguments: object, outcome: _CallOutcome, elapsed: float
) -> dict[str, Any]:
    return {
        "event_type": "tool_call",
        "tool_name": spec.name,
        "duration_ms": round(elapsed * 1000),
        "success": outcome.code is None,
        "error_code": outcome.code,
        "query": ARGUMENT_ENCODER.encode(arguments),
        **({"routing": dict(outcome.routing)} if outcome.routing else {}),
        **outcome.audited,
    }
