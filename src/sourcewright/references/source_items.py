"""CSL-JSON items from sources: a page or paper as a caller lists it, or the record of a work."""

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from sourcewright.base.text.person_names import PersonName, split_name
from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Author, Notice, Work
from sourcewright.references.csl import csl_name
from sourcewright.references.entry_types import EntryKind, kind_of_type
from sourcewright.references.model import Reference, ReferenceKind
from sourcewright.references.notice_text import notice_text

Item = dict[str, Any]

_TYPES: Mapping[EntryKind, str] = MappingProxyType(
    {
        "article": "article-journal",
        "book": "book",
        "chapter": "chapter",
        "conference": "paper-conference",
        "dataset": "dataset",
        "masters": "thesis",
        "preprint": "article",
        "proceedings": "book",
        "report": "report",
        "review": "review",
        "software": "software",
        "standard": "standard",
        "thesis": "thesis",
    }
)
_REFERENCE_TYPES: Mapping[ReferenceKind, str] = MappingProxyType(
    {
        "article": "article-journal",
        "preprint": "article",
        "book": "book",
        "chapter": "chapter",
        "thesis": "thesis",
        "report": "report",
        "software": "software",
        "dataset": "dataset",
        "law": "legislation",
        "case": "legal_case",
        "webpage": "webpage",
        "news": "article-newspaper",
        "patent": "patent",
        "media": "motion_picture",
        "communication": "personal_communication",
    }
)
_ENCYCLOPEDIA_TYPES = frozenset({"reference-entry", "reference_entry"})
_HOSTED = frozenset({"preprint", "thesis", "masters"})
"""Kinds whose venue is their publisher: a preprint server, a university."""
_GENRES: Mapping[EntryKind, str] = MappingProxyType({"masters": "Master's thesis"})


def work_item(work: Work, notices: Sequence[Notice] = ()) -> Item:
    """The record of a work as an item, with a note about its retraction or correction."""
    kind = kind_of_type(work.type) or ("preprint" if work.arxiv_id else "article")
    has_host = kind in _HOSTED
    number = work.article_number or (work.arxiv_id if kind == "preprint" else None)
    pages = None if work.pages == work.article_number else work.pages
    publisher, venue = plain_text(work.publisher or ""), plain_text(work.venue or "")
    return without_empty(
        {
            "type": _type(work.type, kind),
            "title": plain_text(work.title or ""),
            "author": _names(work.authors),
            "editor": _names(work.editors),
            "issued": _date(work.published or (str(work.year) if work.year else None)),
            "container-title": "" if has_host else venue,
            "publisher": venue or publisher if has_host else publisher,
            "volume": plain_text(work.volume or ""),
            "issue": plain_text(work.issue or ""),
            "page": plain_text(pages or ""),
            "number": plain_text(number or ""),
            "version": plain_text(work.version or "") if kind in ("dataset", "software") else "",
            "genre": _GENRES.get(kind, ""),
            "DOI": work.doi,
            "URL": work.url,
            "note": plain_text(notice_text(notices)),
        }
    )


def reference_item(reference: Reference) -> Item:
    """A reference as it was read, as an item; what it does not state is left out."""
    kind = _REFERENCE_TYPES.get(reference.kind, "document")
    if kind == "document" and reference.venue:
        kind = "article-journal"
    return without_empty(
        {
            "type": kind,
            "title": plain_text(reference.title or ""),
            "author": _names(reference.authors),
            "issued": _date(str(reference.year) if reference.year else None),
            "container-title": plain_text(reference.venue or ""),
            "publisher": plain_text(reference.publisher or ""),
            "publisher-place": plain_text(reference.location or ""),
            "volume": reference.volume,
            "issue": reference.issue,
            "page": reference.pages,
            "number": reference.case_citation or reference.arxiv_id,
            "ISBN": reference.isbn,
            "DOI": reference.doi,
            "URL": reference.url,
        }
    )


def filled_item(item: Item, record: Item) -> Item:
    """The record's item, completed with the caller's fields."""
    own = {name: value for name, value in item.items() if name not in record}
    return without_empty({**record, **own, "URL": item.get("URL") or record.get("URL")})


def _type(name: str | None, kind: EntryKind) -> str:
    if (name or "").casefold() in _ENCYCLOPEDIA_TYPES:
        return "entry-encyclopedia"
    return _TYPES.get(kind, "article-journal")


def _names(authors: Iterable[Author]) -> list[dict[str, str]]:
    return [name for author in authors if (name := csl_name(_person(author)))]


def _person(author: Author) -> PersonName:
    name = plain_text(author.name)
    if author.is_organisation:
        return PersonName(whole=name)
    if not author.family:
        return split_name(name)
    return PersonName(
        family=plain_text(author.family),
        given=plain_text(author.given or "") or None,
        suffix=plain_text(author.suffix or "") or None,
    )


def _date(iso_date: str | None) -> dict[str, Any]:
    return {"date-parts": [[int(part) for part in iso_date.split("-")]]} if iso_date else {}


def without_empty(item: Item) -> Item:
    return {name: value for name, value in item.items() if value}
