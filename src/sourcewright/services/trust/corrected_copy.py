"""Corrected copy of a bibliography: the fields that differ from the record of a work that is clear.

Retracted works are named and not corrected. Entries about which nothing was decided are untouched.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import unified_diff

from sourcewright.base.errors import InvalidInput
from sourcewright.base.text.charsets import encoding_of
from sourcewright.references.corrections.document import (
    WRITABLE,
    CorrectedDocument,
    correct_document,
)
from sourcewright.references.corrections.edits import FieldCorrection
from sourcewright.references.model import Reference
from sourcewright.references.reader import ReferenceFormat
from sourcewright.services.trust.audit_bibliography import Audit, AuditedEntry
from sourcewright.services.trust.corrected_reference import field_corrections, suggested_bibtex

_RETRACTED = "the work was retracted: decide whether to cite it at all"
_UNCLEAR = "a field differs, but it is unclear which work is cited"
_NO_VALUE = "the record does not say what is right"


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldFixed:
    """One field that was changed."""

    entry: AuditedEntry
    field: str
    before: str
    after: str


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLeft:
    """An entry, or one field of it, that has a problem and was not changed."""

    entry: AuditedEntry
    reason: str
    field: str | None = None
    suggestion: str | None = None
    """The corrected reference, where the file cannot be changed in place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedCopy:
    """The new content of a file, and what was changed; None if nothing is."""

    body: bytes | None
    fixed: tuple[FieldFixed, ...] = ()
    left: tuple[EntryLeft, ...] = ()
    diff: str = ""
    refusal: str | None = None
    """Why this file cannot be changed in place."""


def correct_copy(
    body: bytes, name: str, format_name: ReferenceFormat | None, audit: Audit
) -> CorrectedCopy:
    """Correct the entries of a file; `audit` has all of them, in the order of the file."""
    mismatches = {place: one for place, one in enumerate(audit.entries) if "mismatch" in one.flags}
    left = [
        EntryLeft(entry=one, reason=_RETRACTED)
        for one in audit.entries
        if "retracted" in one.flags
    ]
    corrections: dict[int, tuple[FieldCorrection, ...]] = {}
    for place, one in mismatches.items():
        if "retracted" in one.flags or one.case is None:
            continue
        values, without_value = field_corrections(one.case.reference, one.case.check)
        left += [EntryLeft(entry=one, field=field, reason=_NO_VALUE) for field in without_value]
        if values:
            corrections[place] = values
        elif not without_value:
            left.append(EntryLeft(entry=one, reason=_UNCLEAR))
    if format_name not in WRITABLE:
        return _refused(audit, corrections, left, format_name)
    return _corrected(body, name, format_name, audit, corrections, left)


def _corrected(
    body: bytes,
    name: str,
    format_name: ReferenceFormat,
    audit: Audit,
    corrections: dict[int, tuple[FieldCorrection, ...]],
    left: Sequence[EntryLeft],
) -> CorrectedCopy:
    bom, codec = encoding_of(body)
    text = body[len(bom) :].decode(codec, "replace")
    if bom + text.encode(codec, "replace") != body:
        raise InvalidInput(f"{name} has bytes that are not valid {codec}; it cannot be corrected")
    writable = {
        place: tuple(one for one in some if _is_encodable(one.value, codec))
        for place, some in corrections.items()
    }
    references = tuple(one.entry for one in audit.entries)
    document = correct_document(text, format_name, references, writable)
    unwritable = [
        EntryLeft(
            entry=audit.entries[place],
            field=one.field,
            reason=f"it cannot be written in the encoding of the file, {codec}",
        )
        for place, some in corrections.items()
        for one in some
        if one not in writable[place]
    ]
    return _copy(name, audit, document, (text, bom, codec), [*left, *unwritable])


def _copy(
    name: str,
    audit: Audit,
    document: CorrectedDocument,
    original: tuple[str, bytes, str],
    left: Sequence[EntryLeft],
) -> CorrectedCopy:
    text, bom, codec = original
    fixed = tuple(
        FieldFixed(
            entry=audit.entries[one.place],
            field=one.correction.field,
            before=one.correction.given,
            after=one.correction.value,
        )
        for one in document.applied
    )
    rest = tuple(
        EntryLeft(entry=audit.entries[one.place], field=one.field, reason=one.reason)
        for one in document.left
    )
    is_changed = document.text != text
    return CorrectedCopy(
        body=bom + document.text.encode(codec) if is_changed else None,
        fixed=fixed if is_changed else (),
        left=(*left, *rest),
        diff=_diff(name, text, document.text) if is_changed else "",
    )


def _refused(
    audit: Audit,
    corrections: dict[int, tuple[FieldCorrection, ...]],
    left: Sequence[EntryLeft],
    format_name: ReferenceFormat | None,
) -> CorrectedCopy:
    """Name the corrected references of a file that cannot be changed in place."""
    kind = {"list": "a list of references", None: "a document"}.get(
        format_name, f"a file in the format {format_name}"
    )
    reason = f"{kind} cannot be corrected in place"
    suggested = [
        EntryLeft(entry=one, reason=reason, suggestion=_suggestion(one))
        for one in (audit.entries[place] for place in corrections)
    ]
    return CorrectedCopy(body=None, left=(*left, *suggested), refusal=reason)


def _suggestion(entry: AuditedEntry) -> str | None:
    if entry.case is None or not isinstance(entry.entry, Reference):
        return None
    return suggested_bibtex(entry.case.reference, entry.case.check)


def _is_encodable(value: str, codec: str) -> bool:
    try:
        value.encode(codec)
    except UnicodeEncodeError:
        return False
    return True


def _diff(name: str, before: str, after: str) -> str:
    lines = unified_diff(
        before.splitlines(), after.splitlines(), name, f"{name} (corrected)", lineterm="", n=2
    )
    return "\n".join(lines) + "\n"
