"""Arguments and responses that the tools of answer engines share: cost, results, citations."""

import json
from typing import Any

from pydantic import Field

from sourcewright.domain.records.answers import StructuredItem
from sourcewright.services.cache import Cached
from sourcewright.tools._answers.search import LongSearchText, Provider
from sourcewright.tools._base import Answer, ResearchArguments, SessionId
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust


class EngineArguments(ResearchArguments):
    """What both tools take."""

    query: LongSearchText
    provider: Provider | None = Field(None, description="Only this engine.")
    session_id: SessionId | None = Field(None, alias="sessionId")


class EngineReply(Answer):
    """What both answers have."""

    model_config = CAMEL

    provider: str
    cost_usd: OmittedIfNone[float] = Field(
        None, description="The provider's estimate for this call."
    )
    trust: Trust = UNTRUSTED

    def audited(self) -> dict[str, Any]:
        return {"provider": self.provider, "cost_usd": self.cost_usd or 0.0}


def charged(answer: Cached[Any]) -> float | None:
    """Return what this call cost; an answer from the cache costs nothing."""
    return None if answer.cached else answer.value.cost_usd or None


class StructuredFound(Answer):
    """One result."""

    model_config = CAMEL

    title: OmittedIfNone[str] = None
    url: str
    published_date: OmittedIfNone[str] = None
    author: OmittedIfNone[str] = None
    summary: OmittedIfNone[Any] = Field(None, description="Follows the schema; without one, text.")
    highlights: OmittedIfNone[list[str]] = Field(None, description="Verbatim passages.")
    entities: OmittedIfNone[Any] = None


def structured_found(item: StructuredItem) -> StructuredFound:
    return StructuredFound(
        title=item.title,
        url=item.url,
        published_date=item.published,
        author=item.author,
        summary=None if item.summary is None else json.loads(item.summary),
        highlights=list(item.highlights) or None,
        entities=None if item.entities is None else json.loads(item.entities),
    )
