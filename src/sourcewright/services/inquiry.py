"""Asks sources and writes a provenance row for each, before its answer is used."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Coroutine, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

from sourcewright.domain.codes import Code, code_of
from sourcewright.domain.errors import Denied, NotFound, ResearchError, UpstreamError
from sourcewright.domain.evidence import Attempt, Result
from sourcewright.domain.files import FetchedFile
from sourcewright.domain.identifiers import Reference
from sourcewright.domain.pages import PageAddress
from sourcewright.domain.ports import Recorder, Row
from sourcewright.logic.formats.digests import canonical_digest

T = TypeVar("T")
U = TypeVar("U")
Trouble = ResearchError | asyncio.CancelledError


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked(Generic[T]):
    """What one source said: its answer, or why there is none."""

    attempt: Attempt
    answer: T | None = None

    @property
    def absent(self) -> bool:
        return self.attempt.outcome == "consulted_no_record"


class Inquiry:
    """One question put to several sources, each leaving its row in the provenance log."""

    def __init__(
        self, reference: Reference | PageAddress, recorder: Recorder, *, event: str = "resolve"
    ) -> None:
        self.reference = reference
        self._recorder = recorder
        self._event = event
        self.shortfall: ResearchError | None = None
        """What kept the answer from being whole, for the last row to say."""

    def about(self, reference: Reference) -> "Inquiry":
        """The same question about another spelling of the paper, with rows under that one."""
        return Inquiry(reference, self._recorder, event=self._event)

    async def ask(
        self,
        source: str,
        question: Awaitable[T],
        *,
        about: str | None = None,
        capability: str = "metadata",
    ) -> Asked[T]:
        """Await one source's answer; a failure becomes part of the account, not an exception.

        Raises:
            LogError: The row could not be kept, so the answer may not be used.
        """
        try:
            answer = await question
        except asyncio.CancelledError as leaving:
            self._recorder.note(self._row(source, capability, leaving))
            raise
        except (UpstreamError, Denied) as error:
            await self._recorder.record(self._row(source, capability, error))
            detail = error.detail if isinstance(error, UpstreamError) else str(error)
            attempt = Attempt(source=source, outcome=_outcome(error), detail=detail, error=error)
            return Asked(attempt=attempt)
        size = len(answer.body) if isinstance(answer, FetchedFile) else None
        await self._recorder.record(self._row(source, capability, None, size))
        attempt = Attempt(source=source, outcome="consulted_resolved", detail=about)
        return Asked(attempt=attempt, answer=answer)

    @asynccontextmanager
    async def session(self) -> AsyncIterator[None]:
        """Bracket the question with its first and last row, whatever happens between them."""
        with self._ending_early():
            await self._recorder.record(self._boundary("session_start", None))
        try:
            with self._ending_early():
                yield
        except ResearchError as error:
            await self._recorder.record(self._boundary("session_end", error))
            raise
        await self._recorder.record(self._boundary("session_end", self.shortfall))

    @contextmanager
    def _ending_early(self) -> Iterator[None]:
        """Leave the last row also when the caller does not wait for the answer."""
        try:
            yield
        except asyncio.CancelledError as leaving:
            self._recorder.note(self._boundary("session_end", leaving))
            raise

    async def record(self, row: Row) -> None:
        """Leave a row of another kind, such as that a file was written."""
        await self._recorder.record(row)

    def _row(
        self, source: str, capability: str, error: Trouble | None, size: int | None = None
    ) -> Row:
        return Row(
            event=self._event,
            result=_result(error),
            capability=capability,
            ref=str(self.reference),
            source=source,
            size_bytes=size,
            error_code=_code(error),
            canonical_digest=canonical_digest(self.reference, source),
        )

    def _boundary(self, event: str, error: Trouble | None) -> Row:
        return Row(
            event=event,
            result=_result(error),
            capability="metadata",
            ref=str(self.reference),
            error_code=_code(error),
        )


async def together(asking: Sequence[Coroutine[Any, Any, T]]) -> list[T]:
    """Await all at once; the first to raise ends the others, and its own error is raised."""
    if len(asking) == 1:
        return [await asking[0]]
    try:
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(one) for one in asking]
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None
    return [task.result() for task in tasks]


async def both(first: Coroutine[Any, Any, T], second: Coroutine[Any, Any, U]) -> tuple[T, U]:
    """`together`, for two questions of different kinds."""
    answers: list[Any] = await together([first, second])
    return answers[0], answers[1]


def _outcome(error: ResearchError) -> Result:
    if isinstance(error, NotFound):
        return "consulted_no_record"
    return "consulted_denied" if isinstance(error, Denied) else "consulted_failed"


def _code(error: Trouble | None) -> Code | None:
    """The code of an error; a caller who left before the answer came leaves none."""
    return code_of(error) if isinstance(error, ResearchError) else None


def _result(error: Trouble | None) -> Literal["ok", "err", "denied"]:
    if error is None:
        return "ok"
    return "denied" if isinstance(error, Denied) else "err"
