"""The check of a citation: compares each field with the records, and derives the status."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sourcewright.base.text.phrases import shortened
from sourcewright.base.works import Author, WorkRecord
from sourcewright.references.checks import (
    CitationCheck,
    CitationStatus,
    Confidence,
    Evidence,
    FieldCheck,
)
from sourcewright.references.comparison.candidates import (
    CandidateRecord,
    candidate_of,
    is_same_candidate,
    matching_records,
    other_work,
)
from sourcewright.references.comparison.fields import (
    ONLY_PREPRINT,
    OTHER_SCRIPT,
    VersionRecords,
    authors_check,
    best_version,
    title_check,
)
from sourcewright.references.comparison.match import differ_in_number
from sourcewright.references.comparison.people import person_of, shared_authors
from sourcewright.references.comparison.risk import Signals, risk_of
from sourcewright.references.comparison.venues import is_known_series, same_venue
from sourcewright.references.model import RARELY_INDEXED, Reference, ReferenceField
from sourcewright.references.strings.reference import read_reference

_ORDER: tuple[ReferenceField, ...] = (
    "title",
    "authors",
    "year",
    "venue",
    "volume",
    "issue",
    "pages",
    "publisher",
    "location",
)

_IDENTIFIERS = frozenset({"doi", "arxiv_id", "pmid", "pmcid"})
ENDING = "the DOI as given does not exist; without what follows it, it does"


def check_reference(reference: Reference | str, records: Iterable[WorkRecord]) -> CitationCheck:
    """Compare a reference with the records of indexes, of which most may be other works.

    Whether a work that none of them describes exists is left open: `exists` is None then.
    """
    known = tuple(records)
    answered = tuple(dict.fromkeys(record.source for record in known))
    evidence = Evidence(records=known, answered=answered)
    if isinstance(reference, str):
        reference = read_reference(reference)
    return check_citation(reference, evidence)


def check_citation(reference: Reference, evidence: Evidence) -> CitationCheck:
    """Compare a citation with the records of the sources."""
    work = matching_records(reference, evidence.records)
    if not work:
        return _check_without_work(reference, evidence)
    check = _check_against_work(reference, evidence, work)
    if not _is_neighbour(reference, work[0], check):
        return check
    return _without_neighbour(_check_without_work(reference, evidence), work[0].record)


def _is_neighbour(reference: Reference, lead: CandidateRecord, check: CitationCheck) -> bool:
    """Whether most fields differ, so that the record is that of another work.

    Also if the titles differ only in a number, and the year differs too: `Milet 1992\u20131993`
    and `Milet 1994\u20131995` are two reports. The title itself, and a stated identifier, name
    the work whatever else differs.
    """
    if lead.is_named or lead.is_identified:
        return False
    compared = {one.field: one.status for one in check.fields if one.status != "not_checked"}
    differing = sum(status == "differs" for status in compared.values())
    is_series = differ_in_number(reference.title or "", lead.record.title or "")
    return 2 * differing > len(compared) or (is_series and compared.get("year") == "differs")


def _without_neighbour(check: CitationCheck, neighbour: WorkRecord) -> CitationCheck:
    """The outcome for a work that no record describes, with the closest record as another work."""
    if check.record is not None:
        return check
    year = f" ({neighbour.year})" if neighbour.year else ""
    closest = f"The closest record, of {neighbour.source}, is another work: {_short(neighbour.title)}{year}."
    return replace(check, reason=f"{check.reason} {closest}".strip())


def check_against_record(
    reference: Reference, evidence: Evidence, record: WorkRecord
) -> CitationCheck:
    """Compare a citation with the work of this record, which other evidence identified."""
    lead = candidate_of(reference, record)
    others = (candidate_of(reference, one) for one in evidence.records if one is not record)
    return _check_against_work(
        reference, evidence, [lead, *(one for one in others if is_same_candidate(one, lead))]
    )


def _check_against_work(
    reference: Reference, evidence: Evidence, work: Sequence[CandidateRecord]
) -> CitationCheck:
    version = best_version(reference, work)
    checks = {one.field: one for one in _text_checks(reference, work)} | version.checks
    ordered = [checks[name] for name in _ORDER if name in checks]
    ordered += _identifier_checks(reference, evidence, [one.record for one in work])
    differing = [one for one in ordered if one.status == "differs"]
    status = _status(ordered, version, evidence)
    record = _displayed_record(version, work)
    return CitationCheck(
        status=status,
        exists=True,
        confidence=_confidence(work[0], differing),
        risk=risk_of(
            Signals(
                reference=reference,
                checks=tuple(ordered),
                work=tuple(work),
                is_complete=not evidence.failed,
                only_preprint=_rests_on_preprint(ordered),
            )
        ),
        fields=tuple(ordered),
        record=record,
        records=tuple(one.record for one in work),
        version=version.records,
        reason=_with_ending_note(_reason(status, ordered), evidence, ordered),
    )


def _text_checks(reference: Reference, work: Sequence[CandidateRecord]) -> list[FieldCheck]:
    checks = (title_check(reference, work), authors_check(reference, work))
    return [one for one in checks if one is not None]


def _rests_on_preprint(checks: Sequence[FieldCheck]) -> bool:
    """Whether venue or year could not be checked because only the preprint is known."""
    return any(one.note == ONLY_PREPRINT for one in checks)


def _status(
    checks: Sequence[FieldCheck], version: VersionRecords, evidence: Evidence
) -> CitationStatus:
    differing = {one.field for one in checks if one.status == "differs"}
    if differing:
        # A source that failed may have the version that was cited.
        of_version = differing <= {"venue", "year", "volume", "issue", "pages"}
        if of_version and version.is_preprint and evidence.failed:
            return "unconfirmed"
        return "mismatch"
    # A source that failed may know that the identifier is another's, or nobody's.
    unknown_id = any(one.field in _IDENTIFIERS and one.status == "not_checked" for one in checks)
    is_open = _rests_on_preprint(checks) or _rests_on_other_script(checks)
    is_open = is_open or (unknown_id and bool(evidence.failed))
    return "unconfirmed" if is_open else "verified"


def _rests_on_other_script(checks: Sequence[FieldCheck]) -> bool:
    """Whether neither title nor authors could be compared, because the record is a translation."""
    status = {one.field: one for one in checks}
    title, authors = status.get("title"), status.get("authors")
    is_translated = title is not None and title.note == OTHER_SCRIPT
    return is_translated and (authors is None or authors.status != "match")


def _displayed_record(version: VersionRecords, work: Sequence[CandidateRecord]) -> WorkRecord:
    """The record to display: the best of this version, preferably one with a DOI."""
    ranked = [one.record for one in work if one.record in version.records]
    return next((one for one in ranked if one.doi), ranked[0])


def _confidence(best: CandidateRecord, differing: Sequence[FieldCheck]) -> Confidence:
    if (
        best.is_named
        and best.authors in ("match", "variant", "group", "unknown")
        and not differing
    ):
        return "high"
    return "medium" if best.is_named or best.is_identified else "low"


def _identifier_checks(
    reference: Reference, evidence: Evidence, work: Sequence[WorkRecord]
) -> list[FieldCheck]:
    identifiers: tuple[tuple[ReferenceField, str | None, Reference], ...] = (
        ("doi", reference.doi, Reference(text="", doi=reference.doi)),
        ("arxiv_id", reference.arxiv_id, Reference(text="", arxiv_id=reference.arxiv_id)),
        ("pmid", reference.pmid, Reference(text="", pmid=reference.pmid)),
        ("pmcid", reference.pmcid, Reference(text="", pmcid=reference.pmcid)),
    )
    return [
        _identifier_check(name, value, only, evidence, work)
        for name, value, only in identifiers
        if value
    ]


def _identifier_check(
    name: ReferenceField,
    given: str,
    only: Reference,
    evidence: Evidence,
    work: Sequence[WorkRecord],
) -> FieldCheck:
    """Compare one identifier with those of the work; `only` if the citation has no other field."""
    written = (name == "doi" and evidence.doi_as_given) or given
    if (holder := other_work(only, work)) is not None:
        note = ENDING if evidence.doi_as_given and name == "doi" else None
        return FieldCheck(
            field=name, status="match", given=written, found=given, source=holder.source, note=note
        )
    own = next((one for one in work if getattr(one, name, None)), None)
    note = _conflict(given, other_work(only, evidence.records), evidence)
    return FieldCheck(
        field=name,
        status="differs" if note else "not_checked",
        given=written,
        found=getattr(own, name) if own else None,
        source=own.source if own else None,
        note=note,
    )


def _conflict(given: str, elsewhere: WorkRecord | None, evidence: Evidence) -> str | None:
    """Why an identifier is not that of the work; None if unknown."""
    if elsewhere is not None:
        return f"it is that of {elsewhere.title!r}" if elsewhere.title else "of another work"
    return "it is not registered" if given.lower() in evidence.denied else None


def _check_without_work(reference: Reference, evidence: Evidence) -> CitationCheck:
    elsewhere = other_work(reference, evidence.records)
    if elsewhere is None:
        return _check_of_absent_work(reference, evidence)
    if reference.title or reference.authors:
        # The identifier is that of another work, and no index has the described one.
        return _check_against_work(reference, evidence, [candidate_of(reference, elsewhere)])
    checks = tuple(_identifier_checks(reference, evidence, [elsewhere]))
    return CitationCheck(
        status="verified",
        exists=True,
        confidence="high",
        risk=risk_of(Signals(reference=reference, checks=checks, is_complete=not evidence.failed)),
        fields=checks,
        record=elsewhere,
        records=(elsewhere,),
        version=(elsewhere,),
        reason=_with_ending_note("", evidence, checks),
    )


def _check_of_absent_work(reference: Reference, evidence: Evidence) -> CitationCheck:
    checks = _identifier_checks(reference, evidence, ())
    denied = any(one.status == "differs" for one in checks)
    registered = bool(evidence.registered)
    title = reference.title
    title_checks = [FieldCheck(field="title", status="not_checked", given=title)] if title else []
    return CitationCheck(
        status="not_found" if denied else "unconfirmed",
        exists=_existence(reference, denied=denied, registered=registered),
        confidence="none",
        risk=risk_of(
            Signals(
                reference=reference,
                checks=tuple(checks),
                is_complete=not evidence.failed,
                is_absent=True,
                is_registered=registered,
                known_group=_is_known_group(reference, evidence.records),
            )
        ),
        fields=(*title_checks, *checks),
        reason=_absence(reference, evidence, denied=denied, registered=registered),
    )


def _is_known_group(reference: Reference, records: Sequence[WorkRecord]) -> bool:
    """Whether two of the cited authors published together at that time, and the venue is known.

    Then the work may exist although no index has it.
    """
    venue = reference.venue
    known = (one.venue for one in records if one.venue)
    if venue and not (is_known_series(venue) or any(same_venue(venue, one) for one in known)):
        return False
    people = [one for one in reference.authors if _is_full_name(one)]
    return any(
        shared_authors(people, [one for one in record.authors if _is_full_name(one)]) * len(people)
        >= 2
        for record in records
        if abs((record.year or 0) - (reference.year or 0)) <= 1
    )


def _is_full_name(author: Author) -> bool:
    return any(len(word) > 1 for word in person_of(author).given)


def _existence(reference: Reference, *, denied: bool, registered: bool) -> bool | None:
    """Whether the cited work exists, where no record describes it.

    If an identifier is not registered, a work cited only by it does not exist. A work that is
    described by title and authors may exist nevertheless, and be in no index.
    """
    if denied:
        return None if reference.title and reference.authors else False
    return True if registered else None


def _reason(status: CitationStatus, checks: Sequence[FieldCheck]) -> str:
    if status == "verified":
        return "Every field that could be checked agrees with the record."
    if status == "unconfirmed" and _rests_on_other_script(checks):
        return "The record is in another script; title and authors could not be compared."
    if status == "unconfirmed":
        return "Only a preprint of the work is known; venue and year could not be checked."
    parts = [
        f"{one.field.replace('_', ' ')}: given {_short(one.given)}, the record of {one.source} has {_short(one.found)}"
        if one.found
        else f"{one.field.replace('_', ' ')}: {one.note or 'differs'}"
        for one in checks
        if one.status == "differs"
    ]
    return "; ".join(parts)


def _with_ending_note(reason: str, evidence: Evidence, checks: Sequence[FieldCheck]) -> str:
    """The reason, and that the DOI was given with something after it, such as `/full`."""
    doi = next((one.found for one in checks if one.field == "doi" and one.note == ENDING), None)
    if doi is None:
        return reason
    note = f"The DOI {_short(evidence.doi_as_given)} does not exist; {doi} does."
    return f"{reason.removesuffix('.')}. {note}" if reason else note


def _short(text: str | None) -> str:
    return repr(shortened(text, 120) if text else text)


def _absence(reference: Reference, evidence: Evidence, *, denied: bool, registered: bool) -> str:
    if denied:
        return "The identifier is not registered, and no index has a work with this title."
    if evidence.failed:
        names = ", ".join(sorted(evidence.failed))
        known = "The DOI is registered" if registered else "Not found so far"
        return f"{known}, but {names} did not answer: this says nothing about the work."
    if registered and evidence.doi_as_given:
        return f"The DOI {_short(evidence.doi_as_given)} does not exist; {reference.doi} does, but no source describes it."
    if registered:
        return "The DOI is registered, but no source describes it."
    if reference.kind in RARELY_INDEXED:
        return "No index has it; works of this kind are often in none, so this says little."
    return "No index that was asked has this work."
