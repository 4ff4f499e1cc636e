"""Summaries of which sources were queried and what each answered, for terminal output."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

_OUTCOME_TEXTS = {
    "consulted_resolved": "answered",
    "consulted_not_open_access": "answered: no open copy",
    "consulted_no_record": "answered: no such record",
    "consulted_denied": "blocked by the rules of this server",
    "consulted_failed": "no usable response",
    "not_consulted_disabled": "not queried",
    "not_consulted_not_applicable": "not queried",
    "not_consulted_wrong_publisher": "not queried",
    "not_consulted_not_needed": "not queried: not needed",
}
"""Display text of each outcome, ordered from least to most important to show."""
_RANKS = {outcome: rank for rank, outcome in enumerate(_OUTCOME_TEXTS)}
_WITH_ADVICE = ("consulted_denied", "consulted_failed", "not_consulted_disabled")
"""Outcomes whose detail tells the user what to do."""


class Remark(NamedTuple):
    """One or more sources with the same outcome, and its text."""

    sources: str
    text: str


def remarks_on(answer: Mapping[str, Any], *, verbose: bool, message: str) -> list[Remark]:
    """What each source contributed to an answer or error, in full or in brief."""
    attempts = attempts_of(answer)
    return full_remarks(attempts) if verbose else brief_remarks(attempts, message=message)


def attempts_of(answer: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Every attempt of an answer or error, with the sources that did not have to be asked."""
    not_due = [
        {"source": source, "outcome": reason, "consulted": False}
        for reason, sources in answer.get("not_due", {}).items()
        for source in sources
    ]
    return [*(answer.get("attempts") or ()), *not_due]


def full_remarks(attempts: Iterable[Mapping[str, Any]]) -> list[Remark]:
    """One remark for each attempt, also for sources that were not queried."""
    return [Remark(one["source"], _full_text(one)) for one in attempts]


def brief_remarks(attempts: Iterable[Mapping[str, Any]], *, message: str = "") -> list[Remark]:
    """One remark for each outcome, with its sources; only sources queried or not configured.

    A detail that is part of `message`, the message printed before, is not repeated.
    """
    decisive: dict[str, Mapping[str, Any]] = {}
    for one in attempts:
        if not (one["consulted"] or one.get("required_env")):
            continue
        known = decisive.get(one["source"])
        if known is None or _RANKS[one["outcome"]] > _RANKS[known["outcome"]]:
            decisive[one["source"]] = one
    return _grouped((name, _brief_text(one, message)) for name, one in decisive.items())


def brief_paper_remarks(
    checked: Iterable[Mapping[str, str]], *, message: str = ""
) -> list[Remark]:
    """The same for a `paper_*` answer, which has the outcome of each source as text."""
    decisive: dict[str, str] = {}
    for one in checked:
        # The part in brackets says what was answered, which most readers do not need.
        text = "answered" if one["said"].startswith("answered (") else one["said"]
        known = decisive.get(one["source"], "answered")
        if text != "answered" or known == "answered":
            is_repeated = text != "answered" and text in message
            decisive[one["source"]] = _OUTCOME_TEXTS["consulted_failed"] if is_repeated else text
    return _grouped(decisive.items())


def _brief_text(attempt: Mapping[str, Any], message: str) -> str:
    detail = attempt.get("detail")
    has_news = attempt["outcome"] in _WITH_ADVICE and detail and detail not in message
    return _full_text(attempt) if has_news else _OUTCOME_TEXTS[attempt["outcome"]]


def _grouped(outcomes: Iterable[tuple[str, str]]) -> list[Remark]:
    sources: dict[str, list[str]] = {}
    for source, text in outcomes:
        sources.setdefault(text, []).append(source)
    return [Remark(", ".join(names), text) for text, names in sources.items()]


def _full_text(attempt: Mapping[str, Any]) -> str:
    text, detail = _OUTCOME_TEXTS[attempt["outcome"]], attempt.get("detail")
    return f"{text} ({detail})" if detail else text
