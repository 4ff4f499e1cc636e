"""Reads RIS, including malformed files: records without a start tag, continued lines."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sourcewright.logic.references.entry_identifiers import (
    MAX_TEXT,
    EntryClues,
    EntryProblem,
    IdentifiedEntry,
    identify_entry,
)
from sourcewright.logic.references.limits import refuse_if_too_many

_TAG = re.compile(r"([A-Z][A-Z0-9]) {0,2}-(?: (.*)|\s*$)")
_RECORD_TAG = re.compile(r"^[\ufeff ]{0,9}(TY|ER) {0,2}-", re.MULTILINE)
_TITLE_TAGS = ("TI", "T1", "CT", "BT", "T2")
URL_TAGS = ("UR", "LK", "L1", "L2", "L3", "L4")
NOTE_TAGS = ("N1", "M1", "M3", "C1", "C2", "C7", "AN", "JO", "JF", "T2")
_PUBMED = re.compile(r"pubmed|medline|\bpmid\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class RisRecord:
    """The values of a record by tag, and where it stands."""

    tags: Mapping[str, list[str]]
    line: int
    text: str

    def values(self, *tags: str) -> tuple[str, ...]:
        """The values of these tags that are not empty, in the order of the tags."""
        return tuple(value for tag in tags for value in self.tags.get(tag, ()) if value)


def read_ris(text: str) -> tuple[IdentifiedEntry | EntryProblem, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It has too many records.
    """
    return tuple(
        identify_entry(_clues(record, number))
        for number, record in enumerate(ris_records(text), 1)
    )


def ris_records(text: str) -> Iterator[RisRecord]:
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
        if tag is None and last and len(last[-1]) < MAX_TEXT:
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


def _clues(record: RisRecord, number: int) -> EntryClues:
    title = next(iter(record.values(*_TITLE_TAGS)), None)
    return EntryClues(
        entry=next(iter(record.values("ID")), None) or title or f"record {number}",
        line=record.line,
        title=title,
        stated=(*record.values("DO"), *pubmed_ids(record)),
        addresses=record.values(*URL_TAGS),
        notes=record.values(*NOTE_TAGS),
    )


def pubmed_ids(record: RisRecord) -> tuple[str, ...]:
    """Accession numbers as PubMed ids, if the record's database is PubMed."""
    if not any(_PUBMED.search(database) for database in record.values("DB", "DP")):
        return ()
    numbers = record.values("AN")
    return tuple(f"pmid:{number}" for number in numbers if number.isascii() and number.isdigit())
