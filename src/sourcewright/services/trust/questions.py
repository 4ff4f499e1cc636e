"""Requests to indexes, repeated after the pause that a throttling index requires."""

from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from typing import Final, TypeVar

from sourcewright.base.calls import current_call
from sourcewright.base.clocks import Clock
from sourcewright.base.errors import (
    BadAnswer,
    Denied,
    InvalidInput,
    NotConfigured,
    RateLimited,
    ResearchError,
    UpstreamError,
)
from sourcewright.base.identifiers import Pmcid
from sourcewright.base.works import Registration, WorkRecord
from sourcewright.domain.capabilities import (
    ConvertsPubmedIds,
    FindsTitles,
    LocatesDois,
    SearchesWorks,
)
from sourcewright.domain.papers.scholar import WorkQuery
from sourcewright.services.scholar.requests import Descriptions, IdKind, IndexRequests
from sourcewright.services.trust.integrity import CHECK_SECONDS

T = TypeVar("T")

ROUNDS: Final = 5
"""Maximum number of requests to an index that throttles, including the first."""
MAX_PAUSE_SECONDS: Final = 10.0
CANDIDATES: Final = 10
DOI_SYSTEM: Final = "doi.org"
CONVERTER: Final = "ncbi"
_MAX_QUERY: Final = 600

Records = tuple[WorkRecord, ...] | ResearchError
"""The records that an index found, or why it did not answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PatientQuestions:
    """Queries indexes; waits if they throttle, as long as the deadline allows."""

    requests: IndexRequests
    locator: LocatesDois | None
    """The DOI system; None if it is turned off."""
    converter: ConvertsPubmedIds | None
    """Converts PMC ids to DOIs; None if it is turned off."""
    clock: Clock

    def finds_titles(self, name: str) -> bool:
        return name in self.requests.indexes.having(FindsTitles)

    async def titles(self, name: str, titles: tuple[str, ...]) -> Records:
        """Find works with any of these titles."""
        answer = await self._patiently(lambda: self.requests.find_titles(name, titles))
        return answer if isinstance(answer, ResearchError) else answer.value.records

    async def search(self, name: str, text: str) -> Records | None:
        """Search one index; None if it is disabled, or there is nothing to search for."""
        if name not in self.requests.indexes.having(SearchesWorks) or not text.strip():
            return None
        query = WorkQuery(text=text[:_MAX_QUERY], limit=CANDIDATES)
        try:
            answer = await self._patiently(lambda: self.requests.search(name, query))
        except InvalidInput:
            # A title without words, such as "???".
            return None
        return answer if isinstance(answer, ResearchError) else answer.value.records

    async def locate(self, doi: str) -> Registration | ResearchError:
        """Query the DOI system; the error is NotFound if it has no such DOI."""
        locator = self.locator
        if locator is None:
            return NotConfigured("the DOI system is turned off")

        return await self._patiently(lambda: _outcome(DOI_SYSTEM, locator.locate_doi(doi)))

    async def convert(self, pmcid: Pmcid) -> str | ResearchError | None:
        """The DOI of the record of a PMC id; None if the record has no DOI."""
        converter = self.converter
        if converter is None:
            return NotConfigured("the conversion of PMC ids is turned off")

        return await self._patiently(lambda: _outcome(CONVERTER, converter.doi_of(pmcid)))

    async def described(self, name: str, kind: IdKind, ids: Iterable[str]) -> Descriptions:
        """Records by identifier; failed requests are repeated after a pause."""
        described = await self.requests.describe_each(name, kind, ids, seconds=CHECK_SECONDS)
        for _ in range(ROUNDS - 1):
            pause = max((_pause(one) or 0.0 for one in described.failures.values()), default=0.0)
            if not pause or not self._has_time_for(pause):
                break
            await self.clock.sleep(pause)
            again = await self.requests.describe_each(
                name, kind, described.failures, seconds=CHECK_SECONDS
            )
            described.records |= again.records
            described.failures = again.failures
        return described

    async def _patiently(self, ask: Callable[[], Awaitable[T]]) -> T:
        answer = await ask()
        for _ in range(ROUNDS - 1):
            pause = _pause(answer)
            if pause is None or not self._has_time_for(pause):
                break
            await self.clock.sleep(pause)
            answer = await ask()
        return answer

    def _has_time_for(self, pause: float) -> bool:
        deadline = current_call.get().deadline
        return deadline is None or self.clock.monotonic() + 2 * pause < deadline


async def _outcome(name: str, answer: Awaitable[T]) -> T | ResearchError:
    """The answer of a source, or why there is none."""
    try:
        return await answer
    except UpstreamError as error:
        return error
    except Denied as error:
        # The caller gave no URL, so the refused URL came from the source.
        return BadAnswer(name, str(error), cause="shape")


def _pause(answer: object) -> float | None:
    """How long to wait before the next request; None if that would not help."""
    if not isinstance(answer, RateLimited):
        return None
    wait = answer.retry_after if answer.retry_after is not None else 1.0
    return max(wait, 0.2) if wait <= MAX_PAUSE_SECONDS else None
