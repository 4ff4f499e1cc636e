"""Arguments and responses that the tools for primary records share."""

from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from sourcewright.domain.records.periods import period_bounds
from sourcewright.services.cache import Cached
from sourcewright.services.records.sources import RecordOutcome
from sourcewright.tools._answers.search import (
    LongSearchText,
    Provider,
    SearchReply,
    clamped,
    integral,
)
from sourcewright.tools._base import Answer, ResearchArguments, SessionId, digits

R = TypeVar("R", bound=Answer)


def _days(value: str) -> tuple[str, str]:
    """The first and the last day of a date, which may be a month or a year."""
    days = period_bounds(value.strip().replace("/", "-"))
    if days is None:
        raise ValueError("must be a date such as 2024-01-31")
    return days


FirstDay = Annotated[
    str, BeforeValidator(digits), Field(max_length=40), AfterValidator(lambda day: _days(day)[0])
]
LastDay = Annotated[
    str, BeforeValidator(digits), Field(max_length=40), AfterValidator(lambda day: _days(day)[1])
]
"""A date, YYYY-MM-DD; of a month or a year it is the last day."""
Text = LongSearchText
Count = Annotated[int, BeforeValidator(integral)]


class RecordArguments(ResearchArguments):
    """Arguments of every tool for records; the default of `num_results` differs by tool."""

    provider: Provider | None = None
    session_id: SessionId | None = Field(None, alias="sessionId")


class Period(RecordArguments):
    """Arguments of tools whose records have a date."""

    date_from: FirstDay | None = None
    date_to: LastDay | None = None

    @model_validator(mode="after")
    def in_order(self) -> Self:
        if self.date_from and self.date_to and self.date_from > self.date_to:
            raise ValueError("date_from must not be after date_to")
        return self


class RecordReply(SearchReply):
    """What every answer of a tool for records has."""

    provider: str = Field(description="The source that answered.")


def reply_fields(
    outcome: RecordOutcome[Any], *, query: str | None, requested: int, most: int
) -> dict[str, Any]:
    """Return the fields that the answers of all tools for records have, but for the count."""
    return {
        "query": query or "",
        "requested_num_results": requested if requested != clamped(requested, most) else None,
        "provider": outcome.provider,
        "hints": outcome.hints,
    }


def with_freshness(reply: R, answer: Cached[Any]) -> R:
    """Add the `_meta` fields that say whether and for how long the answer was cached."""
    return reply.with_meta(
        cached=answer.cached,
        ageSeconds=answer.age_seconds,
        maxAgeSeconds=answer.max_age_seconds,
        freshness=answer.freshness,
    )
