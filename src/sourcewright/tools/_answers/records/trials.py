"""Clinical trials as the answers show them."""

from pydantic import BaseModel, Field

from sourcewright.domain.records.trial_names import study_url
from sourcewright.domain.records.trials import Trial
from sourcewright.tools._results import CAMEL, OmittedIfNone


class TrialFound(BaseModel):
    """One registered study."""

    model_config = CAMEL

    nct_id: str
    title: str
    official_title: OmittedIfNone[str] = None
    status: OmittedIfNone[str] = None
    phases: list[str]
    study_type: OmittedIfNone[str] = None
    conditions: list[str]
    interventions: list[str]
    sponsor: OmittedIfNone[str] = None
    start_date: OmittedIfNone[str] = None
    start_date_type: OmittedIfNone[str] = Field(None, description="ACTUAL or ESTIMATED.")
    completion_date: OmittedIfNone[str] = None
    completion_date_type: OmittedIfNone[str] = None
    enrollment: OmittedIfNone[int] = None
    enrollment_type: OmittedIfNone[str] = None
    has_results: OmittedIfNone[bool] = Field(None, description="Whether results are posted.")
    summary: OmittedIfNone[str] = None
    url: str
    source: str


def trial_found(trial: Trial, source: str) -> TrialFound:
    facts = {name: getattr(trial, name) for name in Trial.__dataclass_fields__}
    return TrialFound(url=study_url(trial.nct_id), source=source, **facts)
