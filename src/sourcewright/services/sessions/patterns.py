"""Error patterns and provider statistics of a research session, from its outcomes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from sourcewright.domain.users.sessions import Outcome

MIN_COUNT = 3
"""The minimum number of errors of a kind."""
_MAX_URLS = 5

_SUGGESTIONS: Mapping[str, str] = MappingProxyType(
    {
        "auth_required": "Consider open_access=true or target preprint servers (arxiv, biorxiv).",
        "blocked": "These sites refuse automated readers; look for the same content elsewhere.",
        "rate_limited": "Wait before the next call, or use another provider.",
        "network": "Sites did not answer in time; try again later, or use other sources.",
        "not_found": "Pages are gone; search for their titles, or read archived copies.",
        "content_empty": "Pages had no readable text; try other sources on the same subject.",
        "browser_unavailable": "Pages need a browser, and none is installed; prefer static pages.",
        "config": "A provider is not configured; use a configured one, or ask the operator for its key.",
        "upstream_unavailable": "A provider fails repeatedly; use another one.",
        "validation": "Arguments were rejected repeatedly; read the tool's description.",
    }
)
_OTHERWISE = "The same error occurred repeatedly; try another approach."


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorPattern:
    """An error that occurred at least three times."""

    kind: str
    count: int
    affected_urls: tuple[str, ...]
    """Newest first."""
    suggestion: str
    last_seen: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ProviderStats:
    """Requests to a provider, and how many succeeded."""

    attempts: int
    successes: int


def error_patterns(outcomes: Sequence[Outcome]) -> list[ErrorPattern]:
    """The kinds of error that occurred three times or more, the most frequent first."""
    by_kind: dict[str, list[Outcome]] = {}
    for one in outcomes:
        if one.error_kind is not None:
            by_kind.setdefault(one.error_kind, []).append(one)
    patterns = [
        _pattern(kind, failures)
        for kind, failures in by_kind.items()
        if len(failures) >= MIN_COUNT
    ]
    return sorted(patterns, key=lambda one: (-one.count, one.kind))


def provider_stats(outcomes: Sequence[Outcome]) -> dict[str, ProviderStats]:
    names = sorted({one.provider for one in outcomes})
    by_name = {name: [one for one in outcomes if one.provider == name] for name in names}
    return {
        name: ProviderStats(attempts=len(own), successes=sum(one.success for one in own))
        for name, own in by_name.items()
    }


def _pattern(kind: str, failures: Sequence[Outcome]) -> ErrorPattern:
    newest_first = list(dict.fromkeys(one.url for one in reversed(failures) if one.url))
    return ErrorPattern(
        kind=kind,
        count=len(failures),
        affected_urls=tuple(newest_first[:_MAX_URLS]),
        suggestion=_SUGGESTIONS.get(kind, _OTHERWISE),
        last_seen=failures[-1].at,
    )
