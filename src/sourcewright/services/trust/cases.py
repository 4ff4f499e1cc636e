"""Cases: one reference each, with the records, absences and failures collected for it."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from sourcewright.base.errors import InvalidInput, ResearchError
from sourcewright.base.identifiers import ArxivId, Doi, parse_arxiv, parse_doi
from sourcewright.base.works import WorkRecord
from sourcewright.domain.papers.integrity import WorkIntegrity
from sourcewright.domain.papers.scholar import WorkIds
from sourcewright.references.checks import CitationCheck, Evidence
from sourcewright.references.comparison.check import check_citation
from sourcewright.references.comparison.fields import REORDERED
from sourcewright.references.comparison.match import describes_preprint
from sourcewright.references.comparison.string_check import check_string
from sourcewright.references.model import Reference, ReferenceField
from sourcewright.services.trust.notice_outcome import with_notices

AGENCIES = frozenset({"crossref", "datacite"})
"""The registration agencies: they decide about DOIs, together with the DOI system."""
MAX_RECORDS = 60
"""Candidates that are kept for one reference."""


@dataclass(slots=True, eq=False)
class CitationCase:
    """A reference, and the evidence about it so far."""

    reference: Reference
    doi: Doi | None = None
    arxiv: ArxivId | None = None
    converted: Doi | None = None
    """The DOI of the work with the stated PMC id, which is the only identifier."""
    records: list[WorkRecord] = field(default_factory=list)
    answered: dict[str, None] = field(default_factory=dict)
    failed: dict[str, ResearchError] = field(default_factory=dict)
    denied: set[str] = field(default_factory=set)
    registered: set[str] = field(default_factory=set)
    unanswered: Mapping[str, ResearchError] = field(default_factory=dict)
    """Why sources gave no answer about the stated identifiers, by source."""
    doi_as_given: str | None = None
    """The DOI of the entry, if it does not exist and `reference` has a shorter one."""
    integrity: WorkIntegrity | None = None
    as_of: str | None = None
    """When an earlier audit found the evidence, if it was not looked up now; RFC 3339."""
    _check: CitationCheck | None = None
    _decided: CitationCheck | None = None

    @property
    def ids(self) -> WorkIds | None:
        """The identifiers that the reference states, if they are valid."""
        pmid, doi = self.reference.pmid, self.doi or self.converted
        if doi is None and self.arxiv is None and not pmid:
            return None
        return WorkIds(
            doi=doi.value if doi else None,
            arxiv_id=self.arxiv.value if self.arxiv else None,
            pmid=pmid,
        )

    @property
    def check(self) -> CitationCheck:
        """The comparison with everything that was found so far."""
        if self._decided is not None:
            return self._decided
        if self._check is None:
            # Spans: it was read from a text, whose parts may begin and end elsewhere.
            compare = check_string if self.reference.spans else check_citation
            self._check = compare(self.reference, self.evidence)
        return self._check

    @property
    def outcome(self) -> CitationCheck:
        """The comparison with what is known against the work."""
        return with_notices(self.check, self.integrity)

    @property
    def lacks_notices(self) -> bool:
        """Whether nobody could say whether the work was retracted."""
        return self.integrity is not None and self.integrity.is_uncheckable

    @property
    def evidence(self) -> Evidence:
        return Evidence(
            records=tuple(self.records[:MAX_RECORDS]),
            answered=tuple(self.answered),
            failed=self.failures,
            denied=frozenset(self.denied),
            registered=frozenset(self.registered),
            doi_as_given=self.doi_as_given,
        )

    @property
    def failures(self) -> dict[str, ResearchError]:
        """Why sources gave no answer on which the outcome depends, by source.

        A source that found nothing by title has not answered about an identifier.
        """
        return {**self._undecided, **self.failed}

    @property
    def _undecided(self) -> Mapping[str, ResearchError]:
        """The failures that leave a stated identifier undecided."""
        if self.denied or not self.unanswered:
            return {}
        described_by = {one.source for one in self.descriptions}
        if not described_by:
            return self.unanswered
        if self.doi is None or described_by & AGENCIES:
            return {}
        return {name: error for name, error in self.unanswered.items() if name in AGENCIES}

    @property
    def descriptions(self) -> list[WorkRecord]:
        """The records that have a stated identifier: the DOI, or else another one."""
        reference, doi = self.reference, self.doi
        arxiv = doi.arxiv if doi else self.arxiv
        identifiers = {
            "doi": doi.value if doi else None,
            "arxiv_id": arxiv.value if arxiv else None,
            "pmid": None if doi else reference.pmid,
            "pmcid": None if doi else reference.pmcid,
        }
        return [
            one
            for one in self.records
            if any(value and getattr(one, name) == value for name, value in identifiers.items())
        ]

    @property
    def is_settled(self) -> bool:
        """Whether further requests cannot change the outcome."""
        check = self.check
        if check.status != "mismatch":
            return check.status == "verified"
        return all(self._is_contradicted(one.field) for one in check.differing)

    @property
    def has_unchecked_fields(self) -> bool:
        return any(one.status == "not_checked" for one in self.check.fields)

    def _is_contradicted(self, field: ReferenceField) -> bool:
        """Whether two sources, or the agency of the DOI, contradict a field."""
        records = self.check.records
        if field in ("doi", "arxiv_id", "pmid", "pmcid"):
            return True
        if any(one.field == field and one.note == REORDERED for one in self.check.fields):
            # Indexes copy such an order from each other.
            return False
        if field in ("title", "authors"):
            return len({one.source for one in records}) > 1 or self.check.confidence != "low"
        publications = [one for one in records if not describes_preprint(one)]
        if field in ("venue", "year") and any(one.doi for one in publications):
            # Only the agency has the abbreviation of a journal, and the years online and in print.
            return any(one.source in AGENCIES for one in publications)
        sources = {one.source for one in publications if getattr(one, field, None)}
        return len(sources) > 1 or "crossref" in sources

    def add(self, records: Iterable[WorkRecord]) -> None:
        self.records += [one for one in records if one not in self.records]
        self._check = None

    def answer(self, source: str) -> None:
        """Note that a source answered; an earlier failure of it is forgotten."""
        self.answered[source] = None
        self.failed.pop(source, None)
        self._check = None

    def fail(self, source: str, error: ResearchError) -> None:
        if source not in self.answered:
            self.failed[source] = error
        self._check = None

    def include(self, other: "CitationCase") -> None:
        """Add the records that another request found for this reference, and who answered it."""
        self.add(other.records)
        self.note_sources(other)

    def note_sources(self, other: "CitationCase") -> None:
        """Note who answered another request about this reference, and who did not."""
        for name in other.answered:
            self.answer(name)
        for name, error in other.failures.items():
            self.fail(name, error)

    def decide(self, check: CitationCheck) -> None:
        """Set the comparison of a reference that is compared in another way, as a court case."""
        self._decided = check

    def forget_candidates(self) -> None:
        """End the comparison, and drop the records of other works: they are most of the memory."""
        self._decided = self.check
        cited = {id(one) for one in (*self.check.records, *self.descriptions)}
        self.records = [one for one in self.records if id(one) in cited]

    def deny(self, identifier: str) -> None:
        self.denied.add(identifier.lower())
        self._check = None

    @property
    def fallbacks(self) -> tuple[Doi, ...]:
        """What the DOI may be if it does not exist: with the punctuation after it, or shorter."""
        if self.doi is None:
            return ()
        end = re.search(
            rf"{re.escape(self.doi.value)}([.,;:)\]>]{{1,3}})", self.reference.text.lower()
        )
        return (*((Doi(self.doi.value + end[1]),) if end else ()), *self.doi.shorter)

    def leave_open(self, source: str, error: ResearchError) -> None:
        """Take back that the DOI does not exist: a source did not answer about a fallback."""
        self.denied.clear()
        self.answered.pop(source, None)
        self.fail(source, error)

    def replace_doi(self, doi: Doi) -> None:
        """Compare with another reading of the DOI, which exists; the one that was given does not."""
        given = self.reference.doi or ""
        if not doi.value.startswith(given.lower()):
            self.doi_as_given = given
        self.doi, self.reference = doi, replace(self.reference, doi=doi.value)
        self.denied.clear()
        self._check = None

    def register(self, identifier: str) -> None:
        self.registered.add(identifier.lower())
        self._check = None


def case_of(reference: Reference) -> CitationCase:
    """A case without evidence; invalid identifiers are left out."""
    doi = arxiv = None
    try:
        doi = parse_doi(reference.doi) if reference.doi else None
    except InvalidInput:
        doi = None
    try:
        arxiv = parse_arxiv(reference.arxiv_id) if reference.arxiv_id else None
    except InvalidInput:
        arxiv = None
    if doi is not None and arxiv is None:
        arxiv = doi.arxiv
    return CitationCase(reference, doi=doi, arxiv=arxiv)
