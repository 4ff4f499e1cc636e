"""Corrects a bibliography as a whole, and reads the result again before it is trusted."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sourcewright.base.errors import InvalidInput
from sourcewright.references.corrections.edits import (
    IDENTIFIERS,
    Edit,
    FieldCorrection,
    apply_edits,
    edits_of,
)
from sourcewright.references.model import ReadReference, Reference, ReferenceField
from sourcewright.references.reader import ReferenceFormat, read_references

WRITABLE: tuple[ReferenceFormat, ...] = ("bibtex", "ris", "nbib", "csl-json")
"""Formats in which a field can be changed without touching anything else."""
Corrections = Mapping[int, Sequence[FieldCorrection]]
"""What is to be corrected, by the place of the entry in the file."""
_NO_PLACE = "the entry has no field of its own for it"
_MISREAD = "the file would be read differently with it"
_FOLLOWING: Mapping[ReferenceField, tuple[str, ...]] = {
    "authors": ("authors_truncated",),
    "venue": ("kind",),
}
"""What else may change together with a field when the entry is read again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedCorrection:
    """A correction that was made."""

    place: int
    correction: FieldCorrection


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """A field that was not corrected, and why."""

    place: int
    field: ReferenceField
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class CorrectedDocument:
    """The text with the corrections that could be made, and those that could not."""

    text: str
    applied: tuple[AppliedCorrection, ...] = ()
    left: tuple[Left, ...] = ()


def correct_document(
    text: str,
    format_name: ReferenceFormat,
    references: tuple[ReadReference, ...],
    corrections: Corrections,
) -> CorrectedDocument:
    """Correct fields of entries; `references` are all entries of the text, as they were read.

    Raises:
        InvalidInput: The format cannot be corrected in place.
    """
    planned = _planned(text, format_name, references, corrections)
    applied = {place: edits for place, edits in planned.items() if edits}
    result = apply_edits(text, _all(applied.values()))
    misread = _misread(result, format_name, references, corrections, applied)
    if misread:
        applied = {place: edits for place, edits in applied.items() if place not in misread}
        result = apply_edits(text, _all(applied.values()))
        if _misread(result, format_name, references, corrections, applied):
            applied, result = {}, text
    return CorrectedDocument(
        text=result,
        applied=tuple(
            AppliedCorrection(place=place, correction=one)
            for place, some in corrections.items()
            for one in some
            if one.field in applied.get(place, {})
        ),
        left=tuple(
            Left(
                place=place,
                field=one.field,
                reason=_MISREAD if one.field in planned.get(place, {}) else _NO_PLACE,
            )
            for place, some in corrections.items()
            for one in some
            if one.field not in applied.get(place, {})
        ),
    )


_EditsByField = Mapping[ReferenceField, list[Edit]]


def _planned(
    text: str,
    format_name: ReferenceFormat,
    references: tuple[ReadReference, ...],
    corrections: Corrections,
) -> dict[int, _EditsByField]:
    editor = _editor(text, format_name, references)
    planned: dict[int, _EditsByField] = {}
    for place, some in corrections.items():
        taken: list[Edit] = []
        fields: dict[ReferenceField, list[Edit]] = {}
        for one in some:
            edits = [edit for edit in editor(place, one) if not _overlaps(edit, taken)]
            if edits:
                fields[one.field] = edits
                taken += edits
        planned[place] = fields
    return planned


def _overlaps(edit: Edit, others: Iterable[Edit]) -> bool:
    return any(edit.start < one.end and one.start < edit.end for one in others)


def _editor(
    text: str, format_name: ReferenceFormat, references: tuple[ReadReference, ...]
) -> Callable[[int, FieldCorrection], list[Edit]]:
    if format_name == "bibtex":
        return _bibtex_editor(text, references)
    if format_name in ("ris", "nbib"):
        return _tagged_editor(text, references, is_ris=format_name == "ris")
    if format_name == "csl-json":
        return _csl_editor(text)
    raise InvalidInput(f"a file in the format {format_name} cannot be corrected in place")


def _bibtex_editor(
    text: str, references: tuple[ReadReference, ...]
) -> Callable[[int, FieldCorrection], list[Edit]]:
    from sourcewright.references.corrections import bibtex

    spans = list(bibtex.entry_spans(text, references))
    write = bibtex.write_ascii_value if text.isascii() else bibtex.write_bibtex_value

    def edits(place: int, correction: FieldCorrection) -> list[Edit]:
        slots = bibtex.bibtex_slots(text, *spans[place])
        return edits_of(correction, slots, bibtex.GROUPS, write)

    return edits


def _tagged_editor(
    text: str, references: tuple[ReadReference, ...], *, is_ris: bool
) -> Callable[[int, FieldCorrection], list[Edit]]:
    from sourcewright.references.corrections.tagged import NBIB_GROUPS, RIS_GROUPS, TaggedFile

    file = TaggedFile(text, is_ris=is_ris)
    lines = [reference.line or 1 for reference in references]
    groups = RIS_GROUPS if is_ris else NBIB_GROUPS

    def edits(place: int, correction: FieldCorrection) -> list[Edit]:
        following = lines[place + 1] if place + 1 < len(lines) else None
        return edits_of(correction, file.slots(lines[place], following), groups, file.write)

    return edits


def _csl_editor(text: str) -> Callable[[int, FieldCorrection], list[Edit]]:
    from sourcewright.references.corrections.csl import GROUPS, CslFile

    file = CslFile(text)
    items = file.items()

    def edits(place: int, correction: FieldCorrection) -> list[Edit]:
        return edits_of(correction, file.slots(items[place][0]), GROUPS, file.write)

    return edits


def _all(edits: Iterable[_EditsByField]) -> list[Edit]:
    return [edit for fields in edits for some in fields.values() for edit in some]


def _misread(
    text: str,
    format_name: ReferenceFormat,
    before: tuple[ReadReference, ...],
    corrections: Corrections,
    applied: Mapping[int, _EditsByField],
) -> set[int]:
    """The entries that read otherwise than they should in the corrected text."""
    try:
        after = read_references(text, format=format_name)
    except InvalidInput:
        return set(applied)
    if len(after) != len(before):
        return set(applied)
    pairs = enumerate(zip(before, after, strict=True))
    return {
        place
        for place, (old, new) in pairs
        if not _reads_right(old, new, corrections.get(place, ()) if place in applied else ())
    }


def _reads_right(
    old: ReadReference, new: ReadReference, corrected: Sequence[FieldCorrection]
) -> bool:
    if not corrected or not isinstance(old, Reference) or not isinstance(new, Reference):
        return old.text == new.text and old.key == new.key
    changed = {name for one in corrected for name in (one.field, *_FOLLOWING.get(one.field, ()))}
    if changed.intersection(IDENTIFIERS):
        changed.update((*IDENTIFIERS, "url", "kind"))
    values: dict[str, Any] = {name: getattr(new, name) for name in changed}
    return replace(old, text=new.text, line=new.line, spans=new.spans, **values) == new
