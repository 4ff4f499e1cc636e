"""Exports CSL-JSON items as BibTeX, RIS and CSL-JSON, with keys that differ within the list."""

import json
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sourcewright.references.bibtex_writer import write_bibtex
from sourcewright.references.citation_keys import source_keys
from sourcewright.references.entries import Acquisition, Entry
from sourcewright.references.source_items import Item

_RIS_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "article": "UNPB",
        "article-journal": "JOUR",
        "book": "BOOK",
        "chapter": "CHAP",
        "dataset": "DATA",
        "entry-encyclopedia": "ENCYC",
        "paper-conference": "CPAPER",
        "report": "RPRT",
        "software": "COMP",
        "standard": "STAND",
        "thesis": "THES",
        "webpage": "ELEC",
    }
)
_ENTRY_TYPES: Mapping[str, str] = MappingProxyType(
    {"article": "preprint", "entry-encyclopedia": "chapter", "webpage": "other"}
)
"""Types of CSL that an entry has under another name."""


def item_keys(items: Sequence[Item]) -> tuple[str, ...]:
    """A key for each item, in order: surname, year, first word of the title."""
    return source_keys((_surname(item), _year(item), item.get("title", "")) for item in items)


def bibtex(item: Item, key: str) -> str:
    """One entry of BibTeX, with this key."""
    entry = Entry(
        key=key,
        title=item.get("title", ""),
        authors=tuple(map(_sorting_name, item.get("author", ()))),
        organisations=tuple(
            name["literal"] for name in item.get("author", ()) if "literal" in name
        ),
        holding=Acquisition(fetched_at="", source=""),
        year=int(_year(item)) if _year(item) else None,
        doi=item.get("DOI"),
        venue=item.get("container-title"),
        volume=item.get("volume"),
        issue=item.get("issue"),
        pages=item.get("page") or item.get("number"),
        type=_ENTRY_TYPES.get(item["type"], item["type"]),
        publisher=item.get("publisher"),
        url=item.get("URL"),
    )
    return write_bibtex(entry, key, with_url=True, note=item.get("note", "")).strip()


def ris(item: Item, key: str, *, file: str | None = None) -> str:
    """One record. No value has a line break, so that none can add a tag."""
    del key
    fields = (*_ris_fields(item), ("L1", file))
    lines = [f"{tag}  - {' '.join(str(value).split())}" for tag, value in fields if value]
    return "\n".join((*lines, "ER  - "))


def _ris_fields(item: Item) -> Iterator[tuple[str, str]]:
    yield "TY", _RIS_TYPES.get(item["type"], "GEN")
    yield "TI", item.get("title", "")
    for name in item.get("author", ()):
        yield "AU", _sorting_name(name)
    for name in item.get("editor", ()):
        yield "ED", _sorting_name(name)
    parts = _date_parts(item)
    yield "PY", str(parts[0]) if parts else ""
    yield "DA", "/".join(f"{part:02}" for part in parts) if len(parts) > 1 else ""
    yield "T2", item.get("container-title", "")
    yield "VL", item.get("volume", "")
    yield "IS", item.get("issue", "")
    first, _, last = item.get("page", "").partition("-")
    yield "SP", first.strip() or item.get("number", "")
    yield "EP", last.strip()
    yield "PB", item.get("publisher", "")
    yield "DO", item.get("DOI", "")
    yield "UR", item.get("URL", "")
    yield "SN", item.get("ISSN", "") or item.get("ISBN", "")
    for keyword in item.get("keyword", "").split(", "):
        yield "KW", keyword
    yield "AB", item.get("abstract", "")
    yield "N1", item.get("note", "")


def csl_json(items: Sequence[tuple[Item, str]]) -> str:
    """The items as CSL-JSON, each with its key as id."""
    return json.dumps([{"id": key, **item} for item, key in items], ensure_ascii=False, indent=2)


def with_literal_names(item: Item) -> Item:
    """The item with each author as one literal, for names that were only given as text."""
    authors = [{"literal": _reading_name(name)} for name in item.get("author", ())]
    return {name: authors if name == "author" else value for name, value in item.items()}


def _sorting_name(name: Mapping[str, str]) -> str:
    parts = (name.get("family"), name.get("suffix"), name.get("given"))
    return name.get("literal") or ", ".join(filter(None, parts))


def _reading_name(name: Mapping[str, str]) -> str:
    parts = (name.get("given"), name.get("family"), name.get("suffix"))
    return name.get("literal") or " ".join(filter(None, parts))


def _surname(item: Item) -> str:
    first: Mapping[str, str] = next(iter(item.get("author", ())), {})
    return first.get("family") or first.get("literal") or ""


def _year(item: Item) -> str:
    return str(parts[0]) if (parts := _date_parts(item)) else ""


def _date_parts(item: Item) -> list[int]:
    issued: dict[str, Any] = item.get("issued", {})
    parts: list[int] = issued.get("date-parts", [[]])[0]
    return parts
