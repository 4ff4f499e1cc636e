"""Clinical trials: the page of a study, and the registry's names of statuses and phases."""

import re
from typing import get_args

from sourcewright.domain.records.trials import Phase

_PHASES: dict[str, Phase] = {phase.replace("PHASE", ""): phase for phase in get_args(Phase)}
_ROMAN = {"I": "1", "II": "2", "III": "3", "IV": "4"}


def study_url(nct_id: str) -> str:
    return f"https://clinicaltrials.gov/study/{nct_id}"


def status_names(text: str) -> tuple[str, ...]:
    """Statuses as the registry writes them: `not yet recruiting` is NOT_YET_RECRUITING.

    A status that the registry does not have is left to it to reject.
    """
    # The registry's own pages write one status with a comma.
    text = re.sub(r"active, not recruiting", "active not recruiting", text, flags=re.IGNORECASE)
    parts = (re.sub(r"[\s_-]+", "_", part.strip()).upper() for part in re.split(r"[,|]", text))
    return tuple(dict.fromkeys(part for part in parts if part))


def phase_names(text: str) -> tuple[Phase, ...]:
    """Phases as the registry writes them: `2`, `Phase II` and `PHASE2` are all PHASE2.

    Raises:
        ValueError: One of them is not a phase.
    """
    parts = (part.strip() for part in re.split(r"[,|/]", text))
    return tuple(dict.fromkeys(_phase(part) for part in parts if part))


def _phase(text: str) -> Phase:
    bare = re.sub(r"PHASE|[\s_-]+", "", text.upper())
    early = "EARLY_" if bare.startswith("EARLY") else ""
    number = bare.removeprefix("EARLY")
    phase = _PHASES.get(early + _ROMAN.get(number, number))
    if phase is None:
        raise ValueError(f"{text!r} is not a phase; use one of {', '.join(get_args(Phase))}")
    return phase
