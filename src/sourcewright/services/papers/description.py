"""Describes a paper for `paper_metadata` without downloading it."""

from collections.abc import Iterator
from dataclasses import dataclass

from sourcewright.base.identifiers import ArxivId, Doi
from sourcewright.base.notices import Integrity
from sourcewright.base.works import Work
from sourcewright.domain.evidence import SourceAttempt
from sourcewright.domain.papers.records import MergedRecord, merge_records
from sourcewright.domain.ports import ProvenanceRecorder
from sourcewright.services.inquiry import Inquiry
from sourcewright.services.papers.resolution import RecordResponses, Resolution, Resolver

PRECEDENCE = ("unpaywall", "crossref")
"""Precedence of sources, field by field."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Description:
    """A paper as described by its merged records."""

    reference: Doi | ArxivId
    pooled: MergedRecord
    is_open: bool | None
    """None if no source that knows could be queried."""
    openness_by: str | None
    """The source of `is_open`."""
    offered_by: tuple[str, ...]
    """Sources from which a copy could be downloaded."""
    integrity: Integrity
    attempts: tuple[SourceAttempt, ...]


class Describer:
    """Queries Crossref and Unpaywall, and other sources only if neither has a record."""

    def __init__(self, resolver: Resolver, recorder: ProvenanceRecorder) -> None:
        self._resolver = resolver
        self._recorder = recorder

    async def describe(self, reference: Doi | ArxivId) -> Description:
        """Describe a paper.

        Raises:
            NoSourceAnswered: It does not exist, or it could not be checked.
            NotConfigured: No source for this kind of reference is enabled.
            LogError: The provenance row could not be written.
        """
        inquiry = Inquiry(reference, self._recorder)
        async with inquiry.session():
            first: RecordResponses = {}
            if isinstance(reference, Doi) and not reference.written:
                first = await self._resolver.ask_first(reference, inquiry)
            if isinstance(reference, Doi) and any(one.answer for one in first.values()):
                return await self._from_records(reference, first, inquiry)
            resolution = await self._resolver.within(inquiry, reference, known=first)
            return _from_resolution(resolution)

    async def _from_records(
        self, reference: Doi, first: RecordResponses, inquiry: Inquiry
    ) -> Description:
        records = {name: first[name].answer for name in PRECEDENCE if name in first}
        available = [record for record in records.values() if record]
        informed = next((one for one in available if one.notices is not None), available[0])
        integrity, attempts = await self._resolver.check_notices(
            reference, informed, first, inquiry
        )
        return Description(
            reference=reference,
            pooled=merge_records(available),
            is_open=_is_open(records.get("unpaywall")),
            openness_by="unpaywall" if records.get("unpaywall") else None,
            offered_by=tuple(dict.fromkeys(name for one in available for name in _offers(one))),
            integrity=integrity,
            attempts=(*(one.attempt for one in first.values()), *attempts),
        )


def _from_resolution(resolution: Resolution) -> Description:
    reference = resolution.reference
    return Description(
        reference=reference,
        pooled=merge_records([resolution.work]),
        is_open=True if isinstance(reference, ArxivId) else _is_open(resolution.open_access),
        openness_by=_openness_source(reference, resolution),
        offered_by=tuple(dict.fromkeys(_offers(resolution.work))),
        integrity=resolution.integrity,
        attempts=resolution.attempts,
    )


def _openness_source(reference: Doi | ArxivId, resolution: Resolution) -> str | None:
    if isinstance(reference, ArxivId):
        return resolution.work.source
    return resolution.open_access.source if resolution.open_access else None


def _is_open(record: Work | None) -> bool | None:
    return None if record is None else bool(record.copies)


def _offers(record: Work) -> Iterator[str]:
    """Yield the sources from which the record says a copy is available."""
    if record.copies:
        yield record.source
    if record.arxiv_id or any("arxiv" in name.lower() for name in record.preprints):
        yield "arxiv"
