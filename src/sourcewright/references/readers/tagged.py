"""Reads references from NBIB (PubMed), from EndNote's tagged format, and from Web of Science (ISI)."""

import re
from collections.abc import Iterator, Mapping

from sourcewright.references.field_values import authors_of, organisation
from sourcewright.references.limits import MAX_VALUE, refuse_if_too_many
from sourcewright.references.model import ReadReference, ReferenceKind, UnreadableReference
from sourcewright.references.readers.fields import StatedFields, reference_kind, reference_of
from sourcewright.references.readers.ris import RisRecord

_NBIB_LINE = re.compile(r"([A-Z]{2,4}) {0,2}- ?(.*)")
_REFER_LINE = re.compile(r"%([0-9A-Z@!]) ?(.*)")
_ISI_LINE = re.compile(r"([A-Z][A-Z0-9])(?: |$)(.*)")
_NBIB_IDENTIFIER = re.compile(r"(\S{1,400}) \[(doi|pii|pmc)\]")


def read_nbib_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It has too many records.
    """
    return tuple(map(_nbib_reference, list(_records(text, _NBIB_LINE, "PMID"))))


def read_refer_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each record of EndNote's tagged format (`.enw`), in order.

    Raises:
        InvalidInput: It has too many records.
    """
    return tuple(map(_refer_reference, list(_records(text, _REFER_LINE, "0"))))


def read_isi_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each record of an export of Web of Science, in order.

    Raises:
        InvalidInput: It has too many records.
    """
    return tuple(map(_isi_reference, list(_records(text, _ISI_LINE, "PT", between="\n"))))


def _records(
    text: str, pattern: re.Pattern[str], first_tag: str, *, between: str = " "
) -> Iterator[RisRecord]:
    """Records that begin with a certain tag; lines without a tag continue the one before.

    List them before one is read: too many are then refused at little cost.
    """
    tags: dict[str, list[str]] = {}
    lines: list[str] = []
    start = count = 0
    last: list[str] = []
    for number, line in enumerate(text.splitlines(), 1):
        match = pattern.match(line.lstrip("\ufeff"))
        if match and match[1] == first_tag:
            if tags:
                yield RisRecord(tags=tags, line=start, text="\n".join(lines).strip())
            tags, lines, start, count = {}, [], number, count + 1
            refuse_if_too_many(count, "records")
        if match and count:
            last = tags.setdefault(match[1], [])
            last.append(match[2].strip())
        elif last and line.strip() and len(last[-1]) < MAX_VALUE:
            last[-1] = f"{last[-1]}{between}{line.strip()}".strip()
        lines += [line] if tags else []
    if tags:
        yield RisRecord(tags=tags, line=start, text="\n".join(lines).strip())


def _nbib_reference(record: RisRecord) -> ReadReference:
    if not set(record.tags) - {"PMID", "OWN", "STAT"}:
        return _without_fields(record)
    authors, truncated = authors_of(record.values("FAU") or record.values("AU"))
    groups = tuple(organisation(name) for name in record.values("CN"))
    identifiers = _nbib_identifiers(record)
    book = record.first("BTI", "CTI")
    title = record.first("TI", "BTI", "TT")
    return reference_of(
        StatedFields(
            text=record.text,
            key=record.first("PMID"),
            line=record.line,
            kind="preprint" if "Preprint" in record.values("PT") else _nbib_kind(book, title),
            authors=(*authors, *groups),
            truncated=truncated,
            title=title.rstrip("."),
            venue=record.first("JT", "TA") or book,
            publisher=record.first("PB"),
            date=record.first("DP", "DEP"),
            volume=record.first("VI"),
            issue=record.first("IP"),
            pages=record.first("PG"),
            doi=identifiers.get("doi", ""),
            pmid=record.first("PMID"),
            pmcid=record.first("PMC") or identifiers.get("pmc", ""),
            isbn=record.first("ISBN"),
        )
    )


def _nbib_kind(book: str, title: str) -> ReferenceKind:
    if not book:
        return "article"
    return "book" if book == title else "chapter"


def _nbib_identifiers(record: RisRecord) -> Mapping[str, str]:
    identifiers: dict[str, str] = {}
    for value in record.values("LID", "AID"):
        if match := _NBIB_IDENTIFIER.match(value):
            identifiers.setdefault(match[2], match[1])
    return identifiers


def _refer_reference(record: RisRecord) -> ReadReference:
    if not any(record.values(tag) for tag in record.tags if tag != "0"):
        return _without_fields(record)
    authors, truncated = authors_of(record.values("A") or record.values("E"))
    return reference_of(
        StatedFields(
            text=record.text,
            key=record.first("F"),
            line=record.line,
            kind=reference_kind(record.first("0")),
            authors=authors,
            truncated=truncated,
            title=record.first("T"),
            venue=record.first("J", "B", "S"),
            publisher=record.first("I"),
            date=record.first("D", "8"),
            volume=record.first("V"),
            issue=record.first("N"),
            pages=record.first("P"),
            doi=record.first("R"),
            isbn=record.first("@"),
            url=record.first("U"),
            notes=record.values("O"),
        )
    )


def _isi_reference(record: RisRecord) -> ReadReference:
    if not set(record.tags) - {"PT", "ER", "EF"}:
        return _without_fields(record)
    # Each name has a line of its own; `AF` has the full names, and `CA` groups.
    names = record.values("AF") or record.values("AU") or record.values("BE", "ED")
    authors, truncated = authors_of(name for lines in names for name in re.split(r"\n|; ", lines))
    groups = tuple(
        organisation(name) for lines in record.values("CA") for name in lines.split("\n")
    )
    return reference_of(
        StatedFields(
            text=record.text,
            key=record.first("UT"),
            line=record.line,
            kind=_isi_kind(record),
            authors=(*authors, *groups),
            truncated=truncated,
            title=record.first("TI"),
            venue=record.first("SO", "JI", "J9"),
            publisher=record.first("PU"),
            location=record.first("PI"),
            date=record.first("PY", "PD", "EY"),
            volume=record.first("VL"),
            issue=record.first("IS"),
            pages="-".join(record.values("BP", "EP")) or record.first("PS", "AR"),
            doi=record.first("DI"),
            pmid=record.first("PM"),
            isbn=record.first("BN"),
        )
    )


def _isi_kind(record: RisRecord) -> ReferenceKind:
    types = record.first("DT").casefold()
    if "chapter" in types:
        return "chapter"
    if record.first("PT") == "B":
        return "book"
    return "patent" if record.first("PT") == "P" else "article"


def _without_fields(record: RisRecord) -> UnreadableReference:
    return UnreadableReference(
        text=record.text,
        reason="the record has no fields",
        key=record.first("PMID") or None,
        line=record.line,
    )
