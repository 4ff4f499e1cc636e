"""References for the public API: parsed from any format and written in a style; nobody is asked."""

from collections.abc import Iterable, Mapping
from typing import Any, Literal

from sourcewright.references.item_export import bibtex, csl_json, item_keys, ris
from sourcewright.references.model import ReadReference, Reference
from sourcewright.references.reader import ReferenceFormat, read_references
from sourcewright.references.source_items import reference_item
from sourcewright.references.styles.processor import format_reference

WrittenStyle = Literal["apa", "mla", "bibtex", "ris", "csl-json"]


def parse_references(
    text: str,
    *,
    format: ReferenceFormat | None = None,  # noqa: A002 -- the word of the tools
) -> list[ReadReference]:
    """Every entry of a bibliography or a list of references, in order.

    An entry that cannot be read is an `UnreadableReference` with the reason, at its place.

    Raises:
        InvalidInput: It is too long, has too many entries, or is invalid as a whole.
    """
    return list(read_references(text, format=format))


def format_references(
    references: Iterable[Reference | Mapping[str, Any]], style: WrittenStyle = "apa"
) -> list[str]:
    """Each reference, or item of CSL-JSON, in a citation style or an exchange format, in order."""
    items = [
        reference_item(one) if isinstance(one, Reference) else dict(one) for one in references
    ]
    if style in ("apa", "mla"):
        return [format_reference(item, style) for item in items]
    keyed = list(zip(items, item_keys(items), strict=True))
    if style == "csl-json":
        return [csl_json([pair]) for pair in keyed]
    write = bibtex if style == "bibtex" else ris
    return [write(item, key) for item, key in keyed]
