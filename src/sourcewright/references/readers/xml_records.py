"""Records of bibliographies in XML, and the texts in them; document types and entities are refused."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.base.errors import InvalidInput
from sourcewright.base.formats.parsers import MAX_DOCUMENT_ELEMENTS, parse_xml
from sourcewright.references.limits import refuse_if_too_many


def xml_records(text: str, tag: str, format_name: str) -> list[Element]:
    """The elements with a tag, in any namespace.

    Raises:
        InvalidInput: It is not well-formed, declares a document type, or has no or too many records.
    """
    try:
        root = parse_xml(text.encode("utf-8", "replace"), most_elements=MAX_DOCUMENT_ELEMENTS)
    except ValueError as error:
        raise InvalidInput(f"it is not {format_name}: {error}") from error
    records = [one for one in root.iter() if str(one.tag).rpartition("}")[2] == tag]
    refuse_if_too_many(len(records), "records")
    if not records:
        raise InvalidInput(f"it is not {format_name}: it has no records")
    return records


def texts_at(holder: Element, *paths: str) -> Iterator[str]:
    """The texts at some paths, in which each run of one style may be an element of its own."""
    for path in paths:
        for element in holder.iterfind(path):
            if text := " ".join("".join(element.itertext()).split()):
                yield text


def first_text(holder: Element, *paths: str) -> str:
    """The first text at some paths; empty if there is none."""
    return next(texts_at(holder, *paths), "")
