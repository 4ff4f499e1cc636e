"""Describes a paper for `paper_metadata` without downloading it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sourcewright.domain.evidence import Attempt
from sourcewright.domain.identifiers import ArxivId, Doi
from sourcewright.domain.ports import Recorder
from sourcewright.domain.works import Work
from sourcewright.logic.papers.notices import Status, status_of
from sourcewright.logic.papers.records import Pooled, pooled
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.resolution import Described, Resolution, Resolver

ORDER = ("unpaywall", "crossref")
"""Whose word comes first, field by field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A paper as its records describe it together."""

    reference: Doi | ArxivId
    pooled: Pooled
    is_open: bool | None
    """None when nobody who knows could be asked."""
    openness_by: str | None
    """Whose word that is."""
    offered_by: tuple[str, ...]
    """Sources by which a copy could be downloaded."""
    integrity: Status
    attempts: tuple[Attempt, ...]


class Describer:
    """Asks the two that know most DOIs, and others only about what neither has."""

    def __init__(self, resolver: Resolver, recorder: Recorder) -> None:
        self._resolver = resolver
        self._recorder = recorder

    async def describe(self, reference: Doi | ArxivId) -> Description:
        """Describe a paper.

        Raises:
            Unanswered: It does not exist, or it could not be checked.
            NotConfigured: No source for this kind of reference is on.
            LogError: What was asked could not be recorded.
        """
        inquiry = Inquiry(reference, self._recorder)
        async with inquiry.session():
            first: Described = {}
            if isinstance(reference, Doi) and not reference.written:
                first = await self._resolver.ask_first(reference, inquiry)
            if any(one.answer for one in first.values()):
                return _from_records(reference, first)
            found = await self._resolver.within(inquiry, reference, known=first)
            return _from_resolution(found)


def _from_records(reference: Doi | ArxivId, first: Described) -> Description:
    records = {name: first[name].answer for name in ORDER if name in first}
    told = [record for record in records.values() if record]
    notices = next((record.notices for record in told if record.notices is not None), None)
    return Description(
        reference=reference,
        pooled=pooled(told),
        is_open=_is_open(records.get("unpaywall")),
        openness_by="unpaywall" if records.get("unpaywall") else None,
        offered_by=tuple(dict.fromkeys(name for record in told for name in _offers(record))),
        integrity=status_of(notices),
        attempts=tuple(one.attempt for one in first.values()),
    )


def _from_resolution(found: Resolution) -> Description:
    reference = found.reference
    return Description(
        reference=reference,
        pooled=pooled([found.work]),
        is_open=True if isinstance(reference, ArxivId) else _is_open(found.open_access),
        openness_by=_openness_by(reference, found),
        offered_by=tuple(dict.fromkeys(_offers(found.work))),
        integrity=found.integrity.status,
        attempts=found.attempts,
    )


def _openness_by(reference: Doi | ArxivId, found: Resolution) -> str | None:
    if isinstance(reference, ArxivId):
        return found.work.source
    return found.open_access.source if found.open_access else None


def _is_open(record: Work | None) -> bool | None:
    return None if record is None else bool(record.copies)


def _offers(record: Work) -> Iterator[str]:
    """The sources by which the record says that a copy can be had."""
    if record.copies:
        yield record.source
    if record.arxiv_id or any("arxiv" in name.lower() for name in record.preprints):
        yield "arxiv"
