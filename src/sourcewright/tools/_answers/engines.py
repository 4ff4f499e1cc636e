"""Arguments and responses that the tools of answer engines share: cost, citations."""

from typing import Annotated, Any

from pydantic import ConfigDict, Field, model_validator

from sourcewright.services.cache import Cached
from sourcewright.tools._answers.search import Name, SearchText, drop_blanks
from sourcewright.tools._base import Answer, Ask
from sourcewright.tools._results import CAMEL, UNTRUSTED, OmittedIfNone, Trust


class EngineArguments(Ask):
    """What both tools take."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, validate_by_name=True)

    query: SearchText
    provider: Name | None = Field(None, description="Use only this engine.")
    session_id: Annotated[str, Field(max_length=200)] | None = Field(
        None, alias="sessionId", description="Link results to a research session."
    )

    @model_validator(mode="before")
    @classmethod
    def without_blanks(cls, value: Any) -> Any:
        return drop_blanks(cls, value)


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
