"""Retractions and other notices about a paper, in the response format of all paper tools."""

from pydantic import BaseModel, Field

from sourcewright.domain.works import NoticeKind
from sourcewright.logic.papers.notices import Integrity, Status
from sourcewright.tools._results import OmittedIfNone


class NoticeSeen(BaseModel):
    """A published notice about the paper."""

    kind: NoticeKind
    source: str = Field(description="Where we read of it.")
    asserted_by: str | None = Field(description="Who says so, such as the publisher.")
    doi: str | None
    date: str | None
    label: str | None


class IntegritySeen(BaseModel):
    """What is known against the paper.

    `unchecked` means that nobody could be asked; `no_notice_found` that the sources in
    `checked_by` were asked at `checked_at`, and know of none.
    """

    status: Status
    notices: list[NoticeSeen]
    checked_at: str | None = Field(description="When notices were last looked for; null: never.")
    checked_by: list[str]
    note: OmittedIfNone[str] = Field(
        None, description="What keeps this from being the whole and latest word."
    )


def integrity_report(integrity: Integrity) -> IntegritySeen:
    return IntegritySeen.model_validate(integrity, from_attributes=True)
