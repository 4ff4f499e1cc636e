"""What the notices about a work amount to, worst first."""

from collections.abc import Iterable
from typing import Literal

from sourcewright.domain.works import Notice, NoticeKind

Status = Literal[
    "retracted",
    "removed",
    "withdrawn",
    "partially_retracted",
    "expression_of_concern",
    "corrected",
    "no_notice_found",
    "unchecked",
]

_STATUS_OF: dict[NoticeKind, Status] = {
    "retraction": "retracted",
    "removal": "removed",
    "withdrawal": "withdrawn",
    "partial_retraction": "partially_retracted",
    "expression_of_concern": "expression_of_concern",
    "correction": "corrected",
}


def status_of(notices: Iterable[Notice] | None) -> Status:
    """The gravest thing that the notices say; None means that nobody could be asked."""
    if notices is None:
        return "unchecked"
    kinds = {notice.kind for notice in notices}
    return next(
        (status for kind, status in _STATUS_OF.items() if kind in kinds), "no_notice_found"
    )


def gravest(notices: Iterable[Notice]) -> Notice | None:
    """The notice that weighs most; of two alike, the first."""
    order = list(_STATUS_OF)
    return min(notices, key=lambda notice: order.index(notice.kind), default=None)
