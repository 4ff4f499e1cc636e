"""Reads RIS, also malformed: records without a start, continued lines."""

import re
from collections import Counter
from collections.abc import Iterator

from sourcewright.domain.errors import InvalidInput
from sourcewright.logic.references.entry_identifiers import (
    MAX_TEXT,
    Clues,
    Found,
    Problem,
    identified,
)

MAX_RECORDS = 50_000

_TAG = re.compile(r"([A-Z][A-Z0-9]) {0,2}-(?: (.*)|\s*$)")
_MARK = re.compile(r"^[\ufeff ]{0,9}(TY|ER) {0,2}-", re.MULTILINE)
_TITLES = ("TI", "T1", "CT", "BT", "T2")
_ADDRESSES = ("UR", "LK", "L1", "L2", "L3", "L4")
_NOTES = ("N1", "M1", "M3", "C1", "C2", "C7", "AN", "JO", "JF", "T2")
_PUBMED = re.compile(r"pubmed|medline|\bpmid\b", re.IGNORECASE)

Record = dict[str, list[str]]


def read_ris(text: str) -> tuple[Found | Problem, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It has more records than any bibliography.
    """
    marks = Counter(mark[1] for mark in _MARK.finditer(text))
    if max(marks.values(), default=0) > MAX_RECORDS:
        raise InvalidInput(f"it has more than {MAX_RECORDS} records")
    return tuple(
        identified(_clues(line, record, place))
        for place, (line, record) in enumerate(_records(text), 1)
    )


def _records(text: str) -> Iterator[tuple[int, Record]]:
    record: Record = {}
    begun = 0
    last: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        tag, value = _tagged(line)
        if tag is None:
            if last and len(last[-1]) < MAX_TEXT:
                last[-1] = f"{last[-1]} {line.strip()}".strip()
            continue
        if record and (tag == "ER" or (tag == "TY" and set(record) != {"TY"})):
            yield begun, record
            record, last = {}, []
        if tag != "ER":
            begun = begun if record else number
            last = record.setdefault(tag, [])
            last.append(value)
    if record:
        yield begun, record


def _tagged(line: str) -> tuple[str | None, str]:
    found = _TAG.match(line.lstrip("\ufeff "))
    return (found[1], (found[2] or "").strip()) if found else (None, "")


def _clues(line: int, record: Record, place: int) -> Clues:
    def values(*tags: str) -> tuple[str, ...]:
        return tuple(value for tag in tags for value in record.get(tag, ()) if value)

    title = next(iter(values(*_TITLES)), None)
    return Clues(
        entry=next(iter(values("ID")), None) or title or f"record {place}",
        line=line,
        title=title,
        stated=(*values("DO"), *_accession(values("AN"), values("DB", "DP"))),
        addresses=values(*_ADDRESSES),
        notes=values(*_NOTES),
    )


def _accession(numbers: tuple[str, ...], databases: tuple[str, ...]) -> tuple[str, ...]:
    """An accession number is a PubMed id when the record says that it comes from there."""
    if not any(_PUBMED.search(database) for database in databases):
        return ()
    return tuple(f"pmid:{number}" for number in numbers if number.isascii() and number.isdigit())
