"""Notices of the local retraction list, added to what other sources say; no request is made."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from sourcewright.base.errors import ResearchError
from sourcewright.base.notices import Integrity, status_of
from sourcewright.domain.papers.integrity import LIST_NAME, concerns_work, with_listed_notices
from sourcewright.domain.papers.retractions import ListedUpdate, ListsRetractions
from sourcewright.domain.papers.scholar import WorkIds


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedNotices:
    """Looks works up in the local list."""

    retractions: ListsRetractions

    async def find(
        self, works: Sequence[WorkIds]
    ) -> Mapping[int, tuple[ListedUpdate, ...]] | ResearchError | None:
        """Return the rows about each work, by its place; None without a list, or the failure."""
        try:
            rows = await self.retractions.find(
                {work.doi.lower() for work in works if work.doi},
                {work.pmid for work in works if work.pmid},
            )
        except ResearchError as error:
            return error
        if rows is None:
            return None
        folded = [replace(work, doi=work.doi.lower() if work.doi else None) for work in works]
        return {
            place: tuple(row for row in rows if concerns_work(row, work))
            for place, work in enumerate(folded)
        }

    async def added(self, work: WorkIds, integrity: Integrity) -> Integrity:
        """Return the status of a work with what the list says.

        The list alone never makes a work free of notices: it lists what is known, not what is not.
        """
        updates = await self.find([work])
        if updates is None:
            return integrity
        if isinstance(updates, ResearchError):
            return replace(integrity, note=_joined(integrity.note, str(updates)))
        notices, reinstated_on = with_listed_notices(integrity.notices, updates[0])
        undone = f"reinstated on {reinstated_on} according to Retraction Watch"
        if not updates[0] or (notices == integrity.notices and not reinstated_on):
            return integrity
        is_known = bool(notices) or integrity.status != "unchecked"
        return replace(
            integrity,
            status=status_of(notices if is_known else None),
            notices=notices,
            checked_by=tuple(dict.fromkeys((*integrity.checked_by, LIST_NAME))),
            note=_joined(integrity.note, undone) if reinstated_on else integrity.note,
            reinstated_on=reinstated_on,
        )


def _joined(note: str | None, more: str) -> str:
    return "; ".join(filter(None, (note, more)))
