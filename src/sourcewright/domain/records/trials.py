"""Clinical trials: the query, one registered study, and a page of studies."""

from dataclasses import dataclass
from typing import Literal

Phase = Literal["EARLY_PHASE1", "PHASE1", "PHASE2", "PHASE3", "PHASE4", "NA"]
"""As the registry names phases; a study of two phases has both, NA one without phases."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialQuery:
    """One search for trials; at least one of the four texts is set."""

    limit: int
    text: str | None = None
    """Words anywhere in the registration."""
    condition: str | None = None
    intervention: str | None = None
    sponsor: str | None = None
    statuses: tuple[str, ...] = ()
    """Recruitment statuses as the registry names them; empty for any."""
    phases: tuple[Phase, ...] = ()
    """Studies of one of these phases; empty for any."""
    page_token: str | None = None
    """Where the next page of an earlier answer begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One registered study. None means that the registration has no value."""

    nct_id: str
    title: str
    official_title: str | None
    status: str | None
    phases: tuple[str, ...]
    study_type: str | None
    conditions: tuple[str, ...]
    interventions: tuple[str, ...]
    sponsor: str | None
    start_date: str | None
    """As precise as it is registered: `2016-07` or `2016-04-29`."""
    completion_date: str | None
    enrollment: int | None
    """Number of participants, planned or actual."""
    has_results: bool | None
    summary: str | None
    start_date_type: str | None = None
    """ACTUAL or ESTIMATED, as the next two; None if the registration does not say."""
    completion_date_type: str | None = None
    enrollment_type: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TrialPage:
    """One page of the studies that match."""

    trials: tuple[Trial, ...]
    total: int | None
    next_token: str | None
    """None on the last page."""
