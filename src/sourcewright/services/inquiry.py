"""Queries sources, and writes a provenance row for each before its response is used."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar

from sourcewright.base.errors import Denied, NotFound, ResearchError, UpstreamError
from sourcewright.base.formats.digests import canonical_digest
from sourcewright.base.identifiers import Reference
from sourcewright.base.pages import FetchedFile, RedactedUrl
from sourcewright.domain.codes import Code, code_of
from sourcewright.domain.evidence import AttemptOutcome, SourceAttempt
from sourcewright.domain.ports import ProvenanceRecorder, ProvenanceRow

T = TypeVar("T")
ErrorOrCancellation = ResearchError | asyncio.CancelledError


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceResponse(Generic[T]):
    """Outcome of querying one source: its response, or the error."""

    attempt: SourceAttempt
    answer: T | None = None

    @property
    def absent(self) -> bool:
        return self.attempt.outcome == "consulted_no_record"


class Inquiry:
    """Queries several sources about one reference, with a provenance row for each."""

    def __init__(
        self,
        reference: Reference | RedactedUrl,
        recorder: ProvenanceRecorder,
        *,
        event: str = "resolve",
    ) -> None:
        self.reference = reference
        self._recorder = recorder
        self._event = event
        self.shortfall: ResearchError | None = None
        """Why the result is incomplete; recorded in the last row."""

    def for_identifier(self, reference: Reference) -> "Inquiry":
        """Return an inquiry about another identifier of the paper, with rows under that one."""
        return Inquiry(reference, self._recorder, event=self._event)

    async def ask(
        self,
        source: str,
        question: Awaitable[T],
        *,
        detail: str | None = None,
        capability: str = "metadata",
    ) -> SourceResponse[T]:
        """Await one source's response; an upstream error is returned in the attempt, not raised.

        Raises:
            LogError: The row could not be written, so the response must not be used.
        """
        try:
            answer = await question
        except asyncio.CancelledError as cancelled:
            self._recorder.note(self._row(source, capability, cancelled))
            raise
        except (UpstreamError, Denied) as error:
            await self._recorder.record(self._row(source, capability, error))
            detail = error.detail if isinstance(error, UpstreamError) else str(error)
            attempt = SourceAttempt(
                source=source, outcome=_outcome(error), detail=detail, error=error
            )
            return SourceResponse(attempt=attempt)
        size = len(answer.body) if isinstance(answer, FetchedFile) else None
        await self._recorder.record(self._row(source, capability, None, size))
        attempt = SourceAttempt(source=source, outcome="consulted_resolved", detail=detail)
        return SourceResponse(attempt=attempt, answer=answer)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Write the session's first and last row, also on errors and cancellation."""
        with self._recording_cancellation():
            await self._recorder.record(self._boundary("session_start", None))
        try:
            with self._recording_cancellation():
                yield
        except ResearchError as error:
            await self._recorder.record(self._boundary("session_end", error))
            raise
        await self._recorder.record(self._boundary("session_end", self.shortfall))

    @contextmanager
    def _recording_cancellation(self) -> Iterator[None]:
        """Write the last row also when the caller is cancelled."""
        try:
            yield
        except asyncio.CancelledError as cancelled:
            self._recorder.note(self._boundary("session_end", cancelled))
            raise

    async def record(self, row: ProvenanceRow) -> None:
        """Write a row of another event, such as a written file."""
        await self._recorder.record(row)

    def _row(
        self,
        source: str,
        capability: str,
        error: ErrorOrCancellation | None,
        size: int | None = None,
    ) -> ProvenanceRow:
        return ProvenanceRow(
            event=self._event,
            result=_result(error),
            capability=capability,
            ref=str(self.reference),
            source=source,
            size_bytes=size,
            error_code=_code(error),
            canonical_digest=canonical_digest(self.reference, source),
        )

    def _boundary(self, event: str, error: ErrorOrCancellation | None) -> ProvenanceRow:
        return ProvenanceRow(
            event=event,
            result=_result(error),
            capability="metadata",
            ref=str(self.reference),
            error_code=_code(error),
        )


def _outcome(error: ResearchError) -> AttemptOutcome:
    if isinstance(error, NotFound):
        return "consulted_no_record"
    return "consulted_denied" if isinstance(error, Denied) else "consulted_failed"


def _code(error: ErrorOrCancellation | None) -> Code | None:
    """Return the code of an error; None for a cancelled call."""
    return code_of(error) if isinstance(error, ResearchError) else None


def _result(error: ErrorOrCancellation | None) -> Literal["ok", "err", "denied"]:
    if error is None:
        return "ok"
    return "denied" if isinstance(error, Denied) else "err"
