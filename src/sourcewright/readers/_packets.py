"""What a PDF says of itself in XMP, which programs find by its marks, as it is meant to be."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from sourcewright.logic.parsing import parse_document
from sourcewright.readers._archive import local

_LONGEST = 1_000_000
_MOST = 50
_BEGIN, _END = b"<x:xmpmeta", b"</x:xmpmeta>"
_OF_PDF = b"http://ns.adobe.com/pdf"
"""Only the packet of the whole knows it is one; those of pictures inside do not."""


def said_in(body: bytes) -> dict[str, str]:
    """The title and the author, as far as they are said."""
    packets = list(_packets(body))
    own = [packet for packet in packets if _OF_PDF in packet] or packets[: len(packets) == 1]
    for packet in reversed(own):
        try:
            root, _ = parse_document(packet)
        except ValueError:
            continue
        said = {"title": _listed(root, "title")[:1], "author": _listed(root, "creator")[:20]}
        return {name: "; ".join(words) for name, words in said.items() if words}
    return {}


def _packets(body: bytes) -> Iterator[bytes]:
    end = 0
    for _ in range(_MOST):
        begin = body.find(_BEGIN, end)
        end = body.find(_END, begin) + len(_END)
        if begin < 0 or end < begin:
            return
        if end - begin < _LONGEST:
            yield body[begin:end]


def _listed(root: Element, name: str) -> list[str]:
    """The items of a list under a name."""
    found = next((one for one in root.iter() if local(one.tag) == name), None)
    items = [] if found is None else [one for one in found.iter() if local(one.tag) == "li"]
    return [words for one in items if (words := " ".join((one.text or "").split()))]
