"""Use cases of `answer` and `structured_search`: queries answer engines."""

from dataclasses import dataclass

from sourcewright.base.formats.codec import JsonCodec
from sourcewright.domain.calls import note_source
from sourcewright.domain.capabilities import AnswersQuestions, ExtractsFields
from sourcewright.domain.records.answers import GroundedAnswer, StructuredQuery, StructuredResults
from sourcewright.domain.users.sessions import SessionSource
from sourcewright.services.records.sources import HOUR, RecordKind, RecordOutcome, RecordSources

ANSWER_SECONDS = 45.0
"""Timeout of a request for which the provider reads pages and writes text."""
_ANSWER = RecordKind(
    name="answer",
    codec=JsonCodec(GroundedAnswer),
    keep=lambda answer: bool(answer.text),
    ttl_seconds=HOUR,
    timeout_seconds=ANSWER_SECONDS,
)
_RESULTS = RecordKind(
    name="structured",
    codec=JsonCodec(StructuredResults),
    keep=lambda results: bool(results.items),
    ttl_seconds=HOUR,
    timeout_seconds=ANSWER_SECONDS,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerEngines:
    """Queries the answer engines."""

    engines: RecordSources

    async def answer(self, question: str, provider: str | None) -> RecordOutcome[GroundedAnswer]:
        """Return a written answer with its citations.

        Raises:
            NotConfigured: The requested engine is unusable.
            UpstreamError: The engine did not return a usable answer.
        """
        name, engine = self.engines.choose(AnswersQuestions, provider)
        answer = await self.engines.ask(
            name, _ANSWER, {"question": question}, lambda: engine.answer_question(question)
        )
        for one in answer.value.citations:
            note_source(SessionSource(url=one.url, title=one.title or one.url, date=one.published))
        return RecordOutcome(provider=name, answer=answer)

    async def search(
        self, query: StructuredQuery, provider: str | None
    ) -> RecordOutcome[StructuredResults]:
        """Search, and extract fields from each result.

        Raises:
            InvalidInput: The engine does not support the category or the schema.
            NotConfigured: The requested engine is unusable.
            UpstreamError: The engine did not return a usable answer.
        """
        name, engine = self.engines.choose(ExtractsFields, provider)
        answer = await self.engines.ask(
            name, _RESULTS, {"query": query}, lambda: engine.search_structured(query)
        )
        for one in answer.value.items:
            note_source(
                SessionSource(
                    url=one.url,
                    title=one.title or one.url,
                    author=one.author,
                    date=one.published,
                )
            )
        # Not the schema: it says what is extracted from the results, and excludes none.
        filters = {"category": query.category}
        hints = None if answer.value.items else self.engines.hints(ExtractsFields, name, filters)
        return RecordOutcome(provider=name, answer=answer, hints=hints)
