"""Corrections of fields, the places in a file where fields stand, and edits of its text."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from sourcewright.base.text.person_names import PersonName
from sourcewright.references.model import ReferenceField

IDENTIFIERS: tuple[ReferenceField, ...] = ("doi", "arxiv_id", "pmid", "pmcid")


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldCorrection:
    """One field that differs from the record, and what the record has."""

    field: ReferenceField
    given: str
    value: str
    """In plain text; for authors, the names in one line."""
    names: tuple[PersonName, ...] = ()
    """The authors, if the field is theirs."""
    truncated: bool = False
    """Whether the entry says that there are further authors."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Slot:
    """Where the value of one field stands in the text, with its delimiters."""

    name: str
    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Edit:
    """A span of the text, and what replaces it."""

    start: int
    end: int
    text: str


Groups = Mapping[ReferenceField, Sequence[Sequence[str]]]
"""The names under which a format has a field, most likely first; those of a group belong together."""
Writer = Callable[[Slot, FieldCorrection], str | None]
"""The new text of a slot; None if the value cannot be written there."""


def edits_of(
    correction: FieldCorrection, slots: Sequence[Slot], groups: Groups, write: Writer
) -> list[Edit]:
    """The edits that correct one field of an entry; none if it has no place for it."""
    if correction.field in IDENTIFIERS:
        chosen = _holding_identifier(correction, slots, groups)
    else:
        chosen = _chosen(groups.get(correction.field, ()), slots)
    texts = [(slot, write(slot, correction)) for slot in chosen]
    if any(text is None for _, text in texts):
        return []
    return [Edit(slot.start, slot.end, text) for slot, text in texts if text is not None]


def _chosen(groups: Sequence[Sequence[str]], slots: Sequence[Slot]) -> list[Slot]:
    for group in groups:
        if members := [slot for slot in slots if slot.name in group]:
            return members
    return []


def _holding_identifier(
    correction: FieldCorrection, slots: Sequence[Slot], groups: Groups
) -> list[Slot]:
    """The field of the identifier, and every other one in which it is written, such as a URL."""
    own = _chosen(groups.get(correction.field, ()), slots)
    given = correction.given.lower()
    others = (slot for slot in slots if slot not in own and given in slot.text.lower())
    return [*own, *others]


def replaced_inside(text: str, given: str, value: str) -> str | None:
    """The text with one value in place of another, in any case; None if it is not in it."""
    at = text.lower().find(given.lower())
    return None if at < 0 or not given else text[:at] + value + text[at + len(given) :]


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """The text after edits that do not overlap."""
    pieces, at = [], 0
    for edit in sorted(edits, key=lambda one: one.start):
        pieces += [text[at : edit.start], edit.text]
        at = edit.end
    return "".join((*pieces, text[at:]))


def shown_names(names: Iterable[PersonName]) -> str:
    """Authors in one line, as they are read."""
    parts = ((one.given, one.family, one.suffix, one.whole) for one in names)
    return "; ".join(" ".join(filter(None, some)) for some in parts)


def sorting_name(name: PersonName) -> str:
    """A name as RIS and MEDLINE have it: `Family, Given`."""
    return name.whole or ", ".join(filter(None, (name.family, name.given, name.suffix)))
