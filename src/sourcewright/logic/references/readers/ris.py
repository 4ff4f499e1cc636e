"""Reads references from RIS, with the tags of its many exporters."""

from sourcewright.domain.papers.references import ReadReference, UnreadableReference
from sourcewright.logic.references.field_values import authors_of
from sourcewright.logic.references.readers.fields import StatedFields, reference_kind, reference_of
from sourcewright.logic.references.ris import (
    NOTE_TAGS,
    URL_TAGS,
    RisRecord,
    pubmed_ids,
    ris_records,
)

_CONTAINERS = ("BOOK", "EBOOK", "THES", "RPRT", "STAND", "CASE")
"""Types whose second title is a series, so that their title may be under `BT`."""


def read_ris_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It has too many records.
    """
    return tuple(map(_reference, ris_records(text)))


def _reference(record: RisRecord) -> ReadReference:
    key = _first(record, "ID") or None
    if not any(record.values(tag) for tag in record.tags if tag != "TY"):
        return UnreadableReference(
            text=record.text, reason="the record has no fields", key=key, line=record.line
        )
    type_name = _first(record, "TY")
    title = _first(record, "TI", "T1", "CT")
    title = title or _first(record, "BT", "T2") if type_name in _CONTAINERS else title
    venue = _first(record, "JF", "JO", "T2", "BT", "JA", "J1", "J2", "T3")
    authors, truncated = authors_of(record.values("A1", "AU") or record.values("A2", "ED", "A3"))
    addresses = record.values(*URL_TAGS)
    return reference_of(
        StatedFields(
            text=record.text,
            key=key,
            line=record.line,
            kind=reference_kind(type_name),
            authors=authors,
            truncated=truncated,
            title=title,
            venue="" if venue == title else venue,
            publisher=_first(record, "PB"),
            location=_first(record, "CY", "PP"),
            date=_first(record, "PY", "Y1", "DA"),
            volume=_first(record, "VL"),
            issue=_first(record, "IS", "CP"),
            pages=_pages(record),
            doi=_first(record, "DO"),
            pmid=next(iter(pubmed_ids(record)), ""),
            isbn=_first(record, "SN") if type_name in (*_CONTAINERS, "CHAP", "ECHAP") else "",
            url=next(iter(addresses), ""),
            addresses=addresses[1:],
            notes=record.values(*NOTE_TAGS),
        )
    )


def _first(record: RisRecord, *tags: str) -> str:
    return next(iter(record.values(*tags)), "")


def _pages(record: RisRecord) -> str:
    first, last = _first(record, "SP"), _first(record, "EP")
    return f"{first}-{last}" if first and last and last != first and "-" not in first else first
