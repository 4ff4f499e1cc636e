"""Capabilities of answer engines: written answers, extracted fields."""

from typing import Protocol, runtime_checkable

from sourcewright.domain.capabilities.roles import used_for
from sourcewright.domain.records.answers import GroundedAnswer, StructuredQuery, StructuredResults


@used_for("answers")
@runtime_checkable
class AnswersQuestions(Protocol):
    """Writes an answer to a question, with the pages that it relies on."""

    async def answer_question(self, question: str) -> GroundedAnswer: ...


@used_for("answers")
@runtime_checkable
class ExtractsFields(Protocol):
    """Searches the web and extracts fields from each result.

    Raises InvalidInput, before any request, for a category or a schema that it does not support.
    """

    async def search_structured(self, query: StructuredQuery) -> StructuredResults: ...
