"""Reads references from RIS, with the tags of its many exporters, including malformed files.

A record may lack its start tag, and lines without a tag continue the value before them.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sourcewright.references.field_values import authors_of
from sourcewright.references.limits import refuse_if_too_many
from sourcewright.references.model import ReadReference, UnreadableReference
from sourcewright.references.readers.fields import StatedFields, reference_kind, reference_of

_TAG = re.compile(r"([A-Z][A-Z0-9]) {0,2}-(?: (.*)|\s*$)")
_RECORD_TAG = re.compile(r"^[\ufeff ]{0,9}(TY|ER) {0,2}-", re.MULTILINE)
_URL_TAGS = ("UR", "LK", "L1", "L2", "L3", "L4")
_NOTE_TAGS = ("N1", "M1", "M3", "C1", "C2", "C7", "AN", "JO", "JF", "T2")
_PUBMED = re.compile(r"pubmed|medline|\bpmid\b", re.IGNORECASE)
_MAX_CONTINUED = 2048
"""Characters after which the lines that continue a value are ignored."""
_CONTAINERS = ("BOOK", "EBOOK", "THES", "RPRT", "STAND", "CASE")
"""Types whose second title is a series, so that their title may be under `BT`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RisRecord:
    """The values of a record by tag, and where it stands."""

    tags: Mapping[str, list[str]]
    line: int
    text: str

    def values(self, *tags: str) -> tuple[str, ...]:
        """The values of these tags that are not empty, in the order of the tags."""
        return tuple(value for tag in tags for value in self.tags.get(tag, ()) if value)

    def first(self, *tags: str) -> str:
        """The first of these values; empty if there is none."""
        return next(iter(self.values(*tags)), "")


def read_ris_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It has too many records.
    """
    return tuple(map(_reference, _records(text)))


def _records(text: str) -> Iterator[RisRecord]:
    """The records in order; text outside of them is skipped.

    Raises:
        InvalidInput: It has too many records.
    """
    tag_counts = Counter(match[1] for match in _RECORD_TAG.finditer(text))
    refuse_if_too_many(max(tag_counts.values(), default=0), "records")
    tags: dict[str, list[str]] = {}
    lines: list[str] = []
    start_line = 0
    last: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        tag, value = _split_tag(line)
        if tags and (tag == "ER" or (tag == "TY" and set(tags) != {"TY"})):
            lines += [line] if tag == "ER" else []
            yield RisRecord(tags=tags, line=start_line, text="\n".join(lines).strip())
            tags, last, lines = {}, [], []
        if tag is None and last and len(last[-1]) < _MAX_CONTINUED:
            last[-1] = f"{last[-1]} {line.strip()}".strip()
        if tag is not None and tag != "ER":
            start_line = start_line if tags else number
            last = tags.setdefault(tag, [])
            last.append(value)
        lines += [line] if tags else []
    if tags:
        yield RisRecord(tags=tags, line=start_line, text="\n".join(lines).strip())


def _split_tag(line: str) -> tuple[str | None, str]:
    match = _TAG.match(line.lstrip("\ufeff "))
    return (match[1], (match[2] or "").strip()) if match else (None, "")


def _reference(record: RisRecord) -> ReadReference:
    key = record.first("ID") or None
    if not any(record.values(tag) for tag in record.tags if tag != "TY"):
        return UnreadableReference(
            text=record.text, reason="the record has no fields", key=key, line=record.line
        )
    type_name = record.first("TY")
    title = record.first("TI", "T1", "CT")
    title = title or record.first("BT", "T2") if type_name in _CONTAINERS else title
    venue = record.first("JF", "JO", "T2", "BT", "JA", "J1", "J2", "T3")
    authors, truncated = authors_of(record.values("A1", "AU") or record.values("A2", "ED", "A3"))
    addresses = record.values(*_URL_TAGS)
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
            publisher=record.first("PB"),
            location=record.first("CY", "PP"),
            date=record.first("PY", "Y1", "DA"),
            volume=record.first("VL"),
            issue=record.first("IS", "CP"),
            pages=_pages(record),
            doi=record.first("DO"),
            pmid=next(iter(_pubmed_ids(record)), ""),
            isbn=record.first("SN") if type_name in (*_CONTAINERS, "CHAP", "ECHAP") else "",
            url=next(iter(addresses), ""),
            addresses=addresses[1:],
            notes=record.values(*_NOTE_TAGS),
        )
    )


def _pages(record: RisRecord) -> str:
    first, last = record.first("SP"), record.first("EP")
    return f"{first}-{last}" if first and last and last != first and "-" not in first else first


def _pubmed_ids(record: RisRecord) -> tuple[str, ...]:
    """Accession numbers as PubMed ids, if the record's database is PubMed."""
    if not any(_PUBMED.search(database) for database in record.values("DB", "DP")):
        return ()
    numbers = record.values("AN")
    return tuple(f"pmid:{number}" for number in numbers if number.isascii() and number.isdigit())
