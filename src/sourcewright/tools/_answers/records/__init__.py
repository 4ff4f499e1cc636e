"""Arguments and responses that the tools for primary records share."""

import re
from typing import Annotated, Any, Self, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from sourcewright.services.cache import Cached
from sourcewright.services.records.sources import RecordOutcome
from sourcewright.tools._answers.search import (
    LongSearchText,
    Provider,
    SearchReply,
    clamped,
    integral,
)
from sourcewright.tools._base import Answer, ResearchArguments

R = TypeVar("R", bound=Answer)


def _date(value: str) -> str:
    """Check a date of the calendar."""
    from datetime import date

    if not re.fullmatch(r"\d{4}-\d\d-\d\d", value.strip(), re.ASCII):
        raise ValueError("must be a date such as 2024-01-31")
    return date.fromisoformat(value.strip()).isoformat()


Day = Annotated[str, Field(max_length=20), AfterValidator(_date)]
"""A date, YYYY-MM-DD."""
Text = LongSearchText
Count = Annotated[int, BeforeValidator(integral)]


class RecordArguments(ResearchArguments):
    """Arguments of every tool for records; the default of `num_results` differs by tool."""

    provider: Provider | None = None
    session_id: Annotated[str, Field(max_length=200)] | None = Field(None, alias="sessionId")


class Period(RecordArguments):
    """Arguments of tools whose records have a date."""

    date_from: Day | None = None
    date_to: Day | None = None

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
