"""Fields of a citation, each compared with the versions of the cited work."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sourcewright.base.text.scripts import is_same_script
from sourcewright.base.works import WorkRecord
from sourcewright.references.checks import FieldCheck, FieldStatus
from sourcewright.references.comparison.candidates import CandidateRecord, venues_of, years_of
from sourcewright.references.comparison.details import (
    counts_from_one,
    has_pages,
    is_placeholder,
    same_pages,
    same_place,
    same_publisher,
    same_volume,
)
from sourcewright.references.comparison.match import describes_preprint
from sourcewright.references.comparison.people import MAX_COMPARED, person_of
from sourcewright.references.comparison.venues import is_preprint_venue, same_venue
from sourcewright.references.model import Reference, ReferenceField

PREPRINT_YEARS = 3
"""How many years after its preprint a paper may appear, if no index has the publication."""
REORDERED = "in another order"
ONLY_PREPRINT = "only the preprint is known"
OTHER_SCRIPT = "the record has it in another script"
ARTICLE_NUMBER = "the record has the number of the article"
UNPUBLISHED_SOURCES = 3
"""How many indexes must know a work, all as a preprint, before it counts as unpublished."""
_WEIGHTS: dict[ReferenceField, float] = {
    "venue": 3.5,
    "year": 3.0,
    "volume": 1.0,
    "issue": 0.5,
    "pages": 1.0,
    "publisher": 0.5,
    "location": 0.3,
}


@dataclass(frozen=True, slots=True)
class VersionRecords:
    """One version of a work: the records of one publication, or of the preprint."""

    records: tuple[WorkRecord, ...]
    is_preprint: bool
    checks: dict[ReferenceField, FieldCheck] = field(default_factory=dict)

    @property
    def cost(self) -> tuple[float, int]:
        differing = sum(
            _WEIGHTS.get(name, 1.0) for name, one in self.checks.items() if one.status == "differs"
        )
        unknown = sum(0.6 for one in self.checks.values() if one.note == ONLY_PREPRINT)
        matching = sum(one.status == "match" for one in self.checks.values())
        return differing + unknown, -matching


def best_version(reference: Reference, work: Sequence[CandidateRecord]) -> VersionRecords:
    """The version whose fields agree best with the citation, with a check of each of them."""
    versions = _versions([one.record for one in work])
    has_publication = any(not one.is_preprint for one in versions)
    is_open = not has_publication and len(_sources(work)) < UNPUBLISHED_SOURCES
    for version in versions:
        _check(reference, version, only_preprint=is_open)
    return min(versions, key=lambda version: version.cost)


def _sources(work: Sequence[CandidateRecord]) -> set[str]:
    return {one.record.source for one in work}


def _versions(records: Sequence[WorkRecord]) -> list[VersionRecords]:
    """The records by version: preprints together, and publications by DOI.

    A record without a DOI joins the publication, if there is only one.
    """
    preprints = tuple(record for record in records if describes_preprint(record))
    by_doi: dict[str, list[WorkRecord]] = {}
    for record in records:
        if record not in preprints:
            by_doi.setdefault((record.doi or "").lower(), []).append(record)
    undated = by_doi.pop("", [])
    if len(by_doi) == 1:
        next(iter(by_doi.values())).extend(undated)
    elif undated:
        by_doi[""] = undated
    versions = [VersionRecords(tuple(group), is_preprint=False) for group in by_doi.values()]
    return versions + ([VersionRecords(preprints, is_preprint=True)] if preprints else [])


def _check(reference: Reference, version: VersionRecords, *, only_preprint: bool) -> None:
    checks = version.checks
    if reference.year is not None:
        checks["year"] = _year_check(reference, version, only_preprint=only_preprint)
    if reference.venue:
        checks["venue"] = _venue_check(reference.venue, version, only_preprint=only_preprint)
    simple: tuple[tuple[ReferenceField, str | None, Callable[[str, str], bool]], ...] = (
        ("volume", reference.volume, same_volume),
        ("issue", reference.issue, same_volume),
        ("pages", reference.pages, same_pages),
        ("publisher", reference.publisher, same_publisher),
        ("location", reference.location, same_place),
    )
    for name, given, same in simple:
        if given:
            checks[name] = _simple_check(name, given, _values(version, name), same)


def _year_check(
    reference: Reference, version: VersionRecords, *, only_preprint: bool
) -> FieldCheck:
    given = reference.year or 0
    dated = [(year, record) for record in version.records for year in years_of(record)]
    if version.is_preprint:
        dated += [
            (year, record)
            for record in version.records
            if (year := arxiv_year(record.arxiv_id)) is not None
        ]
    same = next((record for year, record in dated if year == given), None)
    if same is not None:
        return _field_check("year", "match", str(given), str(given), same.source)
    if not dated:
        return _field_check("year", "not_checked", str(given))
    year, record = dated[0]
    cites_publication = bool(reference.venue) and not is_preprint_venue(reference.venue or "")
    if only_preprint and cites_publication and year < given <= year + PREPRINT_YEARS:
        note = ONLY_PREPRINT
        return _field_check("year", "not_checked", str(given), str(year), record.source, note)
    return _field_check("year", "differs", str(given), str(year), record.source)


def _venue_check(given: str, version: VersionRecords, *, only_preprint: bool) -> FieldCheck:
    every = [(name, record) for record in version.records for name in venues_of(record)]
    venues = [pair for pair in every if is_same_script(given, pair[0])]
    same = next((pair for pair in venues if same_venue(given, pair[0])), None)
    if same is not None:
        return _field_check("venue", "match", given, same[0], same[1].source)
    if is_preprint_venue(given):
        holder = next((one for one in version.records if one.arxiv_id or one.preprints), None)
        if holder is not None or version.is_preprint:
            record = holder or version.records[0]
            recorded = f"arXiv:{record.arxiv_id}" if record.arxiv_id else record.venue
            return _field_check("venue", "match", given, recorded, record.source)
    if not venues and every:
        venue, record = every[0]
        return _field_check("venue", "not_checked", given, venue, record.source, OTHER_SCRIPT)
    if not venues:
        return _field_check("venue", "not_checked", given)
    venue, record = venues[0]
    if only_preprint:
        note = ONLY_PREPRINT
        return _field_check("venue", "not_checked", given, venue, record.source, note)
    return _field_check("venue", "differs", given, venue, record.source)


def _values(version: VersionRecords, name: ReferenceField) -> list[tuple[str, WorkRecord]]:
    if name == "location":
        return [(place, record) for record in version.records for place in record.locations]
    pairs = [(getattr(record, name), record) for record in version.records]
    usable = [(value, record) for value, record in pairs if value and not is_placeholder(value)]
    return [one for one in usable if has_pages(one[0])] if name == "pages" else usable


def _simple_check(
    name: ReferenceField,
    given: str,
    values: Sequence[tuple[str, WorkRecord]],
    same: Callable[[str, str], bool],
) -> FieldCheck:
    if not values:
        return _field_check(name, "not_checked", given)
    agreeing = next((pair for pair in values if same(given, pair[0])), None)
    value, record = agreeing or values[0]
    if name == "pages" and not agreeing and counts_from_one(given, value):
        note = ARTICLE_NUMBER
        return _field_check(name, "not_checked", given, value, record.source, note)
    return _field_check(name, "match" if agreeing else "differs", given, value, record.source)


def title_check(reference: Reference, work: Sequence[CandidateRecord]) -> FieldCheck | None:
    """The title against all records: a complete one counts more than one without its subtitle."""
    if not reference.title:
        return None
    titled = [one for one in work if one.record.title]
    same = next((one for one in titled if one.title == "same"), None)
    altered = next((one for one in titled if one.title == "altered"), None)
    best = same or altered or (titled[0] if titled else None)
    if best is None:
        return _field_check("title", "not_checked", reference.title)
    status: FieldStatus = "match" if best.is_named else "differs"
    status = "not_checked" if best.title == "foreign" else status
    notes = {
        "foreign": OTHER_SCRIPT,
        "shortened": "without the subtitle",
        "cut": "the citation stops before the end",
        "typo": "misspelled by one letter",
    }
    title, source = best.record.title, best.record.source
    return _field_check("title", status, reference.title, title, source, notes.get(best.title))


def authors_check(reference: Reference, work: Sequence[CandidateRecord]) -> FieldCheck | None:
    """The authors against all records: a complete list counts more than a shortened one."""
    if not reference.authors:
        return None
    given = _names(reference.authors, truncated=reference.authors_truncated)
    listing = [one for one in work if one.record.authors]
    if not listing:
        return _field_check("authors", "not_checked", given)
    longest = min(MAX_COMPARED, max(len(one.record.authors) for one in listing))
    complete = [one for one in listing if len(one.record.authors) > longest / 2]
    complete = [one for one in complete if _writes_names(one.record)] or complete
    agreeing = [one for one in complete if one.authors in ("match", "variant")]
    best = max(agreeing or complete, key=lambda one: (one.authors == "match", one.shared))
    is_short = len(reference.authors) < longest and not reference.authors_truncated
    truncated = any(one.record.authors_truncated for one in agreeing)
    if agreeing and is_short and not truncated:
        best = max(complete, key=lambda one: len(one.record.authors))
        agreeing = []
    names = _names(best.record.authors, truncated=best.record.authors_truncated)
    notes = {
        "unknown": OTHER_SCRIPT,
        "group": "a collaboration and its members cannot be compared",
        "incomplete": "authors are missing",
        "reordered": REORDERED,
        "variant": "a name is spelled differently",
    }
    status: FieldStatus = "match" if agreeing else "differs"
    status = "not_checked" if best.authors in ("group", "unknown") else status
    return _field_check(
        "authors", status, given, names, best.record.source, notes.get(best.authors)
    )


def _writes_names(record: WorkRecord) -> bool:
    """Whether most given names are written out; initials may match invented names."""
    given = [person_of(author).given for author in record.authors]
    return sum(any(len(word) > 1 for word in names) for names in given) > len(given) / 2


def arxiv_year(arxiv_id: str | None) -> int | None:
    """The year in an arXiv id: 2021 for 2104.08821, 1999 for hep-th/9901001."""
    digits = (arxiv_id or "").rpartition("/")[2][:2]
    if len(digits) != 2 or not digits.isdecimal():
        return None
    return 1900 + int(digits) if int(digits) > 90 else 2000 + int(digits)


def _names(authors: Sequence[object], *, truncated: bool) -> str:
    names = [getattr(author, "name", "") for author in authors[:20]]
    if truncated or len(authors) > 20:
        names.append("et al.")
    return "; ".join(names)


def _field_check(
    name: ReferenceField,
    status: FieldStatus,
    given: str,
    recorded: str | None = None,
    source: str | None = None,
    note: str | None = None,
) -> FieldCheck:
    return FieldCheck(
        field=name, status=status, given=given, found=recorded, source=source, note=note
    )
