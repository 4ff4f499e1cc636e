"""Which sources were asked for an answer, and what each said, in few lines for a person."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

_WORDS = {
    "consulted_resolved": "answered",
    "consulted_not_open_access": "answered: no open copy",
    "consulted_no_record": "answered: no such record",
    "consulted_denied": "refused by our own rules",
    "consulted_failed": "did not give a usable answer",
    "not_consulted_disabled": "not asked",
    "not_consulted_not_applicable": "not asked",
    "not_consulted_wrong_publisher": "not asked",
    "not_consulted_not_needed": "not asked: no need",
}
"""From what needs no word to what explains a failure."""
_WEIGHTS = {outcome: weight for weight, outcome in enumerate(_WORDS)}
_TELLING = ("consulted_denied", "consulted_failed", "not_consulted_disabled")
"""Outcomes whose detail says what to do."""


class Remark(NamedTuple):
    """Sources that said the same, and what that was."""

    sources: str
    said: str


def in_full(attempts: Iterable[Mapping[str, Any]]) -> list[Remark]:
    """Every attempt by itself, also those that were not due."""
    return [Remark(one["source"], _in_words(one)) for one in attempts]


def in_brief(attempts: Iterable[Mapping[str, Any]], *, told: str = "") -> list[Remark]:
    """Each source once, those that said the same together, and only those that were due.

    A detail that `told`, the text above, has already is not repeated.
    """
    decisive: dict[str, Mapping[str, Any]] = {}
    for one in attempts:
        if not (one["consulted"] or one.get("required_env")):
            continue
        known = decisive.get(one["source"])
        if known is None or _WEIGHTS[one["outcome"]] > _WEIGHTS[known["outcome"]]:
            decisive[one["source"]] = one
    return _gathered((name, _briefly(one, told)) for name, one in decisive.items())


def words_in_brief(checked: Iterable[Mapping[str, str]], *, told: str = "") -> list[Remark]:
    """The same for a `paper_*` answer, which has each source's part in words."""
    decisive: dict[str, str] = {}
    for one in checked:
        # What an answer was about stands in brackets, and is of no use to most readers.
        said = "answered" if one["said"].startswith("answered (") else one["said"]
        known = decisive.get(one["source"], "answered")
        if said != "answered" or known == "answered":
            is_told = said != "answered" and said in told
            decisive[one["source"]] = _WORDS["consulted_failed"] if is_told else said
    return _gathered(decisive.items())


def _briefly(attempt: Mapping[str, Any], told: str) -> str:
    detail = attempt.get("detail")
    has_news = attempt["outcome"] in _TELLING and detail and detail not in told
    return _in_words(attempt) if has_news else _WORDS[attempt["outcome"]]


def _gathered(said: Iterable[tuple[str, str]]) -> list[Remark]:
    sources: dict[str, list[str]] = {}
    for source, words in said:
        sources.setdefault(words, []).append(source)
    return [Remark(", ".join(names), words) for words, names in sources.items()]


def _in_words(attempt: Mapping[str, Any]) -> str:
    words, detail = _WORDS[attempt["outcome"]], attempt.get("detail")
    return f"{words} ({detail})" if detail else words
