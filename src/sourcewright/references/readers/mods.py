"""Reads references from MODS, the XML format of the Library of Congress and of bibutils."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, tostring

from sourcewright.base.text.person_names import is_suffix
from sourcewright.base.works import Author
from sourcewright.references.field_values import author_from_text, organisation, person
from sourcewright.references.limits import MAX_AUTHORS, MAX_VALUE
from sourcewright.references.model import ReadReference, UnreadableReference
from sourcewright.references.readers.fields import StatedFields, reference_kind, reference_of
from sourcewright.references.readers.xml_records import first_text, texts_at, xml_records

_AUTHOR_ROLES = frozenset({"", "aut", "author", "cre", "creator"})
_HOST = "{*}relatedItem[@type='host']"
_PARTS = (f"{_HOST}/{{*}}part", "{*}part")
"""Where volume, issue and pages are given."""


def read_mods_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It is not well-formed, declares a document type, or has too many records.
    """
    return tuple(map(_reference, xml_records(text, "mods", "MODS")))


def _reference(record: Element) -> ReadReference:
    text = tostring(record, encoding="unicode").strip()[:MAX_VALUE]
    key = record.get("ID") or _identifier(record, "citekey") or None
    title, authors = _title(record), tuple(_authors(record))
    if not title and not authors:
        return UnreadableReference(
            text=text, reason="the record has no title and no authors", key=key
        )
    host = record.find(_HOST)
    genres = texts_at(record, "{*}genre", f"{_HOST}/{{*}}genre")
    kinds = (kind for genre in genres if (kind := reference_kind(genre.replace(" ", "-"))))
    return reference_of(
        StatedFields(
            text=text,
            key=key,
            kind=next(kinds, None),
            authors=authors[:MAX_AUTHORS],
            truncated=len(authors) > MAX_AUTHORS,
            title=title,
            venue=_title(host) if host is not None else "",
            publisher=_in_origin(record, "publisher"),
            location=_in_origin(record, "place/{*}placeTerm"),
            date=_in_origin(record, "dateIssued") or _in_part(record, "{*}date"),
            volume=_in_part(record, "{*}detail[@type='volume']/{*}number"),
            issue=_in_part(record, "{*}detail[@type='issue']/{*}number"),
            pages=_pages(record),
            doi=_identifier(record, "doi"),
            pmid=_identifier(record, "pubmed") or _identifier(record, "pmid"),
            isbn=_identifier(record, "isbn"),
            url=first_text(record, "{*}location/{*}url") or _identifier(record, "uri"),
            notes=tuple(texts_at(record, "{*}note")),
        )
    )


def _title(holder: Element) -> str:
    """Title and subtitle; those of a type are translated, abbreviated or uniform titles."""
    for info in holder.iterfind("{*}titleInfo"):
        if info.get("type"):
            continue
        head = " ".join(texts_at(info, "{*}nonSort", "{*}title"))
        return ": ".join(filter(None, (head, first_text(info, "{*}subTitle"))))
    return ""


def _authors(record: Element) -> Iterator[Author]:
    for name in record.iterfind("{*}name"):
        roles = [role.casefold() for role in texts_at(name, "{*}role/{*}roleTerm")] or [""]
        if _AUTHOR_ROLES.isdisjoint(roles):
            continue
        family = " ".join(texts_at(name, "{*}namePart[@type='family']"))
        given = " ".join(texts_at(name, "{*}namePart[@type='given']"))
        whole = first_text(name, "{*}namePart")
        suffix = first_text(
            name, "{*}namePart[@type='suffix']", "{*}namePart[@type='termsOfAddress']"
        )
        if family:
            yield person(family, given, suffix if is_suffix(suffix) else "")
        elif whole:
            is_group = name.get("type") in ("corporate", "conference")
            yield organisation(whole) if is_group else author_from_text(whole)


def _in_origin(record: Element, path: str) -> str:
    own, host = f"{{*}}originInfo/{{*}}{path}", f"{_HOST}/{{*}}originInfo/{{*}}{path}"
    return first_text(record, own, host)


def _in_part(record: Element, path: str) -> str:
    return first_text(record, *(f"{part}/{path}" for part in _PARTS))


def _pages(record: Element) -> str:
    first, last = (_in_part(record, f"{{*}}extent/{{*}}{name}") for name in ("start", "end"))
    listed = _in_part(record, "{*}extent/{*}list") or _in_part(
        record, "{*}detail[@type='page']/{*}number"
    )
    return f"{first}-{last}" if first and last else first or listed


def _identifier(record: Element, kind: str) -> str:
    return first_text(record, f"{{*}}identifier[@type='{kind}']")
