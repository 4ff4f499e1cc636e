"""The check of a citation: fields compared with records of indexes, status, risk, coverage."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from sourcewright.base.errors import ResearchError
from sourcewright.base.works import WorkRecord
from sourcewright.references.model import ReferenceField

CitationStatus = Literal["verified", "mismatch", "not_found", "unconfirmed"]
"""`verified`: one version of one work has every field that could be checked. `mismatch`: the work
or its identifier is known, and a field differs. `not_found`: every source that decides about the
identifier denied it. `unconfirmed`: no source could confirm the citation, or not all answered, or the work was
retracted, or nobody could say whether it was."""

FieldStatus = Literal["match", "differs", "not_checked"]
Confidence = Literal["high", "medium", "low", "none"]
InputType = Literal["doi", "url", "reference"]
TitleMatch = Literal["match", "mismatch", "not_checked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCheck:
    """One field of a citation, and its value in the record of the work."""

    field: ReferenceField
    status: FieldStatus
    given: str
    found: str | None = None
    source: str | None = dataclasses.field(
        default=None,
        metadata={"description": "The index whose record has the value in `found`."},
    )
    note: str | None = None
    """Why a field was accepted or not, where that is not obvious."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """The answers of the sources about one reference."""

    records: tuple[WorkRecord, ...] = ()
    """Candidates, in no particular order; most are other works."""
    answered: tuple[str, ...] = ()
    failed: Mapping[str, ResearchError] | None = None
    denied: frozenset[str] = frozenset()
    """Identifiers in lower case that every decider denied."""
    registered: frozenset[str] = frozenset()
    """DOIs in lower case that are registered, whether or not a record describes them."""
    doi_as_given: str | None = None
    """The DOI as the reference has it, if that one does not exist and a shorter one is compared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CitationCheck:
    """The outcome of the comparison."""

    status: CitationStatus
    exists: bool | None
    confidence: Confidence
    risk: float
    """From 0 to 1: how likely the citation is flawed."""
    fields: tuple[FieldCheck, ...] = ()
    record: WorkRecord | None = None
    """The record of the version that fits best."""
    records: tuple[WorkRecord, ...] = ()
    """All records of that work."""
    version: tuple[WorkRecord, ...] = ()
    """The records of the version that fits best."""
    reason: str = ""

    @property
    def differing(self) -> tuple[FieldCheck, ...]:
        return tuple(one for one in self.fields if one.status == "differs")
