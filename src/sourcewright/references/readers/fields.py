"""The fields of a reference as a structured format states them, cleaned and identified."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from sourcewright.base.text.plain import plain_text
from sourcewright.base.works import Author
from sourcewright.references.entry_types import EntryKind, kind_of_type
from sourcewright.references.field_values import page_range, year_in
from sourcewright.references.identifiers_in_text import (
    IdentifierField,
    identifier_of_url,
    identifiers_in,
)
from sourcewright.references.limits import MAX_AUTHORS, MAX_VALUE
from sourcewright.references.model import Reference, ReferenceKind
from sourcewright.references.preprint_servers import is_preprint_server

_KINDS: Mapping[EntryKind, ReferenceKind] = MappingProxyType(
    {
        "article": "article",
        "book": "book",
        "chapter": "chapter",
        "conference": "article",
        "dataset": "dataset",
        "masters": "thesis",
        "other": "other",
        "preprint": "preprint",
        "proceedings": "book",
        "report": "report",
        "review": "article",
        "software": "software",
        "standard": "report",
        "thesis": "thesis",
    }
)
_TYPE_NAMES: Mapping[ReferenceKind, str] = MappingProxyType(
    {
        "article": "conference inproceedings conf cpaper jfull ejour abst inpr suppperiodical "
        "periodical electronic-article conference-paper review-book",
        "news": "article-magazine article-newspaper magazine-article newspaper-article mgzn news",
        "patent": "patent pat",
        "media": "audio video movie film music motion-picture song broadcast graphic artwork mpct "
        "vide sound slide advs art film-or-broadcast audiovisual-material podcast",
        "communication": "personal-communication personalcommunication pcomm interview letter",
        "book": "mvbook edbook ebook booklet collection mvcollection reference mvreference "
        "proceedings mvproceedings classical clsuk electronic-book edited-book conference-proceedings",
        "chapter": "bookinbook inreference suppbook suppcollection chap echap ency dict encyc "
        "entry entry-encyclopedia entry-dictionary electronic-book-section book-section",
        "thesis": "thes phd-thesis",
        "report": "rprt govdoc stand techreport manual pamp hear government-document",
        "preprint": "unpb eprint unpublished-work",
        "software": "comp computer-program",
        "dataset": "data aggr",
        "case": "legal-case jurisdiction",
        "law": "legislation legal statute stat bill regulation treaty legal-rule-or-regulation",
        "webpage": "online www electronic elec web-page webpage blog post post-weblog web "
        "icomm internet",
    }
)
"""Names of types in BibTeX, biblatex, CSL, RIS and EndNote that no scholarly index uses."""
_FURTHER_KINDS: Mapping[str, ReferenceKind] = MappingProxyType(
    {word: kind for kind, words in _TYPE_NAMES.items() for word in words.split()}
)
_DOI_LABEL = re.compile(
    r"(?:https?://)?(?:(?:dx\.|www\.)?doi\.org/|(?:urn:|info:)?doi[\s:=/]{1,3})\s{0,2}",
    re.IGNORECASE,
)
_ISBN = re.compile(
    r"(?<!\d)(?:\d[- \u2010-\u2015]?){9}(?:(?:\d[- \u2010-\u2015]?){3}\d|[\dXx])(?!\d)"
)
_DIGIT = re.compile(r"\d")
_SEPARATORS = re.compile(r"[-\s_]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class StatedFields:
    """The fields of an entry as plain text; empty if missing."""

    text: str
    key: str | None = None
    line: int | None = None
    kind: ReferenceKind | None = None
    entry_type: str = ""
    authors: tuple[Author, ...] = ()
    truncated: bool = False
    title: str = ""
    venue: str = ""
    publisher: str = ""
    location: str = ""
    date: str = ""
    volume: str = ""
    issue: str = ""
    pages: str = ""
    doi: str = ""
    arxiv_id: str = ""
    pmid: str = ""
    pmcid: str = ""
    isbn: str = ""
    url: str = ""
    addresses: tuple[str, ...] = ()
    """Other URLs, which may name an identifier."""
    notes: tuple[str, ...] = ()
    """Texts that may contain a labelled identifier."""


def reference_of(fields: StatedFields) -> Reference:
    """The reference, with identifiers from its URLs and notes where no field is meant for them."""
    identifiers = _identifiers(fields)
    title, venue = _clean(fields.title), _clean(fields.venue)
    return Reference(
        text=fields.text,
        key=fields.key or None,
        line=fields.line,
        kind=_kind(fields, identifiers),
        entry_type=fields.entry_type or None,
        authors=fields.authors[:MAX_AUTHORS],
        authors_truncated=fields.truncated,
        title=title,
        # Some programs repeat the title of a book as that of the book that contains it.
        venue=None if venue == title else venue,
        publisher=_clean(fields.publisher),
        location=_clean(fields.location),
        year=year_in(fields.date),
        volume=_clean(fields.volume),
        issue=_clean(fields.issue),
        pages=page_range(fields.pages),
        isbn=_isbn(fields.isbn),
        url=_clean(fields.url),
        doi=identifiers["doi"],
        arxiv_id=identifiers["arxiv_id"],
        pmid=identifiers["pmid"],
        pmcid=identifiers["pmcid"],
    )


def reference_kind(name: str) -> ReferenceKind | None:
    """The kind that a format means by the name of a type; None if it does not say."""
    word = _SEPARATORS.sub("-", name.strip().casefold())
    if word in _FURTHER_KINDS:
        return _FURTHER_KINDS[word]
    kind = kind_of_type(word)
    return None if kind is None else _KINDS[kind]


def _clean(text: str) -> str | None:
    return plain_text(text[:MAX_VALUE]).strip() or None


def _isbn(text: str) -> str | None:
    """The first ISBN in a field that may also have an ISSN or a remark."""
    match = _ISBN.search(text[:MAX_VALUE])
    return "".join(filter(str.isalnum, match[0])).upper() if match else None


def _identifiers(source: StatedFields) -> dict[IdentifierField, str | None]:
    fields: dict[IdentifierField, str] = {}
    for name, value in _identifier_candidates(source):
        if value and name not in fields:
            fields[name] = value
    return {name: fields.get(name) for name in ("doi", "arxiv_id", "pmid", "pmcid")}


def _identifier_candidates(fields: StatedFields) -> Iterator[tuple[IdentifierField, str]]:
    """Identifiers, the most deliberate first: own fields, then URLs, then notes."""
    yield "doi", _stated_doi(fields.doi)
    yield "arxiv_id", _labelled("arxiv_id", "arXiv:", fields.arxiv_id)
    yield "pmid", _labelled("pmid", "PMID:", fields.pmid)
    yield "pmcid", _labelled("pmcid", "PMCID:", fields.pmcid)
    for address in (fields.url, *fields.addresses):
        if hit := identifier_of_url(address.strip()):
            yield hit
    for note in fields.notes:
        yield from _identifiers_in_note(note[:MAX_VALUE])
    for text in (fields.venue, fields.doi):
        for identifier in identifiers_in(text[:MAX_VALUE]):
            yield identifier.field, identifier.value


def _identifiers_in_note(note: str) -> Iterator[tuple[IdentifierField, str]]:
    """The identifiers of a note; a DOI within a line may be that of an erratum or a reply."""
    for identifier in identifiers_in(note):
        line_before = note[: identifier.outer[0]].rpartition("\n")[2]
        if identifier.field != "doi" or not line_before.strip():
            yield identifier.field, identifier.value


def _stated_doi(text: str) -> str:
    """A DOI as written; text without a digit, such as `n/a`, is not one."""
    bare = _DOI_LABEL.sub("", plain_text(text[:MAX_VALUE]), count=1).strip().rstrip(".,;")
    return bare if _DIGIT.search(bare) else ""


def _labelled(name: IdentifierField, label: str, text: str) -> str:
    """The identifier in its own field; the field unchanged if it has another form."""
    clean = plain_text(text[:MAX_VALUE])
    if not _DIGIT.search(clean):
        return ""
    number = f"PMC{clean}" if name == "pmcid" and clean.isdecimal() else clean
    identifiers = (one for one in identifiers_in(label + number) if one.field == name)
    return next((one.value for one in identifiers), number)


def _kind(
    fields: StatedFields, identifiers: Mapping[IdentifierField, str | None]
) -> ReferenceKind:
    if is_preprint_server(fields.venue) and fields.kind in (None, "article", "other"):
        return "preprint"
    if fields.kind not in (None, "other"):
        return fields.kind
    return _kind_by_fields(fields, identifiers)


def _kind_by_fields(
    fields: StatedFields, identifiers: Mapping[IdentifierField, str | None]
) -> ReferenceKind:
    if identifiers["arxiv_id"] and not fields.venue:
        return "preprint"
    if fields.venue and (fields.volume or fields.pages or identifiers["doi"]):
        return "article"
    if fields.isbn:
        return "book"
    is_page = fields.url and not any(identifiers.values()) and not fields.venue
    return "webpage" if is_page else "other"
