"""Hints for a search without results: likely causes, and what to try instead."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal

from sourcewright.base.errors import ResearchError, Unavailable

Reason = Literal["no_match", "filters_too_restrictive"]
SuggestionKind = Literal["remove_filter", "try_different_provider", "rephrase_query"]

WARNING_TO_MODELS = "Do not fill the gap from memory."
WARNING = f"An empty result does not prove that nothing exists. {WARNING_TO_MODELS}"
OTHER_WORDS = "use fewer, more common or other words"
_MAX_ACTIONS = 3
_NARROWEST_FIRST = (
    "exact_terms",
    "site",
    "lens",
    "news_source",
    "time_range",
    "exclude_terms",
    "file_type",
    "dominant_color",
    "color_type",
    "type",
    "size",
    "language",
    "country",
    "jurisdiction",
    "safe",
)
"""Filters in the order in which to suggest removing them."""
_CAUSE_NAMES = MappingProxyType({"breaker": "circuit_open", "status": "server_error"})
"""Clearer words for internal error causes."""
_UNRESTRICTIVE = frozenset({("safe", "off")})
"""Filters that exclude nothing."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuggestedAction:
    """One suggestion."""

    action: SuggestionKind
    detail: str
    parameter: str | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ZeroResultHints:
    """Why there are no results, and what to try."""

    reason: Reason
    providers_attempted: tuple[str, ...]
    providers_failed: Mapping[str, str]
    filters_applied: Mapping[str, str]
    suggested_actions: tuple[SuggestedAction, ...]
    epistemic_warning: str


def error_kind(error: ResearchError) -> str:
    """Return the kind of error, without the upstream's message."""
    if isinstance(error, Unavailable) and error.cause:
        return _CAUSE_NAMES.get(error.cause, error.cause)
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "_", type(error).__name__).lower()


def search_hints(
    filters: Mapping[str, str],
    *,
    attempted: Sequence[str],
    failed: Mapping[str, str],
    alternatives: Sequence[str],
    unused_engines: Mapping[str, str] | None = None,
    rephrasing: str = OTHER_WORDS,
) -> ZeroResultHints:
    """Hints for an empty answer; `alternatives` are engines that could be queried now.

    `unused_engines` are further engines for this kind of search, each with what it requires.
    `rephrasing` says what to change in a query that does not consist of words.
    """
    ordered = [name for name in _NARROWEST_FIRST if name in filters]
    applied = {name: filters[name] for name in (*ordered, *sorted(filters.keys() - {*ordered}))}
    restrictive = [name for name, value in applied.items() if (name, value) not in _UNRESTRICTIVE]
    actions = [
        SuggestedAction(
            action="remove_filter",
            parameter=name,
            value=applied[name],
            detail=f"search without {name}={applied[name]}",
        )
        for name in restrictive[: _MAX_ACTIONS - 1]
    ]
    actions += [
        SuggestedAction(
            action="try_different_provider",
            parameter="provider",
            value=name,
            detail=f"use {name}, which is configured and was not queried",
        )
        for name in [engine for engine in alternatives if engine not in attempted][:1]
    ]
    actions.append(SuggestedAction(action="rephrase_query", detail=rephrasing))
    return ZeroResultHints(
        reason="filters_too_restrictive" if restrictive else "no_match",
        providers_attempted=tuple(attempted),
        providers_failed=dict(failed),
        filters_applied=applied,
        suggested_actions=tuple(actions[:_MAX_ACTIONS]),
        epistemic_warning=_warning(unused_engines or {}),
    )


def with_expected_values(hints: ZeroResultHints, parameter: str, values: str) -> ZeroResultHints:
    """The hints, which also say what a filter takes: codes, where a name finds nothing."""
    actions = (
        replace(one, detail=f"{one.detail}, or use {values}")
        if one.parameter == parameter
        else one
        for one in hints.suggested_actions
    )
    return replace(hints, suggested_actions=tuple(actions))


def _warning(unused_engines: Mapping[str, str]) -> str:
    """The warning that an empty answer is not evidence, with the engines that were not queried."""
    if not unused_engines:
        return WARNING
    engines = "; ".join(f"{name} ({why})" for name, why in unused_engines.items())
    return f"{WARNING} Not queried: {engines}."
