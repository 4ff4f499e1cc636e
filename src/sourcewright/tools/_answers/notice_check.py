"""The check of a cited work for retractions and other notices, in the responses of the trust tools."""

from typing import Literal

from pydantic import Field

from sourcewright.logic.papers.integrity import WorkIntegrity
from sourcewright.tools._answers.scholar import NoticeCheckMade, failure_reasons
from sourcewright.tools._results import OmittedIfNone


class WorkNoticeCheck(NoticeCheckMade):
    """Which sources answered, and whether that suffices."""

    status: Literal["checked", "unchecked"] = Field(
        description="unchecked: a missing retractionStatus says nothing."
    )
    note: OmittedIfNone[str] = None


def work_notice_check(work: WorkIntegrity | None) -> WorkNoticeCheck | None:
    """Report the check if a source gave no answer; None if all did, or nobody was asked."""
    if work is None or not (work.failures or work.is_uncheckable):
        return None
    return WorkNoticeCheck(
        status="unchecked" if work.is_uncheckable else "checked",
        answered=list(work.integrity.checked_by),
        failed=failure_reasons(work.failures),
        note=work.integrity.note,
    )
