"""Reads references from EndNote XML; document types and entities are refused."""

from xml.etree.ElementTree import Element, tostring

from sourcewright.references.field_values import authors_of
from sourcewright.references.limits import MAX_VALUE
from sourcewright.references.model import ReadReference, UnreadableReference
from sourcewright.references.readers.fields import StatedFields, reference_kind, reference_of
from sourcewright.references.readers.xml_records import first_text, texts_at, xml_records


def read_endnote_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It is not well-formed, declares a document type, or has too many records.
    """
    return tuple(map(_reference, xml_records(text, "record", "EndNote XML")))


def _reference(record: Element) -> ReadReference:
    text = tostring(record, encoding="unicode").strip()[:MAX_VALUE]
    key = first_text(record, "label") or first_text(record, "rec-number") or None
    title = first_text(record, "titles/title")
    names = list(texts_at(record, "contributors/authors/author"))
    if not title and not names:
        return UnreadableReference(
            text=text, reason="the record has no title and no authors", key=key
        )
    authors, truncated = authors_of(
        names or texts_at(record, "contributors/secondary-authors/author")
    )
    kind = record.find("ref-type")
    addresses = tuple(texts_at(record, "urls//url"))
    return reference_of(
        StatedFields(
            text=text,
            key=key,
            kind=reference_kind(kind.get("name", "") if kind is not None else ""),
            authors=authors,
            truncated=truncated,
            title=title,
            venue=first_text(
                record, "titles/secondary-title", "periodical/full-title", "periodical/abbr-1"
            ),
            publisher=first_text(record, "publisher"),
            date=first_text(record, "dates/year", "dates/pub-dates/date"),
            volume=first_text(record, "volume"),
            issue=first_text(record, "number", "issue"),
            pages=first_text(record, "pages"),
            doi=first_text(record, "electronic-resource-num"),
            pmid=first_text(record, "accession-num") if _is_pubmed(record) else "",
            pmcid=first_text(record, "custom2"),
            isbn=first_text(record, "isbn"),
            url=next(iter(addresses), ""),
            addresses=addresses[1:],
            notes=tuple(texts_at(record, "notes")),
        )
    )


def _is_pubmed(record: Element) -> bool:
    sources = (
        first_text(record, "remote-database-name"),
        first_text(record, "remote-database-provider"),
    )
    return any(
        word in source.casefold() for source in sources for word in ("pubmed", "medline", "nlm")
    )
