"""Attempts: which sources were queried, and what each answered."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sourcewright.base.errors import ResearchError

AttemptOutcome = Literal[
    "not_consulted_disabled",
    "not_consulted_not_applicable",
    "not_consulted_wrong_publisher",
    "not_consulted_not_needed",
    "consulted_no_record",
    "consulted_not_open_access",
    "consulted_denied",
    "consulted_failed",
    "consulted_resolved",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceAttempt:
    """One source's contribution to an answer, or why it was not consulted."""

    source: str
    outcome: AttemptOutcome
    detail: str | None = None
    required_env: tuple[str, ...] = ()
    error: ResearchError | None = None

    @property
    def consulted(self) -> bool:
        return self.outcome.startswith("consulted_")


class NoSourceAnswered(ResearchError):
    """No source gave an answer: carries the decisive error, and one attempt for each source."""

    def __init__(
        self,
        message: str,
        *,
        decisive: ResearchError,
        attempts: tuple[SourceAttempt, ...],
        alternatives: tuple[str, ...] = (),
    ) -> None:
        super().__init__(message)
        self.decisive = decisive
        self.attempts = attempts
        self.alternatives = alternatives
        """Sources that were not queried but could be, if the caller may choose."""

    def after(self, earlier: tuple[SourceAttempt, ...]) -> "NoSourceAnswered":
        """Return a copy with earlier attempts prepended."""
        return NoSourceAnswered(
            str(self), decisive=self.decisive, attempts=(*earlier, *self.attempts)
        )

    def before(self, later: Sequence[SourceAttempt]) -> "NoSourceAnswered":
        """Return a copy with later attempts appended."""
        return NoSourceAnswered(
            str(self), decisive=self.decisive, attempts=(*self.attempts, *later)
        )
