"""Reads RIS, including malformed files: records without a start tag, continued lines."""

import re
from collections import Counter
from collections.abc import Iterator

from sourcewright.domain.errors import InvalidInput
from sourcewright.logic.references.entry_identifiers import (
    MAX_TEXT,
    EntryClues,
    EntryProblem,
    IdentifiedEntry,
    identify_entry,
)

MAX_RECORDS = 50_000

_TAG = re.compile(r"([A-Z][A-Z0-9]) {0,2}-(?: (.*)|\s*$)")
_RECORD_TAG = re.compile(r"^[\ufeff ]{0,9}(TY|ER) {0,2}-", re.MULTILINE)
_TITLE_TAGS = ("TI", "T1", "CT", "BT", "T2")
_URL_TAGS = ("UR", "LK", "L1", "L2", "L3", "L4")
_NOTE_TAGS = ("N1", "M1", "M3", "C1", "C2", "C7", "AN", "JO", "JF", "T2")
_PUBMED = re.compile(r"pubmed|medline|\bpmid\b", re.IGNORECASE)

Record = dict[str, list[str]]


def read_ris(text: str) -> tuple[IdentifiedEntry | EntryProblem, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It has too many records.
    """
    tag_counts = Counter(match[1] for match in _RECORD_TAG.finditer(text))
    if max(tag_counts.values(), default=0) > MAX_RECORDS:
        raise InvalidInput(f"it has more than {MAX_RECORDS} records")
    return tuple(
        identify_entry(_clues(line, record, number))
        for number, (line, record) in enumerate(_records(text), 1)
    )


def _records(text: str) -> Iterator[tuple[int, Record]]:
    record: Record = {}
    start_line = 0
    last: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        tag, value = _split_tag(line)
        if tag is None:
            if last and len(last[-1]) < MAX_TEXT:
                last[-1] = f"{last[-1]} {line.strip()}".strip()
            continue
        if record and (tag == "ER" or (tag == "TY" and set(record) != {"TY"})):
            yield start_line, record
            record, last = {}, []
        if tag != "ER":
            start_line = start_line if record else number
            last = record.setdefault(tag, [])
            last.append(value)
    if record:
        yield start_line, record


def _split_tag(line: str) -> tuple[str | None, str]:
    match = _TAG.match(line.lstrip("\ufeff "))
    return (match[1], (match[2] or "").strip()) if match else (None, "")


def _clues(line: int, record: Record, number: int) -> EntryClues:
    def values(*tags: str) -> tuple[str, ...]:
        return tuple(value for tag in tags for value in record.get(tag, ()) if value)

    title = next(iter(values(*_TITLE_TAGS)), None)
    return EntryClues(
        entry=next(iter(values("ID")), None) or title or f"record {number}",
        line=line,
        title=title,
        stated=(*values("DO"), *_pubmed_ids(values("AN"), values("DB", "DP"))),
        addresses=values(*_URL_TAGS),
        notes=values(*_NOTE_TAGS),
    )


def _pubmed_ids(numbers: tuple[str, ...], databases: tuple[str, ...]) -> tuple[str, ...]:
    """Accession numbers as PubMed ids, if the record's database is PubMed."""
    if not any(_PUBMED.search(database) for database in databases):
        return ()
    return tuple(f"pmid:{number}" for number in numbers if number.isascii() and number.isdigit())
