"""The tool pipeline: validates arguments, runs the tool, audits, maps failures.

Who may call is decided by which tools are here at all; the pace of upstreams
and the sharing of their answers belong to the network layer, below the tools.
"""

import json
import logging
import uuid
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from pydantic import ValidationError

from sourcewright.domain.calls import Call, Progress, current_call
from sourcewright.domain.errors import (
    InvalidInput,
    LockTimeout,
    LogError,
    ResearchError,
    Unavailable,
)
from sourcewright.domain.ports import Auditor, Clock
from sourcewright.logic.text.redaction import Masker
from sourcewright.services.instance.health import Observer
from sourcewright.services.research import Research
from sourcewright.tools._arguments import validated
from sourcewright.tools._base import Ask, ToolSpec
from sourcewright.tools._failures.families import MANNERS
from sourcewright.tools._results import Failed, ToolResult

logger = logging.getLogger(__name__)

CANCELLED = "CANCELLED"
"""What the audit says of a call whose caller left before the answer came."""

_OURSELVES = "sourcewright"
_LONGEST_MESSAGE = 500
_ACCOUNTS = frozenset(
    {"attempts", "checked", "detail", "error", "errors", "hints", "not_asked", "scrapeFailures"}
)
"""Where an answer says what sources failed with, at any depth."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pipeline:
    """Calls tools by name. Nothing that a tool or a caller does makes it raise."""

    specs: Mapping[str, ToolSpec]
    research: Research
    auditor: Auditor
    clock: Clock
    observer: Observer
    mask: Masker
    meta: Mapping[str, Any]
    """Said with every result, such as that it comes from a sandbox."""

    async def call(
        self, name: str, arguments: object, *, progress: Progress | None = None
    ) -> ToolResult:
        """Call one tool. The name must be one of `specs`.

        Every call leaves an audit event before its answer is given, but for a dry run: that
        changes no file at all. Where the event cannot be kept, the answer says that instead,
        unless the tool is there to find out such things.
        """
        spec = self.specs[name]
        ask: Ask | ResearchError = _asked(spec.ask, arguments)
        started = self.clock.monotonic()
        deadline = None if spec.seconds is None else started + spec.seconds
        told = {"progress": progress} if progress else {}
        token = current_call.set(Call(deadline=deadline, **told))
        ending = _Ending(code=CANCELLED)
        is_recorded = isinstance(ask, ResearchError) or not ask.is_preview
        unrecorded: ResearchError | None = None
        try:
            if is_recorded and not spec.answers_unrecorded:
                ask = await self._checked(ask)
            result, problem = await self._answer(spec, ask, arguments)
            result = self._discreet(result, failed=problem is not None)
            code = MANNERS[spec.family].code(problem) if problem else None
            ending = _Ending(
                code=code,
                message=str(problem or "")[:_LONGEST_MESSAGE],
                routing=result.meta.get("routing"),
            )
        finally:
            current_call.reset(token)
            elapsed = self.clock.monotonic() - started
            self.observer.note(name, elapsed, self._error(ending))
            if is_recorded:
                unrecorded = await self._unrecorded(_event(spec, arguments, ending, elapsed))
        if unrecorded and not spec.answers_unrecorded:
            failed = Failed(arguments=arguments, text_form=spec.text_form)
            result = MANNERS[spec.family].explain(unrecorded, failed)
        return replace(result, meta={**result.meta, **self.meta})

    async def _checked(self, ask: Ask | ResearchError) -> Ask | ResearchError:
        """The question, unless the audit log fails already: then nothing is begun."""
        try:
            await self.auditor.check()
        except (LogError, LockTimeout) as error:
            return _not_kept(error)
        return ask

    async def _unrecorded(self, event: Mapping[str, Any]) -> ResearchError | None:
        """Keep the event; says why it could not be kept."""
        try:
            await self.auditor.audit(event)
        except (LogError, LockTimeout) as error:
            return _not_kept(error)
        return None

    def interrupted(self, name: str, arguments: object) -> ToolResult:
        """What the caller of a cancelled call is told, where it is still there to be told."""
        spec = self.specs[name]
        problem = Unavailable(_OURSELVES, "stopped before the answer was there", cause="cut")
        failed = Failed(arguments=arguments, text_form=spec.text_form)
        result = self._discreet(MANNERS[spec.family].explain(problem, failed), failed=True)
        return replace(result, meta={**result.meta, **self.meta})

    async def _answer(
        self, spec: ToolSpec, ask: Ask | ResearchError, arguments: object
    ) -> tuple[ToolResult, ResearchError | None]:
        """The result, and what went wrong where something did."""
        problem: ResearchError
        try:
            answer = await spec.run(_usable(ask), self.research)
            return answer.result(), None
        except ResearchError as error:
            problem = error
        except Exception:
            # The boundary: a defect of ours must not end the session.
            logger.exception("defect in %s", spec.name)
            problem = ResearchError(
                f"{spec.name} failed through a defect; the server's log says more"
            )
        failed = Failed(arguments=arguments, text_form=spec.text_form)
        return MANNERS[spec.family].explain(problem, failed), problem

    def _discreet(self, result: ToolResult, *, failed: bool) -> ToolResult:
        """The result without our secrets, whoever said them.

        Where a source is quoted, a secret that is a word stays: it may be one there.
        """
        mask = self.mask.known_in
        if failed:
            told, text = mask(result.structured), self.mask.known(result.text)
        else:
            told = self.mask.keys_in(_told(result.structured, mask))
            same = told == result.structured
            text = self.mask.keys(result.text) if same else self.mask.known(result.text)
        return replace(result, structured=told, text=text, meta=mask(result.meta))

    def _error(self, ending: "_Ending") -> dict[str, Any] | None:
        if ending.code is None:
            return None
        at = datetime.fromtimestamp(self.clock.now(), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
        return {"at": at, "code": ending.code, "message": self.mask(ending.message)}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ending:
    """How a call ended, as far as it is kept."""

    code: str | None = None
    message: str = ""
    routing: Mapping[str, Any] | None = None


def _told(value: Any, mask: Callable[[Any], Any]) -> Any:
    """The value, masked where it is an account of failures."""
    if isinstance(value, Mapping):
        return {
            name: mask(one) if name in _ACCOUNTS else _told(one, mask)
            for name, one in value.items()
        }
    return [_told(one, mask) for one in value] if isinstance(value, list) else value


def _asked(ask: type[Ask], arguments: object) -> Ask | InvalidInput:
    """The question, or what is wrong with it: whether it is a dry run must be known first."""
    try:
        return validated(ask, {} if arguments is None else arguments)
    except ValidationError as error:
        return InvalidInput(_explained(ask, error))


def _usable(ask: Ask | ResearchError) -> Ask:
    if isinstance(ask, ResearchError):
        raise ask
    return ask


def _not_kept(error: LogError | LockTimeout) -> LogError:
    return LogError(f"there is no answer, because the call could not be recorded: {error}")


def _explained(ask: type[Ask], error: ValidationError) -> str:
    """Every problem with its argument's name, and what would have been accepted."""
    problems = [
        f"{'.'.join(map(str, problem['loc'])) or 'arguments'}: {_words(problem['msg'])}"
        for problem in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    fields = ask.model_fields.items()
    accepted = ", ".join(field.alias or name for name, field in fields) or "none"
    return f"{'; '.join(problems[:10])} (accepted arguments: {accepted})"


def _words(message: str) -> str:
    """Our own words as they are; the library's without the capital that it begins with."""
    _, ours, words = message.partition("Value error, ")
    return words if ours else message[:1].lower() + message[1:]


def _event(spec: ToolSpec, arguments: object, ending: _Ending, elapsed: float) -> dict[str, Any]:
    return {
        "event_type": "tool_call",
        "tool_name": spec.name,
        "request_id": str(uuid.uuid4()),
        "duration_ms": round(elapsed * 1000),
        "success": ending.code is None,
        "error_code": ending.code,
        "query": json.dumps(arguments, ensure_ascii=False, default=str),
        **({"routing": dict(ending.routing)} if ending.routing else {}),
    }
