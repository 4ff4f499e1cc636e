"""Reads references from the sources of Microsoft Word (`Sources.xml`)."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, tostring

from sourcewright.base.works import Author
from sourcewright.references.field_values import organisation, person
from sourcewright.references.limits import MAX_AUTHORS, MAX_VALUE
from sourcewright.references.model import ReadReference, UnreadableReference
from sourcewright.references.readers.fields import StatedFields, reference_kind, reference_of
from sourcewright.references.readers.xml_records import first_text, texts_at, xml_records

_KINDS = {"JournalArticle": "article-journal", "ArticleInAPeriodical": "article-magazine"}
_ROLES = ("Author", "Artist", "Inventor", "Director", "Editor")


def read_word_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each source, in order.

    Raises:
        InvalidInput: It is not well-formed, declares a document type, or has too many sources.
    """
    return tuple(map(_reference, xml_records(text, "Source", "a list of Word's sources")))


def _reference(source: Element) -> ReadReference:
    text = tostring(source, encoding="unicode").strip()[:MAX_VALUE]
    key = _first(source, "Tag") or None
    title, authors = _first(source, "Title"), _authors(source)
    if not title and not authors:
        return UnreadableReference(
            text=text, reason="the source has no title and no authors", key=key
        )
    kind = _first(source, "SourceType")
    return reference_of(
        StatedFields(
            text=text,
            key=key,
            kind=reference_kind(_KINDS.get(kind, kind)),
            authors=authors[:MAX_AUTHORS],
            truncated=len(authors) > MAX_AUTHORS,
            title=title,
            venue=_first(source, "JournalName", "PeriodicalTitle", "ConferenceName", "BookTitle"),
            publisher=_first(source, "Publisher", "Institution"),
            location=_first(source, "City"),
            date=_first(source, "Year"),
            volume=_first(source, "Volume"),
            issue=_first(source, "Issue"),
            pages=_first(source, "Pages"),
            doi=_first(source, "DOI"),
            isbn=_first(source, "StandardNumber"),
            url=_first(source, "URL", "Url"),
            notes=tuple(texts_at(source, "{*}Comments")),
        )
    )


def _authors(source: Element) -> tuple[Author, ...]:
    """The people or the organisation in the first role that has any."""
    roles = (tuple(_names(source, f"{{*}}Author/{{*}}{role}")) for role in _ROLES)
    return next(filter(None, roles), ())


def _names(source: Element, role: str) -> Iterator[Author]:
    people = map(_person, source.iterfind(f"{role}/{{*}}NameList/{{*}}Person"))
    yield from filter(None, people)
    yield from map(organisation, texts_at(source, f"{role}/{{*}}Corporate"))


def _person(element: Element) -> Author | None:
    family = _first(element, "Last")
    given = " ".join(texts_at(element, "{*}First", "{*}Middle"))
    return person(family, given) if family or given else None


def _first(element: Element, *names: str) -> str:
    return first_text(element, *(f"{{*}}{name}" for name in names))
