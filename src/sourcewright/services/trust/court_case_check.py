"""Court cases: compares a citation of a case with what a source of cases has under it."""

import re
from collections.abc import Sequence

from sourcewright.base.text.unicode import fold_text
from sourcewright.base.works import WorkRecord
from sourcewright.domain.records.case_citations import citation_in
from sourcewright.domain.records.cases import Case
from sourcewright.references.checks import CitationCheck, FieldCheck
from sourcewright.references.model import Reference

_PARTIES = re.compile(r"\s(?:v|vs|versus)\.?\s", re.IGNORECASE)
_SIGNAL = re.compile(r"(?:see(?:,? e\.g\.,?| also)?|cf\.|accord|but see)\s", re.IGNORECASE)
_MIN_STEM = 3
_SOUND, _MISMATCH, _ABSENT = 0.02, 0.9, 0.35


def reported_citation(reference: Reference) -> str | None:
    """The citation of a report of US cases that a reference states, in its usual spelling."""
    parts = " ".join(filter(None, (reference.volume, reference.venue, reference.pages)))
    texts = (reference.case_citation, parts, reference.title)
    return next((citation for text in texts if text and (citation := citation_in(text))), None)


def check_court_case(
    reference: Reference, citation: str, cases: Sequence[Case], source: str
) -> CitationCheck:
    """Compare a citation of a case with the cases that the source has under it."""
    if not cases:
        return CitationCheck(
            status="unconfirmed",
            exists=None,
            confidence="none",
            risk=_ABSENT,
            fields=(FieldCheck(field="case_citation", status="not_checked", given=citation),),
            reason=f"{source} has no case under {citation}; it does not have every case.",
        )
    cited = _SIGNAL.sub("", reference.title or "", count=1)
    best = next((one for one in cases if names_agree(cited, one.name)), cases[0])
    checks = tuple(_fields(reference, cited, citation, best, source))
    differing = [one for one in checks if one.status == "differs"]
    record = _record(best, source)
    return CitationCheck(
        status="mismatch" if differing else "verified",
        exists=True,
        confidence="medium" if differing else "high",
        risk=_MISMATCH if differing else _SOUND,
        fields=checks,
        record=record,
        records=(record,),
        version=(record,),
        reason="; ".join(f"{one.field}: {citation} is {one.found}" for one in differing)
        or "The case under this citation has this name and year.",
    )


def _fields(
    reference: Reference, cited: str, citation: str, case: Case, source: str
) -> list[FieldCheck]:
    year = (case.date_filed or "")[:4]
    checks = [
        FieldCheck(
            field="case_citation", status="match", given=citation, found=citation, source=source
        )
    ]
    if cited:
        checks.append(
            FieldCheck(
                field="title",
                status="match" if names_agree(cited, case.name) else "differs",
                given=cited,
                found=case.name,
                source=source,
            )
        )
    if reference.year is not None and year:
        checks.append(
            FieldCheck(
                field="year",
                status="match" if str(reference.year) == year else "differs",
                given=str(reference.year),
                found=year,
                source=source,
            )
        )
    return checks


def names_agree(cited: str, recorded: str) -> bool:
    """Whether two names of a case share a word, or its abbreviation, for each party."""
    ours, theirs = (_PARTIES.split(name, maxsplit=1) for name in (cited, recorded))
    return len(ours) == len(theirs) and all(
        _share_word(one, other) for one, other in zip(ours, theirs, strict=True)
    )


def _share_word(one: str, other: str) -> bool:
    words = [word for word in fold_text(one[:300]).split() if len(word) >= _MIN_STEM]
    others = [word for word in fold_text(other[:300]).split() if len(word) >= _MIN_STEM]
    if not words or not others:
        return fold_text(one[:300]) == fold_text(other[:300])
    return any(a.startswith(b) or b.startswith(a) for a in words[:20] for b in others[:20])


def _record(case: Case, source: str) -> WorkRecord:
    year = (case.date_filed or "")[:4]
    return WorkRecord(
        source=source,
        title=case.name,
        year=int(year) if year.isdecimal() else None,
        published=case.date_filed,
        venue=case.citations[0] if case.citations else case.court,
        publisher=case.court,
        type="case",
        url=case.url,
    )
