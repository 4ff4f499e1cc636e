"""Candidate records of a citation: which of them describe the cited work."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sourcewright.base.works import WorkRecord
from sourcewright.references.comparison.details import has_pages, same_first_page, same_volume
from sourcewright.references.comparison.match import (
    describes_preprint,
    identifiers,
    lacks_subtitle,
)
from sourcewright.references.comparison.people import (
    AuthorsAgreement,
    compare_authors,
    shared_authors,
)
from sourcewright.references.comparison.titles import (
    SAME,
    TitleAgreement,
    prepare_title,
    title_agreement,
    title_similarity,
)
from sourcewright.references.comparison.venues import same_venue
from sourcewright.references.model import Reference

_TITLE_SCORES: dict[TitleAgreement, float] = {
    "same": 3.0,
    "shortened": 2.6,
    "cut": 2.6,
    "typo": 2.6,
    "altered": 1.5,
    "foreign": 0.0,
    "different": 0.0,
}
_AUTHOR_SCORES: dict[AuthorsAgreement, float] = {
    "match": 2.0,
    "variant": 1.8,
    "incomplete": 1.5,
    "reordered": 1.6,
    "group": 0.4,
    "unknown": 0.4,
    "differs": 0.0,
}
_SHARED = 1.2
"""Weight of the share of matching authors, if the lists differ."""
_IDENTIFIER, _YEAR, _VENUE, _PAGES, _VOLUME = 1.0, 0.4, 0.4, 0.6, 0.3
_RELATED, _ROUNDING = 45.0, 1e-9
MIN_MATCH_SCORE = 2.3
"""Minimum score at which a record counts as the cited work."""
SAME_PEOPLE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateRecord:
    """A record, and how it relates to the citation."""

    record: WorkRecord
    title: TitleAgreement
    similarity: float
    authors: AuthorsAgreement
    shared: float
    """The share of the cited authors that the record lists."""
    is_identified: bool
    """Whether the citation states an identifier of this record."""
    details: float
    """Weight of year, venue, volume and pages that agree."""

    @property
    def score(self) -> float:
        people = max(_AUTHOR_SCORES[self.authors], _SHARED * self.shared)
        identified = _IDENTIFIER if self.is_identified else 0.0
        close = (self.similarity - 72.0) / 56.0 if self.title == "altered" else 0.0
        return _TITLE_SCORES[self.title] + close + people + identified + self.details

    @property
    def is_named(self) -> bool:
        """Whether the citation names the title of this record."""
        return self.title in SAME


def reference_identifiers(reference: Reference) -> frozenset[str]:
    """The identifiers that a reference states, in the form of `match.identifiers`."""
    record = WorkRecord(
        source="",
        doi=reference.doi,
        arxiv_id=reference.arxiv_id,
        pmid=reference.pmid,
        pmcid=reference.pmcid,
    )
    return frozenset(map(_without_version, identifiers(record)))


def candidate_of(reference: Reference, record: WorkRecord) -> CandidateRecord:
    """Compare one record with the citation."""
    title, recorded = reference.title or "", record.title or ""
    agreement = title_agreement(title, recorded) if title and recorded else "different"
    own = frozenset(map(_without_version, identifiers(record)))
    candidate = CandidateRecord(
        record=record,
        title=agreement,
        similarity=title_similarity(prepare_title(title), prepare_title(recorded)),
        authors=compare_authors(
            reference.authors,
            record.authors,
            et_al=reference.authors_truncated,
            known_truncated=record.authors_truncated,
        ),
        shared=shared_authors(reference.authors, record.authors),
        is_identified=not own.isdisjoint(reference_identifiers(reference)),
        details=_details(reference, record),
    )
    return (
        replace(candidate, title="shortened") if _lacks_subtitle(candidate, title) else candidate
    )


def _lacks_subtitle(candidate: CandidateRecord, title: str) -> bool:
    """Whether a short title is that of the record without its subtitle, as all else shows.

    By itself, such a title may be that of other works.
    """
    if candidate.is_named or candidate.authors not in ("match", "variant"):
        return False
    if not candidate.is_identified and candidate.details < _YEAR + _VENUE - _ROUNDING:
        return False
    recorded = prepare_title(candidate.record.title or "")
    return lacks_subtitle(prepare_title(title).fingerprint, recorded.fingerprint)


def matching_records(reference: Reference, records: Iterable[WorkRecord]) -> list[CandidateRecord]:
    """The records of the cited work, best first; empty if no record describes it."""
    candidates = [candidate_of(reference, record) for record in records if not record.notice_for]
    candidates.sort(key=lambda one: one.score, reverse=True)
    if not candidates or not _is_match(candidates[0], reference):
        return []
    lead = candidates[0]
    return [lead, *(one for one in candidates[1:] if is_same_candidate(one, lead))]


def _is_match(best: CandidateRecord, reference: Reference) -> bool:
    if best.title == "foreign":
        return best.is_identified and best.authors not in ("differs", "incomplete")
    if best.score < MIN_MATCH_SCORE:
        return False
    if best.is_named:
        is_generic = prepare_title(reference.title or "").fingerprint.is_generic
        return not is_generic or best.shared >= SAME_PEOPLE or best.is_identified
    if best.title == "altered":
        return best.shared >= SAME_PEOPLE or best.is_identified
    # A completely different title: authors and identifier, or authors and place, must match.
    if best.is_identified:
        return best.shared >= SAME_PEOPLE
    several = len(reference.authors) > 1 and best.authors in ("match", "variant", "reordered")
    place = _YEAR + _VENUE + (0.0 if several or best.similarity > _RELATED else _PAGES)
    return best.shared == 1.0 and best.details >= place - _ROUNDING


def is_same_candidate(one: CandidateRecord, lead: CandidateRecord) -> bool:
    """Whether another candidate describes the work of the best one."""
    first, second = lead.record, one.record
    if identifiers(first) & identifiers(second):
        return one.title != "different" or lead.title == "different"
    if not second.title or not first.title:
        return False
    agreement = title_agreement(first.title, second.title)
    if agreement not in ("same", "shortened"):
        return False
    if agreement == "shortened" and _are_two_publications(first, second):
        return False
    return _same_people(first, second)


def _are_two_publications(first: WorkRecord, second: WorkRecord) -> bool:
    """Whether two records have DOIs of their own, and neither describes a preprint of the other."""
    return (
        bool(first.doi and second.doi)
        and not describes_preprint(first)
        and not describes_preprint(second)
    )


def _same_people(first: WorkRecord, second: WorkRecord) -> bool:
    if not first.authors or not second.authors:
        return True
    shorter, longer = sorted((first, second), key=lambda record: len(record.authors))
    return shared_authors(shorter.authors, longer.authors) >= SAME_PEOPLE


def _details(reference: Reference, record: WorkRecord) -> float:
    weight = 0.0
    if reference.year is not None and reference.year in years_of(record):
        weight += _YEAR
    given = reference.venue
    if given and any(same_venue(given, one) for one in venues_of(record)):
        weight += _VENUE
    if reference.pages and record.pages and has_pages(record.pages):
        weight += _PAGES if same_first_page(reference.pages, record.pages) else 0.0
    if reference.volume and record.volume:
        weight += _VOLUME if same_volume(reference.volume, record.volume) else 0.0
    return weight


def venues_of(record: WorkRecord) -> tuple[str, ...]:
    """All names of the journal or proceedings, the usual one first."""
    return (record.venue, *record.other_venues) if record.venue else ()


def years_of(record: WorkRecord) -> tuple[int, ...]:
    return record.years or ((record.year,) if record.year is not None else ())


def other_work(reference: Reference, records: Sequence[WorkRecord]) -> WorkRecord | None:
    """The record with the stated identifier, whichever work it describes."""
    ids = reference_identifiers(reference)
    return next(
        (
            record
            for record in records
            if frozenset(map(_without_version, identifiers(record))) & ids
        ),
        None,
    )


def _without_version(name: str) -> str:
    """An arXiv id without its version."""
    if not name.startswith("arxiv:"):
        return name
    head, _, version = name.rpartition("v")
    return head if head and version.isdecimal() else name
