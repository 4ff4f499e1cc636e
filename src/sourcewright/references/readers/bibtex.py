"""Reads references from BibTeX and biblatex: name rules, crossref, identifiers in any field."""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from bibtexparser.middlewares.names import (
    parse_single_name_into_parts,
    split_multiple_persons_names,
)

from sourcewright.base.works import Author
from sourcewright.references.bibtex_entries import BibtexEntry, BrokenBibtex, bibtex_entries
from sourcewright.references.field_values import is_et_al, organisation, person
from sourcewright.references.latex import characters_from_latex, from_latex, identifier_from_latex
from sourcewright.references.limits import MAX_AUTHORS
from sourcewright.references.model import ReadReference, ReferenceKind, UnreadableReference
from sourcewright.references.readers.fields import StatedFields, reference_kind, reference_of
from sourcewright.references.readers.inherited_fields import Fields, entries_by_key, with_inherited

_VENUES = (
    *("journal", "journaltitle", "booktitle", "maintitle", "eventtitle", "shortjournal"),
    "series",
)
_PUBLISHERS = ("publisher", "school", "institution", "organization")
_ADDRESSES = ("url", "ee", "link", "howpublished", "bdsk-url-1", "bdsk-url-2")
_NOTES = (
    "note",
    "annote",
    "addendum",
    "journal",
    "journaltitle",
    "howpublished",
    "pages",
    "number",
)
_OWN = (
    *("title", "subtitle", "author", "editor", "year", "date", "volume", "issue", "doi"),
    *("eprint", "archiveprefix", "eprinttype", "arxivid", "arxiv", "pmid", "pmcid", "pmc"),
    *("isbn", "crossref", "xdata", "eid", "articleno", "chapter", "type", "entrysubtype"),
)
_PLACES = ("address", "location")
_NAMES = frozenset((*_VENUES, *_PUBLISHERS, *_PLACES, *_ADDRESSES, *_NOTES, *_OWN))
_PUBMED = ("pubmed", "pmid", "medline")
_PAGE_ON_WEB = re.compile(r"https?://|www\.|\\url\b", re.IGNORECASE)
_LABELLED_PARTS = re.compile(r"(given|family|prefix|suffix)\s?=\s?", re.IGNORECASE)
_TYPES: Mapping[str, ReferenceKind] = MappingProxyType(
    {"unpublished": "other", "misc": "other", "conference": "article"}
)


def read_bibtex_references(text: str) -> tuple[ReadReference, ...]:
    """One result for each entry, in order.

    Raises:
        InvalidInput: It has too many entries.
    """
    entries = tuple(bibtex_entries(text, _NAMES))
    by_key = entries_by_key(entry for entry in entries if isinstance(entry, BibtexEntry))
    return tuple(
        _unreadable(entry) if isinstance(entry, BrokenBibtex) else _reference(entry, by_key)
        for entry in entries
        if entry.is_reference
    )


def _unreadable(broken: BrokenBibtex) -> UnreadableReference:
    return UnreadableReference(
        text=broken.text, reason=broken.reason, key=broken.key, line=broken.line
    )


def _reference(entry: BibtexEntry, by_key: Mapping[str, Fields]) -> ReadReference:
    fields = with_inherited(entry.fields, by_key)
    if not fields:
        return UnreadableReference(
            text=entry.text,
            reason="the entry has no fields",
            key=entry.key or None,
            line=entry.line,
        )
    authors, truncated = read_names(fields.get("author") or fields.get("editor", ""))
    identifiers, addresses = _identifiers(fields), tuple(_addresses(fields))
    return reference_of(
        StatedFields(
            text=entry.text,
            key=entry.key,
            line=entry.line,
            kind=_kind(entry.type, fields),
            entry_type=entry.type,
            authors=authors,
            truncated=truncated,
            title=": ".join(_texts(fields, "title", "subtitle")),
            venue=_first(fields, _VENUES) or _howpublished(fields),
            publisher=_first(fields, _PUBLISHERS),
            location=_first(fields, _PLACES),
            date=_first(fields, ("year", "date")),
            volume=_first(fields, ("volume",)),
            issue=_first(fields, ("number", "issue")),
            pages=_first(fields, ("pages", "eid", "articleno")),
            isbn=_first(fields, ("isbn",)),
            notes=tuple(_notes(fields)),
            doi=identifiers["doi"],
            arxiv_id=identifiers["arxiv_id"],
            pmid=identifiers["pmid"],
            pmcid=identifiers["pmcid"],
            url=next(iter(addresses), ""),
            addresses=addresses[1:],
        )
    )


def _texts(fields: Mapping[str, str], *names: str) -> Iterator[str]:
    yield from (text for name in names if (text := from_latex(fields.get(name, ""))))


