"""What a tool call found, for its research session: sources, and how providers answered."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from sourcewright.base.calls import Findings, ProviderOutcome, current_call
from sourcewright.base.errors import ResearchError
from sourcewright.domain.users.sessions import SessionSource


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishedCall:
    """A finished tool call, with the data that its research session records."""

    tool: str
    findings: Findings
    structured: Mapping[str, Any]
    error: ResearchError | None = None
    url: str | None = None
    """The page that the caller requested, if any."""


@contextmanager
def collecting() -> Iterator[Findings]:
    """Collect the sources and outcomes of the calls inside."""
    findings = Findings()
    token = current_call.set(replace(current_call.get(), findings=findings))
    try:
        yield findings
    finally:
        current_call.reset(token)


def note_source(source: SessionSource) -> None:
    """Note a source that the current call returns, also if it comes from the cache."""
    findings = current_call.get().findings
    if findings is not None:
        findings.sources.append(source)


def note_outcome(
    provider: str, error: ResearchError | None = None, *, url: str | None = None
) -> None:
    """Note how a provider answered the current call, or how reading a page went."""
    findings = current_call.get().findings
    if findings is not None:
        findings.outcomes.append(ProviderOutcome(provider=provider, error=error, url=url))
