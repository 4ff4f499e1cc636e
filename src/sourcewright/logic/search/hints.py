"""Hints for a search without results: likely causes, and what to try instead."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

Reason = Literal["no_match", "filters_too_restrictive"]
Step = Literal["remove_filter", "try_different_provider", "rephrase_query"]

WARNING = (
    "Nothing was found here; that is no evidence that nothing exists. "
    "Do not fill the gap from memory."
)
_MOST_STEPS = 3
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
    "safe",
)
_WIDENING = frozenset({("safe", "off")})
"""Filters that leave nothing out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Suggestion:
    """One thing to try."""

    action: Step
    detail: str
    parameter: str | None = None
    value: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hints:
    """Why there may be nothing, and how to go on."""

    reason: Reason
    providers_attempted: tuple[str, ...]
    providers_failed: Mapping[str, str]
    filters_applied: Mapping[str, str]
    suggested_actions: tuple[Suggestion, ...]
    epistemic_warning: str


def hints(
    filters: Mapping[str, str],
    *,
    attempted: Sequence[str],
    failed: Mapping[str, str],
    alternatives: Sequence[str],
    not_asked: Mapping[str, str] | None = None,
) -> Hints:
    """What to say about an empty answer; alternatives are engines that could answer now.

    `not_asked` are engines that search for this as well, each with what it would take.
    """
    known = [name for name in _NARROWEST_FIRST if name in filters]
    applied = {name: filters[name] for name in (*known, *sorted(filters.keys() - {*known}))}
    narrow = [name for name, value in applied.items() if (name, value) not in _WIDENING]
    steps = [
        Suggestion(
            action="remove_filter",
            parameter=name,
            value=applied[name],
            detail=f"search without {name}={applied[name]}",
        )
        for name in narrow[: _MOST_STEPS - 1]
    ]
    steps += [
        Suggestion(
            action="try_different_provider",
            parameter="provider",
            value=name,
            detail=f"ask {name}, which is configured and was not asked",
        )
        for name in [one for one in alternatives if one not in attempted][:1]
    ]
    steps.append(
        Suggestion(action="rephrase_query", detail="use fewer, more common or other words")
    )
    return Hints(
        reason="filters_too_restrictive" if narrow else "no_match",
        providers_attempted=tuple(attempted),
        providers_failed=dict(failed),
        filters_applied=applied,
        suggested_actions=tuple(steps[:_MOST_STEPS]),
        epistemic_warning=_warning(not_asked or {}),
    )


def _warning(not_asked: Mapping[str, str]) -> str:
    """That nothing was found proves nothing, the less the more engines were not asked."""
    if not not_asked:
        return WARNING
    engines = "; ".join(f"{name} ({why})" for name, why in not_asked.items())
    return f"{WARNING} Not asked: {engines}."
