"""Risk that a citation is flawed, from 0 to 1, calibrated on labelled citations."""

from dataclasses import dataclass

from sourcewright.references.checks import FieldCheck
from sourcewright.references.comparison.candidates import CandidateRecord
from sourcewright.references.model import RARELY_INDEXED, Reference, ReferenceField

FIELD_RISKS: dict[ReferenceField, float] = {
    "title": 0.93,
    "authors": 0.9,
    "doi": 0.9,
    "arxiv_id": 0.85,
    "pmid": 0.85,
    "pmcid": 0.85,
    "year": 0.85,
    "venue": 0.85,
    "volume": 0.7,
    "issue": 0.55,
    "pages": 0.75,
    "publisher": 0.65,
    "location": 0.6,
}
_BASE = 0.02
_ONLY_PREPRINT = 0.3
_ABSENT = 0.8
_ABSENT_KNOWN_GROUP = 0.45
_ABSENT_UNLISTED = 0.35
_ABSENT_INCOMPLETE = 0.45


@dataclass(frozen=True, slots=True, kw_only=True)
class Signals:
    """The results of the comparison that affect the risk."""

    reference: Reference
    checks: tuple[FieldCheck, ...] = ()
    work: tuple[CandidateRecord, ...] = ()
    is_complete: bool = True
    is_absent: bool = False
    is_registered: bool = False
    only_preprint: bool = False
    known_group: bool = False
    """Whether two of the cited authors published together at that time."""


def risk_of(signals: Signals) -> float:
    """The risk: one minus the probability that none of the independent signs is a real flaw."""
    sound = 1.0 - _BASE
    for check in signals.checks:
        if check.status == "differs":
            sound *= 1.0 - FIELD_RISKS.get(check.field, 0.5)
        elif check.status == "match" and check.note:
            sound *= 0.95
    if signals.only_preprint:
        sound *= 1.0 - _ONLY_PREPRINT
    if signals.is_absent:
        sound *= 1.0 - _absence_risk(signals)
    return round(1.0 - sound, 3)


def _absence_risk(signals: Signals) -> float:
    if signals.is_registered:
        return 0.2
    if signals.reference.kind in RARELY_INDEXED:
        return _ABSENT_UNLISTED
    if not signals.is_complete:
        return _ABSENT_INCOMPLETE
    return _ABSENT_KNOWN_GROUP if signals.known_group else _ABSENT
