"""Decides whether a search that found nothing may say so, from what each source answered.

Every search that asks more than one source decides here. A source that has only a part of the
subject (an encyclopedia, of the web) cannot say that there is nothing: its answer counts if it
finds something, and not if it does not.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sourcewright.base.errors import NotFound, ResearchError
from sourcewright.domain.evidence import NoSourceAnswered, SourceAttempt
from sourcewright.domain.reasons import joined_reasons


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceReply:
    """One source that a search asked, and what it answered."""

    source: str
    has_results: bool = False
    """Whether it returned anything."""
    error: ResearchError | None = None
    """Why it did not answer; `NotFound` is an answer."""
    has_only: str | None = None
    """The part of the subject that it has; None if its "nothing" is an absence."""

    @property
    def failure(self) -> ResearchError | None:
        return None if isinstance(self.error, NotFound) else self.error


def failures_in(replies: Sequence[SourceReply]) -> dict[str, ResearchError]:
    """The errors of the sources that did not answer, by name."""
    failures: dict[str, ResearchError] = {}
    for one in replies:
        if one.failure is not None:
            # One source may be asked twice: as an index of its own, and as a search engine.
            failures.setdefault(one.source, one.failure)
    return failures


def doubt_about(
    replies: Sequence[SourceReply], nobody: str, *, alternatives: tuple[str, ...] = ()
) -> NoSourceAnswered | None:
    """The failure because of which it is not known what there is; None if enough sources answered.

    That is the failure of a source that can know, unless another such source found something. If
    none of those asked can know, it is any failure, unless something was found. The first source,
    which is the preferred one, decides on the kind of the error: a wrong API key is thus reported
    even if another source is only rate limited. The message has all of them; it starts with
    `nobody` ("no search engine answered") if that is so.
    """
    deciders = [one for one in replies if one.has_only is None] or list(replies)
    failed = [one for one in deciders if one.failure is not None]
    decisive = failed[0].failure if failed else None
    if decisive is None or any(one.has_results for one in deciders):
        return None
    # Those that can know come first: a caller that merges errors keeps the order.
    failures = failures_in([*failed, *replies])
    others = [one for one in replies if one.failure is None]
    message = joined_reasons(failures.values())
    if not others and len(failures) > 1:
        message = f"{nobody}: {message}"
    attempts = tuple(
        SourceAttempt(source=name, outcome="consulted_failed", detail=str(error), error=error)
        for name, error in failures.items()
    )
    return NoSourceAnswered(
        "; ".join((message, *map(_words_on, others))),
        decisive=decisive,
        attempts=attempts,
        alternatives=alternatives,
    )


def _words_on(one: SourceReply) -> str:
    reply = f"{one.source} {'answered' if one.has_results else 'found nothing'}"
    return f"{reply}, but has only {one.has_only}" if one.has_only else reply


def fallback_note(failure: NoSourceAnswered | None) -> str | None:
    """What to say of results that were found although it is undecided what there is."""
    return None if failure is None else f"Only a fallback answered: {failure}."
