"""XMP metadata of a PDF: title and author."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.base.formats.parsers import parse_document
from sourcewright.reading.formats._archive import local_name

_LONGEST = 1_000_000
_MAX_PACKETS = 50
_BEGIN, _END = b"<x:xmpmeta", b"</x:xmpmeta>"
_PDF_NAMESPACE = b"http://ns.adobe.com/pdf"
"""Namespace in the document's own XMP packet; packets of embedded images lack it."""


def xmp_metadata(body: bytes) -> dict[str, str]:
    """Title and author from the XMP metadata, if present."""
    packets = list(_packets(body))
    document_packets = [packet for packet in packets if _PDF_NAMESPACE in packet] or packets[
        : len(packets) == 1
    ]
    for packet in reversed(document_packets):
        try:
            root, _ = parse_document(packet)
        except ValueError:
            continue
        values = {
            "title": _list_items(root, "title")[:1],
            "author": _list_items(root, "creator")[:20],
        }
        return {name: "; ".join(words) for name, words in values.items() if words}
    return {}


def _packets(body: bytes) -> Iterator[bytes]:
    end = 0
    for _ in range(_MAX_PACKETS):
        begin = body.find(_BEGIN, end)
        end = body.find(_END, begin) + len(_END)
        if begin < 0 or end < begin:
            return
        if end - begin < _LONGEST:
            yield body[begin:end]


def _list_items(root: Element, name: str) -> list[str]:
    """The list items of the first element with a name."""
    element = next((one for one in root.iter() if local_name(one.tag) == name), None)
    items = (
        [] if element is None else [one for one in element.iter() if local_name(one.tag) == "li"]
    )
    return [words for one in items if (words := " ".join((one.text or "").split()))]
