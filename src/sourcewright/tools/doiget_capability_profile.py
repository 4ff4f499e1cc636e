"""The doiget_capability_profile tool."""

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, Field

from sourcewright.services.instance.health import PAPERS_PER_SECOND
from sourcewright.services.providers import Source
from sourcewright.services.research import Research
from sourcewright.tools._base import Answer, Ask, tool


class ProfileArguments(Ask):
    """No arguments."""


class SourceState(BaseModel):
    """Whether a source is usable."""

    name: str
    title: str
    usable: bool
    needs: list[str] = Field(
        description="Settings that would enable it; of aliases, one is enough."
    )
    advice: str | None = Field(description="Which of these settings to set.")


class CapabilityProfile(Answer):
    """Which sources this server can query; never contains a key."""

    ok: Literal[True] = True
    oa_enabled: Literal[True] = True
    metadata_sources: list[str] = Field(description="Optional sources that are enabled.")
    tdm_enabled: bool
    tdm_elsevier: bool
    tdm_aps: bool
    tdm_springer: bool
    rate_limit_per_sec: float
    tier_1: list[str]
    tier_2: list[str]
    tier_3: list[str]
    sources: list[SourceState]


@tool(
    title="List the available sources",
    toolset="papers",
    family="doiget",
    read_only=True,
    idempotent=True,
    open_world=False,
    example={},
    answers_unrecorded=True,
)
async def doiget_capability_profile(
    ask: ProfileArguments, research: Research
) -> CapabilityProfile:
    """Report which sources this server can query.

    WHEN TO USE: First, to plan which papers can be resolved or fetched here.
    INPUTS: None.
    OUTPUTS: { ok: true, metadata_sources, tdm_enabled, sources, ... }.
    COSTS: None: no network.
    SIDE EFFECTS: None.
    LIMITS: What is configured, not what is reachable.
    """
    sources = research.instance.status.sources()
    licensed = _usable(sources, tier=3)
    return CapabilityProfile(
        metadata_sources=_usable(sources, tier=2),
        tdm_enabled=bool(licensed),
        tdm_elsevier="tdm-elsevier" in licensed,
        tdm_aps="tdm-aps" in licensed,
        tdm_springer="tdm-springer" in licensed,
        rate_limit_per_sec=PAPERS_PER_SECOND,
        tier_1=sorted(source.name for source in sources if source.info.tier == 1),
        tier_2=_usable(sources, tier=2),
        tier_3=licensed,
        sources=[_state(source) for source in sources],
    )


def _usable(sources: Sequence[Source], *, tier: int) -> list[str]:
    return sorted(s.name for s in sources if s.info.tier == tier and s.provider is not None)


def _state(source: Source) -> SourceState:
    return SourceState(
        name=source.name,
        title=source.info.title,
        usable=source.provider is not None,
        needs=_needed_settings(source),
        advice=_advice(source),
    )


def _needed_settings(source: Source) -> list[str]:
    if source.provider is not None:
        return []
    switch_setting = [] if source.enabled or source.switch is None else [source.switch]
    return [*switch_setting, *(source.required if source.missing else ())]


def _advice(source: Source) -> str | None:
    if source.provider is not None:
        return None
    return source.remedy if not source.enabled else f"set {source.needs}"
