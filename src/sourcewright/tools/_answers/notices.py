"""Retractions and other notices about a paper, in the response format of all paper tools."""

from pydantic import BaseModel, Field

from sourcewright.base.notices import Integrity, Status
from sourcewright.base.works import NoticeKind
from sourcewright.tools._results import OmittedIfNone


class NoticeSeen(BaseModel):
    """A published notice about the paper."""

    # Unlike `Notice`, all fields are required, in the order of the contract.
    kind: NoticeKind
    source: str = Field(description="The source of the notice.")
    asserted_by: str | None = Field(description="Who issued it, such as the publisher.")
    doi: str | None
    date: str | None
    label: str | None
    last_reported: OmittedIfNone[str] = Field(
        None, description="When the source last listed it; absent: it lists it."
    )


class IntegritySeen(BaseModel):
    """Retraction status and other notices about the paper.

    `unchecked`: the sources could not be queried. `no_notice_found`: the sources in
    `checked_by` were queried at `checked_at` and list none.
    """

    # Unlike `Integrity`, all fields but `note` are required.
    status: Status
    notices: list[NoticeSeen]
    checked_at: str | None = Field(description="When notices were last checked; null: never.")
    checked_by: list[str]
    note: OmittedIfNone[str] = Field(None, description="Why this may be incomplete or outdated.")


def integrity_report(integrity: Integrity) -> IntegritySeen:
    return IntegritySeen.model_validate(integrity, from_attributes=True)
