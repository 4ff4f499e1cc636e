"""Reads references from CSL-JSON (a list of items, one item, or a list in an object), and from the variants that programs export."""

import json
from collections.abc import Mapping
from typing import Any

from sourcewright.base.errors import InvalidInput
from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Author
from sourcewright.references.field_values import author_from_text, is_et_al, organisation, person
from sourcewright.references.limits import MAX_AUTHORS, MAX_VALUE, refuse_if_too_many
from sourcewright.references.model import ReadReference, UnreadableReference
from sourcewright.references.readers.fields import StatedFields, reference_kind, reference_of

_VENUES = (
    "container-title",
    "container-title-short",
    "event-title",
    "event",
    "journalAbbreviation",
)
_NOTES = ("note", "number", "archive_location", "container-title", "publisher", "genre")

LIST_FIELDS = ("items", "references")
"""Fields of an object that may contain the list of items."""


def read_csl_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each item, in order.

    Raises:
        InvalidInput: It is not JSON, has no items, or has too many.
    """
    return tuple(_reference(item, number) for number, item in enumerate(_csl_items(text), 1))


def _csl_items(text: str) -> list[Any]:
    """The items, of which any may be something else than an object.

    Raises:
        InvalidInput: It is not JSON, has no items, or has too many.
    """
    try:
        loaded = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"it is not valid JSON: {error}") from error
    items = _items(loaded)
    refuse_if_too_many(len(items), "items")
    return items


def _items(loaded: Any) -> list[Any]:
    if isinstance(loaded, list):
        return loaded
    if not isinstance(loaded, dict):
        raise InvalidInput("it contains neither a list of CSL items nor a single item")
    items = next(
        (loaded[name] for name in LIST_FIELDS if isinstance(loaded.get(name), list)), None
    )
    return [loaded] if items is None else items


def _reference(item: Any, number: int) -> ReadReference:
    text = json.dumps(item, ensure_ascii=False)[:MAX_VALUE]
    if not isinstance(item, dict):
        return UnreadableReference(text=text, reason=f"item {number} is not a JSON object")
    fields = dict(_text_fields(item))
    authors, truncated = _authors(item)
    if not authors and not set(fields) - {"id", "type", "citation-key"} and not item.get("issued"):
        return UnreadableReference(
            text=text, reason=f"item {number} has no fields of a reference", key=fields.get("id")
        )
    archive = _first(fields, "archivePrefix", "archive").casefold()
    type_name = fields.get("type", "")
    return reference_of(
        StatedFields(
            text=text,
            key=fields.get("id"),
            # CSL calls a preprint an article, and an article in a journal `article-journal`.
            entry_type=type_name,
            kind=None if type_name == "article" else reference_kind(type_name),
            authors=authors,
            truncated=truncated,
            title=_first(fields, "title", "title-short"),
            venue=_first(fields, *_VENUES),
            publisher=_first(fields, "publisher", "publisher-place"),
            location=_first(fields, "event-place", "publisher-place"),
            date=_date(item),
            volume=_first(fields, "volume"),
            issue=_first(fields, "issue"),
            pages=_first(fields, "page", "page-first", "number"),
            doi=_first(fields, "DOI", "doi"),
            arxiv_id=_first(fields, "eprint", "archive_location") if archive == "arxiv" else "",
            pmid=_first(fields, "PMID"),
            pmcid=_first(fields, "PMCID"),
            isbn=_first(fields, "ISBN"),
            url=_first(fields, "URL", "url"),
            notes=tuple(fields[name] for name in _NOTES if name in fields),
        )
    )


def _text_fields(item: dict[Any, Any]) -> list[tuple[str, str]]:
    """The fields that are text, or whose first entry is; numbers count as text."""
    firsts = (
        (name, value[0] if isinstance(value, list) and value else value)
        for name, value in item.items()
    )
    texts = (
        (name, str(value).strip())
        for name, value in firsts
        if isinstance(value, str | int | float) and not isinstance(value, bool)
    )
    return [(name, text) for name, text in texts if text]


def _first(fields: Mapping[str, str], *names: str) -> str:
    return next((fields[name] for name in names if name in fields), "")


def _date(item: Mapping[str, Any]) -> str:
    """The date of publication in any of the forms that programs write."""
    for name in (
        "issued",
        "published",
        "published-print",
        "published-online",
        "event-date",
        "year",
    ):
        if text := _date_text(item.get(name)):
            return text
    return ""


def _date_text(value: Any) -> str:
    if isinstance(value, str | int) and not isinstance(value, bool):
        return str(value)
    if not isinstance(value, dict):
        return ""
    parts = value.get("date-parts")
    while isinstance(parts, list) and parts:
        parts = parts[0]
    if isinstance(parts, str | int) and not isinstance(parts, bool):
        return str(parts)
    return next((str(value[name]) for name in ("raw", "literal") if value.get(name)), "")


def _authors(item: Mapping[str, Any]) -> tuple[tuple[Author, ...], bool]:
    names = item.get("author") or item.get("editor") or ()
    names = names if isinstance(names, list) else [names]
    authors = [author for name in names[:MAX_AUTHORS] if (author := _author(name))]
    listed = [author for author in authors if not is_et_al(author.name)]
    return tuple(listed), len(listed) < len(authors) or len(names) > MAX_AUTHORS


def _author(name: Any) -> Author | None:
    if isinstance(name, str):
        return author_from_text(text) if (text := plain_text(name[:MAX_VALUE])) else None
    if not isinstance(name, dict):
        return None
    parts = {
        part: plain_text(str(value)[:MAX_VALUE])
        for part, value in name.items()
        if isinstance(value, str | int) and not isinstance(value, bool)
    }
    if literal := parts.get("literal"):
        return organisation(literal)
    particles = (parts.get("dropping-particle"), parts.get("non-dropping-particle"))
    family = " ".join(filter(None, (*particles, parts.get("family"))))
    given = parts.get("given", "")
    return person(family, given, parts.get("suffix", "")) if family or given else None