def _first(fields: Mapping[str, str], names: tuple[str, ...]) -> str:
    return next(_texts(fields, *names), "")


def _howpublished(fields: Mapping[str, str]) -> str:
    """Where a `misc` entry was published, unless that is an address."""
    text = fields.get("howpublished", "")
    return "" if _PAGE_ON_WEB.search(text) else from_latex(text)


def _kind(name: str, fields: Mapping[str, str]) -> ReferenceKind | None:
    kind = _TYPES.get(name) or reference_kind(name)
    if kind in (None, "other") and _PAGE_ON_WEB.search(fields.get("howpublished", "")):
        return "webpage"
    return kind


def _notes(fields: Mapping[str, str]) -> Iterator[str]:
    yield from _texts(fields, *_NOTES)
    # DBLP writes arXiv papers as journal CoRR, volume abs/1706.03762.
    if fields.get("volume", "").startswith("abs/"):
        yield f"arXiv:{fields['volume'].removeprefix('abs/')}"
    if "eprint" in fields and not _archive(fields):
        yield f"arXiv:{fields['eprint']}"


def _identifiers(fields: Mapping[str, str]) -> dict[str, str]:
    """Identifiers from the fields that are meant for them; empty where there is none."""
    names = ("doi", "eprint", "arxivid", "arxiv", "pmid", "pmcid", "pmc")
    bare = {name: identifier_from_latex(fields.get(name, "")) for name in names}
    archive = _archive(fields)
    arxiv_id = bare["eprint"] if archive == "arxiv" else ""
    pmid = bare["eprint"] if archive in _PUBMED else ""
    return {
        "doi": bare["doi"],
        "arxiv_id": arxiv_id or bare["arxivid"] or bare["arxiv"],
        "pmid": bare["pmid"] or pmid,
        "pmcid": bare["pmcid"] or bare["pmc"],
    }


def _addresses(fields: Mapping[str, str]) -> Iterator[str]:
    """The URLs in the fields that may have one."""
    for name in _ADDRESSES:
        words = identifier_from_latex(fields.get(name, "")).split()
        yield from (word for word in words[:9] if _PAGE_ON_WEB.match(word))


def _archive(fields: Mapping[str, str]) -> str:
    return (fields.get("archiveprefix") or fields.get("eprinttype") or "").strip().casefold()


_DANGLING_AND = re.compile(r"^\s{0,9}and\s|\sand\s{0,9}$")


def read_names(text: str) -> tuple[tuple[Author, ...], bool]:
    """Authors by the rules of BibTeX, and whether "and others" stands for further ones."""
    if text.count("{") != text.count("}"):
        text = text.replace("{", "").replace("}", "")
    authors, truncated = [], False
    # First, because the library mistakes a command at the beginning of a name.
    for name in _single_names(characters_from_latex(text)):
        if is_et_al(from_latex(name)):
            truncated = True
        elif author := _author(name.strip(" ,;")):
            authors.append(author)
        if len(authors) == MAX_AUTHORS:
            return tuple(authors), True
    return tuple(authors), truncated


def _single_names(text: str) -> list[str]:
    """The names between "and"; between semicolons in a file that does not know the rule."""
    names = split_multiple_persons_names(_DANGLING_AND.sub("", text))
    return text.split(";") if len(names) == 1 and ";" in text and "\\" not in text else names


def _author(name: str) -> Author | None:
    if _is_braced(name):
        whole = from_latex(name)
        return organisation(whole) if whole else None
    if _LABELLED_PARTS.match(name):
        return _labelled_author(name)
    parts = parse_single_name_into_parts(name, strict=False)
    family, given, suffix = (
        _plain(" ".join(words)) for words in ([*parts.von, *parts.last], parts.first, parts.jr)
    )
    return person(family, given, suffix) if family or given else None


def _plain(text: str) -> str:
    return " ".join(text.replace("{", "").replace("}", "").split())


def _is_braced(name: str) -> bool:
    """Whether one pair of braces contains the whole name, which protects an organisation's."""
    if not (name.startswith("{") and name.endswith("}")):
        return False
    depth = 0
    for index, character in enumerate(name):
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0:
            return index == len(name) - 1
    return False


def _labelled_author(name: str) -> Author | None:
    """A name in biblatex's extended form: `family=Berg, given=Jan, prefix=van der`."""
    parts: dict[str, str] = {}
    for piece in name.split(","):
        label, _, value = piece.partition("=")
        parts[label.strip().casefold()] = from_latex(value.strip(' "'))
    family = " ".join(filter(None, (parts.get("prefix"), parts.get("family"))))
    return person(family, parts.get("given", ""), parts.get("suffix", "")) if family else None
