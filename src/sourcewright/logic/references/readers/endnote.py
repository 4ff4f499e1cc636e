"""Reads references from EndNote XML; document types and entities are refused."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, tostring

from sourcewright.domain.errors import InvalidInput
from sourcewright.domain.papers.references import ReadReference, UnreadableReference
from sourcewright.logic.formats.parsers import MAX_DOCUMENT_ELEMENTS, parse_xml
from sourcewright.logic.references.field_values import authors_of
from sourcewright.logic.references.limits import MAX_VALUE, refuse_if_too_many
from sourcewright.logic.references.readers.fields import StatedFields, reference_kind, reference_of


def read_endnote_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each record, in order.

    Raises:
        InvalidInput: It is not well-formed, declares a document type, or has too many records.
    """
    try:
        root = parse_xml(text.encode("utf-8", "replace"), most_elements=MAX_DOCUMENT_ELEMENTS)
    except ValueError as error:
        raise InvalidInput(f"it is not EndNote XML: {error}") from error
    records = [root] if root.tag == "record" else list(root.iter("record"))
    refuse_if_too_many(len(records), "records")
    if not records:
        raise InvalidInput("it is not EndNote XML: it has no records")
    return tuple(map(_reference, records))


def _reference(record: Element) -> ReadReference:
    text = tostring(record, encoding="unicode").strip()[:MAX_VALUE]
    key = _text(record, "label") or _text(record, "rec-number") or None
    title = _text(record, "titles/title")
    names = list(_texts(record, "contributors/authors/author"))
    if not title and not names:
        return UnreadableReference(
            text=text, reason="the record has no title and no authors", key=key
        )
    authors, truncated = authors_of(
        names or _texts(record, "contributors/secondary-authors/author")
    )
    kind = record.find("ref-type")
    addresses = tuple(_texts(record, "urls//url"))
    return reference_of(
        StatedFields(
            text=text,
            key=key,
            kind=reference_kind(kind.get("name", "") if kind is not None else ""),
            authors=authors,
            truncated=truncated,
            title=title,
            venue=_first(
                record, "titles/secondary-title", "periodical/full-title", "periodical/abbr-1"
            ),
            publisher=_text(record, "publisher"),
            date=_first(record, "dates/year", "dates/pub-dates/date"),
            volume=_text(record, "volume"),
            issue=_first(record, "number", "issue"),
            pages=_text(record, "pages"),
            doi=_text(record, "electronic-resource-num"),
            pmid=_text(record, "accession-num") if _is_pubmed(record) else "",
            pmcid=_text(record, "custom2"),
            isbn=_text(record, "isbn"),
            url=next(iter(addresses), ""),
            addresses=addresses[1:],
            notes=tuple(_texts(record, "notes")),
        )
    )


def _is_pubmed(record: Element) -> bool:
    sources = (_text(record, "remote-database-name"), _text(record, "remote-database-provider"))
    return any(
        word in source.casefold() for source in sources for word in ("pubmed", "medline", "nlm")
    )


def _texts(record: Element, path: str) -> Iterator[str]:
    """The texts at a path, in which each run of one style is an element of its own."""
    for element in record.iterfind(path):
        if text := "".join(element.itertext()).strip():
            yield text


def _text(record: Element, path: str) -> str:
    return next(_texts(record, path), "")


def _first(record: Element, *paths: str) -> str:
    return next((text for path in paths if (text := _text(record, path))), "")
